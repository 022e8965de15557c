"""The operations of the dialect `sparse_attn`, one a line.

A new one is a file like its neighbours, a line in `OPS`, `test_<name>.py` for its meaning, and `<name>/valid.mlir` and
`<name>/invalid.mlir` under test/lit/sparse_attn with every constraint; then run `python -m sparse_attn.tools.docgen`.
"""

from .attention import AttentionOp
from .compress import CompressOp
from .dialect import SparseAttn
from .index_scores import IndexScoresOp
from .lightning_indexer import LightningIndexerOp
from .paged_write import PagedWriteOp
from .selection import SelectionOp
from .topk import TopkOp

DIALECT = SparseAttn

OPS = [
    IndexScoresOp,
    TopkOp,
    LightningIndexerOp,
    SelectionOp,
    AttentionOp,
    CompressOp,
    PagedWriteOp,
]
