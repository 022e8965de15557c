"""Every dialect of ours, and loading them into an MLIR context.

Making contexts and loading dialects defined in Python from several threads at once corrupts the process: use
`new_context`, or `load` for a context that exists, which share one lock.
"""

import threading

from torch_mlir import ir, passmanager
from torch_mlir._mlir_libs import _torchMlir

from . import aclgraph, npu, sparse_attn

DIALECTS = [
    sparse_attn,
    npu,
    aclgraph,
]

_lock = threading.RLock()

# Where the bindings look for the Python classes of a dialect; without it they search in vain at every operation.
ir._globals.append_dialect_search_prefix(__package__)


def new_context() -> ir.Context:
    """A new MLIR context with torch, torch_c and our dialects loaded."""
    with _lock:
        return load(ir.Context())


def load(context: ir.Context) -> ir.Context:
    """Load torch, torch_c and our dialects into a context, once; the answer is the context."""
    with _lock, context:
        for package in DIALECTS:
            if not context.is_dialect_loaded(package.DIALECT.DIALECT_NAMESPACE):
                package.DIALECT.load()
        if not context.is_dialect_loaded("torch"):
            _torchMlir.register_dialect(context)
        if not context.is_dialect_loaded("torch_c"):
            _load_torch_c()
    return context


def _load_torch_c() -> None:
    """torch_c has no Python binding: the one pass that depends on it loads it."""
    module = ir.Module.parse("module {}")
    passmanager.PassManager.parse("builtin.module(torch-func-backend-type-conversion)").run(module.operation)
