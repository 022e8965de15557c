"""The operations of the dialect `sparse_attn`, one a line."""

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
