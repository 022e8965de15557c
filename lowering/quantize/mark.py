"""The mark of an op whose operands are to be quantised: the name of a format."""

from __future__ import annotations

from ..analysis.graph import FACT, Value
from .formats import READERS

MARK = FACT + "quantize"
KINDS = {"sparse_attn.lightning_indexer": "indexer", "sparse_attn.attention": "attention"}


def marked(value: Value) -> str | None:
    """The format the operands of an op are to have, None where it stays as it is."""
    attributes = value.operation.attributes
    return attributes[MARK].value if MARK in attributes else None


def wanted_kernel(value: Value) -> str:
    """The kernel that reads what an op is marked with; "" without a mark."""
    name = marked(value)
    return READERS[KINDS[value.op]][name].kernel if name is not None else ""
