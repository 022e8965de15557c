"""Every error the package raises: what is wrong, where, and what to do."""

from __future__ import annotations


class SparseAttnError(Exception):
    """Base of all errors raised by sparse_attn."""


class UnsupportedVersion(SparseAttnError):
    """A torch or torch-mlir version outside the tested range."""


class ImportRefused(SparseAttnError):
    """The graph holds something the MLIR importer cannot take; the graph runs unfused."""


class NotFused(SparseAttnError):
    """Raised under `strict=True` when an attention site stays unfused; lists every site and reason."""


class BadOption(SparseAttnError):
    """An unknown option or an option value outside its documented set."""


class CacheRefused(SparseAttnError):
    """A cache was asked for something it cannot hold or was not made for; it is left as it was."""
