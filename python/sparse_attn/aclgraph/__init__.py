"""Capture and replay of compiled graphs: on NPU tensors as an aclgraph, on CPU tensors by the same rules.

`torch.compile(model, backend="sparse_attn", options={"aclgraph": True})` captures every graph that may be captured; the
others run as they are, with the reason in `statistics()`.
"""

from .bucketed import Bucketed
from .captured import Captured, all_captured, reset, statistics
from .session import warming

__all__ = ["Bucketed", "Captured", "all_captured", "reset", "statistics", "warming"]
