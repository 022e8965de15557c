"""Caches of models with indexed sparse attention. They need transformers, which the rest of the package does not.

Why a decode step is one graph. Three layers of DeepSeek-V4 take 17 graphs for 71 steps with transformers' own cache,
which keeps as Python numbers, or as shapes, what is different from step to step. A graph is good for one such value:

- Tokens that wait for their window to close: none, one, several or all, in either of two ratios. Here the pending
  window is always whole, and the entry of one that is still open is not stored.
- The first entry, overlap and pending token, before which there is None. Here they are buffers from the start: the
  overlap's gate is minus infinity, and unused entries are hidden.
- How many entries there are: none, one, then any. Here the buffer is returned whole and entries are hidden by position;
  a compressor without an indexer hides nothing from a single token, so a hook does.
- The first position of the next window, a number per layer. Here it follows from the lengths, on the device.
- Length and offset of the attention window until it is full. Here it is a ring, of which a token sees what its
  position has filled.
- The length of the sequence, from which positions and masks are made, a number per step. Here lengths are on the
  device, one per request, and a hook before the model makes both from them.
- The mask that `generate` makes a column wider per step: one more graph from the second step on. Here it is cut to the
  columns of the call before it enters the graph.
- Buffers made in the first call, which is then not the second. Here they are made with the cache.
"""

import importlib.util

if importlib.util.find_spec("transformers") is None:
    raise ImportError(
        "sparse_attn.StaticSparseCache is a cache for models of transformers, which is not installed: "
        "pip install 'sparse-attn-mlir[demo]'"
    )

from .static import StaticSparseCache

__all__ = ["StaticSparseCache"]
