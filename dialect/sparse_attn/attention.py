"""`sparse_attn.attention`: softmax attention over a window of keys and a set of compressed keys."""

from torch_mlir.dialects.ext import Operand, Pure, Result

from ..call import Call
from ..constraints import constraint
from ..fields import attr, operand, result
from ..op import Op, Tensor
from ..tensors import F32, FLOATS, I32, INDICES, Dims
from .attention_reference import attend
from .dialect import SparseAttn
from .visibility import MASK, mask_problem


class AttentionOp(Op, dialect=SparseAttn, name="attention", traits=[Pure]):
    """Attention over two segments of keys in one softmax: `ori` (tokens) and `cmp` (compressed tokens).

    Query head n reads key head `n // (N / G)`. A key row is also its value: the first `Dv` channels, unless
    `ori_value` gives the values of the `ori` segment apart. Index lists, masks and `mask` all restrict together.

    - `ori_indices`, `cmp_indices`: only the listed keys are attended; entries below 0 are none, others distinct.
    - with `v = visible[b, s]`, or `T - S + s + 1` without it, `ori_mask`: `causal` is `j < v`; `band` is
      `v - 1 - ori_left <= j <= v - 1 + ori_right`, where -1 opens a side.
    - `cmp_mask = "prefix"`: `c < cmp_visible[b, s]`, or `c < floor(v / cmp_ratio)` without it.
    - `mask`: bool (may attend) or float (added to the scaled scores) over `ori` then `cmp`.
    - `sinks`: one more logit a head, in the denominator only.

    A row without any key follows `empty_rows`: `zero` (output 0, lse -inf), `mean` (of all values of both segments,
    what a finite minimum in an additive mask gives) or `nan`; with `sinks` its output is 0.

    ```mlir
    func.func @attend(%q: tensor<1x1x64x512xbf16>, %window: tensor<1x128x1x512xbf16>, %rows: tensor<1x?x1x512xbf16>,
                      %picks: tensor<1x1x512xi32>, %sinks: tensor<64xf32>) -> tensor<1x1x64x512xbf16> {
      %out, %lse = "sparse_attn.attention"(%q, %window, %rows, %picks, %sinks)
          {operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 1, 1, 0, 0, 0>, ori_mask = "band", ori_left = 127 : i64,
           ori_right = 0 : i64, scale = 0.04419417382415922 : f64}
          : (tensor<1x1x64x512xbf16>, tensor<1x128x1x512xbf16>, tensor<1x?x1x512xbf16>, tensor<1x1x512xi32>,
             tensor<64xf32>) -> (tensor<1x1x64x512xbf16>, tensor<0xf32>)
      return %out : tensor<1x1x64x512xbf16>
    }
    ```
    """

    query: Operand[Tensor] = operand("B S N D", FLOATS, "queries")
    ori_kv: Operand[Tensor] | None = operand("B T G D", FLOATS, "keys of the tokens", keyword=True)
    ori_value: Operand[Tensor] | None = operand("B T G Dv", FLOATS, "values of the tokens, if apart", keyword=True)
    cmp_kv: Operand[Tensor] | None = operand("B Tc G D", FLOATS, "compressed keys", keyword=True)
    ori_indices: Operand[Tensor] | None = operand("B|1 S Ko", INDICES, "tokens to attend", keyword=True)
    cmp_indices: Operand[Tensor] | None = operand("B|1 S Kc", INDICES, "compressed keys to attend", keyword=True)
    sinks: Operand[Tensor] | None = operand("N", FLOATS, "sink logits", keyword=True)
    visible: Operand[Tensor] | None = operand("B|1 S", I32, "how many tokens a row sees", keyword=True)
    cmp_visible: Operand[Tensor] | None = operand("B|1 S", I32, "how many compressed keys a row sees", keyword=True)
    mask: Operand[Tensor] | None = operand("...", MASK, "broadcasts to `[B, N, S, T + Tc]`", keyword=True)
    scale: float = attr("factor of the dot products", 1.0)
    value_width: int = attr("channels of a key row that are its value; -1 for all", -1, least=-1)
    ori_mask: str = attr("which tokens a row sees", "none", choices=("none", "causal", "band"))
    ori_left: int = attr("tokens a band reaches back; -1 for all", -1, least=-1)
    ori_right: int = attr("tokens a band reaches ahead; -1 for all", -1, least=-1)
    cmp_mask: str = attr("which compressed keys a row sees", "none", choices=("none", "prefix"))
    cmp_ratio: int = attr("tokens a compressed key stands for", 1, least=1)
    empty_rows: str = attr("output of a row without keys", "zero", choices=("zero", "mean", "nan"))
    return_lse: bool = attr("whether `lse` is computed", False)
    out: Result[Tensor] = result("B S N Dv", "query", "attended values")
    lse: Result[Tensor] = result("0", F32, "`[B, S, N]` with `return_lse`: natural log of the denominator")

    @staticmethod
    def layouts(call: Call) -> dict[str, str]:
        return {"lse": "B S N"} if call.return_lse else {}

    @staticmethod
    def derived(call: Call) -> Dims:
        if call.ori_value is not None:
            return {}
        return {"Dv": call.size("D") if call.value_width == -1 else call.value_width}

    @constraint
    def c5(call: Call) -> str | None:
        """At least one of `ori_kv` and `cmp_kv` is given."""
        return "needs `ori_kv`, `cmp_kv` or both" if call.ori_kv is None and call.cmp_kv is None else None

    @constraint
    def c6(call: Call) -> str | None:
        """N is a multiple of G."""
        heads, groups = call.size("N"), call.size("G")
        if heads is not None and groups is not None and (groups == 0 or heads % groups):
            return f"{heads} query heads do not divide over {groups} key heads"
        return None

    @constraint
    def c7(call: Call) -> str | None:
        """Values taken from key rows fit in them; `ori_value` leaves `value_width` at -1."""
        if call.ori_value is not None and call.value_width != -1:
            return f"`ori_value` already says the width; value_width = {call.value_width} must be -1"
        width = call.size("Dv") if call.ori_value is not None else call.value_width
        from_rows = call.ori_value is None or call.cmp_kv is not None
        if from_rows and None not in (width, call.size("D")) and (width == 0 or width > call.size("D")):
            return f"values of width {width} do not fit in key rows of width {call.size('D')}"
        return None

    @constraint
    def c8(call: Call) -> str | None:
        """What restricts a segment needs that segment."""
        uses = {"ori": (call.ori_value, call.ori_indices), "cmp": (call.cmp_indices, call.cmp_visible)}
        for segment, extras in uses.items():
            masked = call.attributes[f"{segment}_mask"] != "none"
            if call.operands[f"{segment}_kv"] is None and (masked or any(extra is not None for extra in extras)):
                return f"operands and masks named `{segment}_` need `{segment}_kv`"
        return None

    @constraint
    def c9(call: Call) -> str | None:
        """`ori_left` and `ori_right` only with `ori_mask = "band"`; `cmp_visible` and `cmp_ratio` with `"prefix"`."""
        if call.ori_mask != "band" and (call.ori_left, call.ori_right) != (-1, -1):
            return f'ori_left and ori_right need ori_mask = "band", got "{call.ori_mask}"'
        if call.cmp_mask != "prefix" and (call.cmp_visible is not None or call.cmp_ratio != 1):
            return f'`cmp_visible` and cmp_ratio need cmp_mask = "prefix", got "{call.cmp_mask}"'
        return None

    @constraint
    def c10(call: Call) -> str | None:
        """`visible` is given where it is needed and nowhere else."""
        prefix = call.cmp_mask == "prefix" and call.cmp_visible is None
        if call.visible is not None and call.ori_mask == "none" and not prefix:
            return "`visible` is given but no mask reads it"
        if call.visible is None and prefix and call.ori_kv is None:
            return 'cmp_mask = "prefix" needs `cmp_visible` or `visible` when there is no `ori_kv` to count'
        return None

    @constraint
    def c11(call: Call) -> str | None:
        """`mask` broadcasts to `[B, N, S, T + Tc]`."""
        widths = [call.size(name) for name, kv in (("T", call.ori_kv), ("Tc", call.cmp_kv)) if kv is not None]
        width = None if None in widths else sum(widths)
        return mask_problem(call, (call.size("B"), call.size("N"), call.size("S"), width))

    reference = staticmethod(attend)
