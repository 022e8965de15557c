"""The operations of the dialect `aclgraph`, one a line.

A new one is a file like its neighbours, a line in `OPS`, and `<name>/valid.mlir` and `<name>/invalid.mlir` under
test/lit/aclgraph with every constraint; then run `python -m sparse_attn.tools.docgen`.
"""

from .capture import CaptureOp
from .dialect import AclGraph
from .replay import ReplayOp

DIALECT = AclGraph

OPS = [
    CaptureOp,
    ReplayOp,
]
