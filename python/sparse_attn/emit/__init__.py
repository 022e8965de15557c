"""Back to torch: the original graph with fused sites spliced in.

Nodes that survive are the original nodes with their meta; only what was built anew becomes new nodes.
"""

from .inplace import write_in_place
from .npu_operators import unavailable
from .splice import splice

__all__ = ["splice", "unavailable", "write_in_place"]
