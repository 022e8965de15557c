"""sparse_attn: indexed sparse attention in plain PyTorch, compiled to NPU kernels.

    torch.compile(model, backend="sparse_attn")

Importing this package imports neither torch nor MLIR; `import sparse_attn.ops` registers the operators.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"
_LAZY = {"Options": "options", "collecting": "backend", "StaticSparseCache": "cache"}


def __getattr__(name: str) -> Any:
    if name in ("aclgraph", "backend", "cache", "ops", "options", "errors"):
        return importlib.import_module(f"{__name__}.{name}")
    if name in _LAZY:
        return getattr(importlib.import_module(f"{__name__}.{_LAZY[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
