"""Keys and values expanded from a latent, read off the contractions that make them.

Multi-head latent attention keeps one row `latent[b, t, c]` a token and expands it for every head:

    key[b, t, h, d]   = sum_c latent[b, t, c] * key_weight[h, d, c]      for the channels `d` of one range
    key[b, t, h, d]   = shared[b, t, d]                                  for the others, the same for all heads
    value[b, t, h, e] = sum_c latent[b, t, c] * value_weight[h, e, c]

What is asked for is this algebra, whatever ops and names it is spelled with.
"""

from __future__ import annotations

import dataclasses

from ..analysis import ints
from ..analysis.graph import Value
from ..analysis.ints import Int
from ..normalize.forms import contraction, peel, scaled
from ..normalize.term import Elem, variable
from ..pattern import no_match
from .channels import Part, at, depends, parts, size

ZERO = ints.of(0)


@dataclasses.dataclass(frozen=True)
class Axes:
    """The axes of keys and values, as variables: batch, token, head, key channel, value channel."""

    b: Int
    t: Int
    h: Int
    d: Int
    e: Int


@dataclasses.dataclass(frozen=True)
class Expansion:
    """coefficient * sum over `latent_channel` of latent * weight; `root` is the tensor of the products."""

    latent: Elem
    weight: Elem
    latent_channel: Int
    coefficient: float
    root: Value


@dataclasses.dataclass(frozen=True)
class Expanded:
    """The keys: one expanded range of channels and shared ones; the values: expanded from the same latent."""

    part: Part
    key: Expansion
    shared: tuple[Part, ...]
    value: Expansion

    @property
    def latent_width(self) -> int:
        return size(self.key.latent_channel).const


def axes_of(key: Value, value: Value) -> Axes:
    assert key.dims is not None and value.dims is not None
    b, t, h, d = (variable(n, size) for n, size in zip("bthd", key.dims, strict=True))
    return Axes(b, t, h, d, variable("e", value.dims[3]))


def match(key: Value, value: Value) -> Expanded:
    """Read keys [B, T, N, D] and values [B, T, N, Dv]; raises NoMatch, with distance 0 where nothing is expanded."""
    axes = axes_of(key, value)
    if axes.h == ZERO or not size(axes.h).is_const:
        no_match("it has one key head")
    row = Elem(key, (axes.b, axes.t, axes.h, axes.d))
    found = parts(row, axes.d, lambda elem: depends(elem, axes.h))
    own = [part for part in found if depends(part.elem, axes.h)]
    shared = tuple(part for part in found if not depends(part.elem, axes.h))
    if len(own) != 1:
        no_match(f"{len(own)} ranges of its key channels differ between heads, where one may", 1 if shared else 0)
    (part,) = own
    expanded = _expansion(part.elem, axes, part.channel, "keys", 1 if shared else 0)
    values = _expansion(Elem(value, (axes.b, axes.t, axes.h, axes.e)), axes, axes.e, "values", 2)
    same = at(values.latent, values.latent_channel, expanded.latent_channel)
    if size(values.latent_channel) != size(expanded.latent_channel) or same != expanded.latent:
        no_match(f"its keys are expanded from {expanded.latent} and its values from {values.latent}", 3)
    return Expanded(part, expanded, shared, values)


def _expansion(elem: Elem, axes: Axes, channel: Int, what: str, distance: int) -> Expansion:
    """One range of keys or values as latent times weight."""
    product = contraction(elem, lossy=False)
    if product is None or len(product.factors) != 2 or len(product.over) != 1:
        op = scaled(elem, lossy=False).elem.value
        no_match(f"its {what} come from {op.op or 'an input'} {op!r}, no product of a latent with weights", distance)
    factors = tuple(peel(factor) for factor in product.factors)  # a factor expanded over heads is the same for all
    sides = [(x, y) for x, y in (factors, factors[::-1]) if not depends(x, axes.h)]
    if len(sides) != 1 or not depends(sides[0][1], axes.h):
        no_match(f"its {what} are a product of which no one side is shared by all heads", distance)
    latent, weight = sides[0]
    if channel != ZERO and depends(latent, channel):
        no_match(f"the latent {latent} of its {what} depends on their channel", distance)
    if any(axis != ZERO and depends(weight, axis) for axis in (axes.b, axes.t)):
        no_match(f"the weights {weight} that expand its {what} differ between tokens", distance)
    c = ints.of(product.over[0])
    if not size(c).is_const:
        no_match(f"the width {size(c)} of the latent is dynamic", distance)
    return Expansion(latent, weight, c, product.coefficient, product.root.value)
