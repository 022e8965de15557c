"""scaled_dot_product_attention as an attention site."""

from __future__ import annotations

import math

from ..analysis import ints
from ..analysis.graph import Value
from ..normalize.forms import peel
from ..normalize.term import Elem, aligned, variable
from ..pattern import no_match
from .roles import Site
from .scores import Mask

COMPOSITE = "torch.aten.scaled_dot_product_attention"
ON_CPU = "torch.aten._scaled_dot_product_flash_attention_for_cpu"  # what the composite is taken apart into on CPU
ANCHORS = (COMPOSITE, ON_CPU)
AT = {  # where (mask, dropout, is_causal, scale) stand among the operands
    COMPOSITE: (3, 4, 5, 6),
    ON_CPU: (5, 3, 4, 6),
}
ZERO = ints.of(0)


def match(anchor: Value) -> Site:
    """Read the operands of the composite op; raises NoMatch."""
    query, key, value = anchor.operands[:3]
    at_mask, at_dropout, at_causal, at_scale = AT[anchor.op]
    mask = anchor.operands[at_mask]
    if any(other.uses for other in anchor.siblings if other is not anchor):
        no_match("the logarithm of its denominator is used", 1)
    if any(v.dims is None or len(v.dims) != 4 for v in (query, key, value)):
        no_match("scaled_dot_product_attention is not over [batch, head, row, channel]", 1)
    assert query.dims and key.dims and value.dims and anchor.dims
    if anchor.const(at_dropout, 0.0) != 0.0:
        no_match(f"dropout probability {anchor.const(at_dropout)} is not zero", 1)
    b, h, s, d = (variable(n, x) for n, x in zip(("b", "h", "s", "d"), query.dims, strict=True))
    j, e = variable("j", key.dims[2]), variable("e", value.dims[3])
    at = Elem(anchor, (b, h, s, e))
    if key.dims[1] != value.dims[1]:
        no_match(f"{key.dims[1]} key heads meet {value.dims[1]} value heads", 1)
    heads = h
    if key.dims[1] != query.dims[1]:
        if (
            (anchor.op == COMPOSITE and anchor.const(7, False) is not True)
            or not key.dims[1].is_const
            or not query.dims[1].is_const
        ):
            no_match(f"{query.dims[1]} query heads meet {key.dims[1]} key heads without enable_gqa", 1)
        heads = ints.floordiv(h, ints.of(query.dims[1].const // key.dims[1].const))
    masks: tuple[Mask, ...] = ()
    if mask.dims is not None:
        elem = aligned(mask, Elem(anchor, (b, h, s, j)))
        masks = (Mask("keep" if mask.dtype == "i1" else "bias", elem),)
    is_causal = anchor.const(at_causal, False) is True
    if is_causal and query.dims[2] != key.dims[2]:
        no_match("is_causal with fewer queries than keys is aligned to the first key, not to the last", 3)
    return Site(
        root=at, query=peel(Elem(query, (b, h, s, d))), key=peel(Elem(key, (b, heads, j, d))),
        value=peel(Elem(value, (b, heads, j, e))), scale=_scale(anchor, at_scale, query.dims[3]), batch=b, row=s,
        head=h, channel=d, value_channel=e, key_axis=j, masks=masks, is_causal=is_causal, empty_rows="zero",
    )  # fmt: skip


def _scale(anchor: Value, at: int, width: ints.Int) -> float:
    given = anchor.const(at)
    if isinstance(given, (int, float)):
        return float(given)
    if anchor.operands[at].op != "torch.constant.none" or not width.is_const:
        no_match("the scale is no constant", 3)
    return 1.0 / math.sqrt(width.const)
