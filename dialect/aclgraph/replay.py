"""`aclgraph.replay`: run what was recorded."""

from ..call import Call
from ..constraints import constraint
from ..fields import Symbol, attr
from .callee import OnFunction, found, missing
from .dialect import AclGraph


class ReplayOp(OnFunction, dialect=AclGraph, name="replay"):
    """The recorded tasks of a captured function run again, over what its memory holds now.

    The results are in the memory of the first run.

    ```mlir
    func.func @decode(%lengths: tensor<4xi32> {aclgraph.life = "rewritten"}) {
      return
    }
    func.func @serve() {
      "aclgraph.capture"() {callee = @decode, batch = 4 : i64} : () -> ()
      "aclgraph.replay"() {callee = @decode} : () -> ()
      return
    }
    ```
    """

    callee: Symbol = attr("the captured function")

    @constraint
    def c5(call: Call) -> str | None:
        """`callee` is a function of the module."""
        return f"`callee` names @{call.callee}, and the module has no such function" if missing(call) else None

    @constraint
    def c6(call: Call) -> str | None:
        """A capture of the function stands in front of the replay, in the same block."""
        if found(call) and not found(call).captured:
            return f"@{call.callee} is not captured before this: put an aclgraph.capture in front"
        return None
