"""`aclgraph.capture`: a function as a graph."""

from ..call import Call
from ..constraints import constraint
from ..fields import Symbol, attr
from .callee import LIFE, LIVES, OnFunction, found, missing
from .dialect import AclGraph

STREAMS = 1984  # of a device


class CaptureOp(OnFunction, dialect=AclGraph, name="capture"):
    """The function is recorded once, for one bucket; `aclgraph.replay` runs what was recorded.

    Its arguments are the memory that the graph addresses. Each says with `aclgraph.life` what becomes of it:
    `init_once` is filled by its owner and read where it lies (weights, caches), `rewritten` is filled anew before each
    replay (tokens, lengths, block tables). Nothing in the function may depend on a number that is not in the IR.

    ```mlir
    func.func @decode(%cache: tensor<4x128xf32> {aclgraph.life = "init_once"},
                      %lengths: tensor<4xi32> {aclgraph.life = "rewritten"}) {
      return
    }
    func.func @setup() {
      "aclgraph.capture"() {callee = @decode, batch = 4 : i64, context = 128 : i64} : () -> ()
      return
    }
    ```
    """

    callee: Symbol = attr("the function to capture")
    batch: int = attr("rows of the bucket; 0: it has no rows", 0, least=0)
    context: int = attr("keys of the bucket; 0: any number", 0, least=0)
    streams: int = attr("streams the graph holds", 1, least=1)

    @constraint
    def c5(call: Call) -> str | None:
        """`callee` is a function of the module."""
        return f"`callee` names @{call.callee}, and the module has no such function" if missing(call) else None

    @constraint
    def c6(call: Call) -> str | None:
        """Every argument of the function is a tensor of static size: addresses and sizes are frozen."""
        for number, kind in enumerate(found(call).arguments if found(call) else ()):
            if kind is None or None in kind.shape:
                what = "no tensor" if kind is None else f"tensor<{kind}>, which has no fixed size"
                return f"argument {number} of @{call.callee} is {what}: capture one function for each bucket"
        return None

    @constraint
    def c7(call: Call) -> str | None:
        """Every argument of the function has an `aclgraph.life`, `"init_once"` or `"rewritten"`."""
        for number, life in enumerate(found(call).lives if found(call) else ()):
            if life not in LIVES:
                return f"argument {number} of @{call.callee} has {LIFE} {life!r}, expected one of {', '.join(LIVES)}"
        return None

    @constraint
    def c8(call: Call) -> str | None:
        """The function neither captures nor replays: a capture holds no capture."""
        inside = [name for name in (found(call).operations if found(call) else ()) if name.startswith("aclgraph.")]
        return f"@{call.callee} holds {inside[0]}: a capture holds no capture" if inside else None

    @constraint
    def c9(call: Call) -> str | None:
        """`streams` are at most those of a device, 1984."""
        return f"`streams` is {call.streams}, a device has {STREAMS}" if call.streams > STREAMS else None
