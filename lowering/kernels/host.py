"""The host takes every meaning-level op as it is: every dtype, size and mask."""

from __future__ import annotations

from .contract import Contract

CONTRACTS = [
    Contract(kernel=f"sparse_attn::{name}", implements=f"sparse_attn.{name}", targets=("host",))
    for name in ("lightning_indexer", "attention", "topk", "index_scores", "selection", "compress", "paged_write")
]
