"""The dialect `sparse_attn`: what indexed sparse attention means, independent of any kernel."""

from torch_mlir.dialects import ext


class SparseAttn(ext.Dialect, name="sparse_attn"):
    """Meaning-level operations on builtin tensors."""
