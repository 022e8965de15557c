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
from ..analysis.ints import Int, Var
from ..normalize.forms import contraction, peel, scaled, variables
from ..normalize.term import Apply, Elem, Number, Select, Term, step, variable
from ..pattern import no_match

ZERO, ONE = ints.of(0), ints.of(1)
MOST_PARTS = 8


@dataclasses.dataclass(frozen=True)
class Axes:
    """The axes of keys and values, as variables: batch, token, head, key channel, value channel."""

    b: Int
    t: Int
    h: Int
    d: Int
    e: Int


@dataclasses.dataclass(frozen=True)
class Part:
    """Channels start .. start + size of a row; `elem` is their element over a channel variable of its own."""

    start: int
    size: int
    channel: Int
    elem: Elem


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
        return _size(self.key.latent_channel).const


def axes_of(key: Value, value: Value) -> Axes:
    assert key.dims is not None and value.dims is not None
    b, t, h, d = (variable(n, size) for n, size in zip("bthd", key.dims, strict=True))
    return Axes(b, t, h, d, variable("e", value.dims[3]))


def match(key: Value, value: Value) -> Expanded:
    """Read keys [B, T, N, D] and values [B, T, N, Dv]; raises NoMatch, with distance 0 where nothing is expanded."""
    axes = axes_of(key, value)
    if axes.h == ZERO or not _size(axes.h).is_const:
        no_match("it has one key head")
    parts = _parts(Elem(key, (axes.b, axes.t, axes.h, axes.d)), axes.d, axes)
    own = [part for part in parts if _depends(part.elem, axes.h)]
    shared = tuple(part for part in parts if not _depends(part.elem, axes.h))
    if len(own) != 1:
        no_match(f"{len(own)} ranges of its key channels differ between heads, where one may", 1 if shared else 0)
    (part,) = own
    expanded = _expansion(part.elem, axes, part.channel, "keys", 1 if shared else 0)
    values = _expansion(Elem(value, (axes.b, axes.t, axes.h, axes.e)), axes, axes.e, "values", 2)
    same = _at(values.latent, values.latent_channel, expanded.latent_channel)
    if _size(values.latent_channel) != _size(expanded.latent_channel) or same != expanded.latent:
        no_match(f"its keys are expanded from {expanded.latent} and its values from {values.latent}", 3)
    return Expanded(part, expanded, shared, values)


def _expansion(elem: Elem, axes: Axes, channel: Int, what: str, distance: int) -> Expansion:
    """One range of keys or values as latent times weight."""
    product = contraction(elem, lossy=False)
    if product is None or len(product.factors) != 2 or len(product.over) != 1:
        op = scaled(elem, lossy=False).elem.value
        no_match(f"its {what} come from {op.op or 'an input'} {op!r}, no product of a latent with weights", distance)
    sides = [(x, y) for x, y in (product.factors, product.factors[::-1]) if not _depends(x, axes.h)]
    if len(sides) != 1 or not _depends(sides[0][1], axes.h):
        no_match(f"its {what} are a product of which no one side is shared by all heads", distance)
    latent, weight = (peel(x) for x in sides[0])
    if channel != ZERO and _depends(latent, channel):
        no_match(f"the latent {latent} of its {what} depends on their channel", distance)
    if any(axis != ZERO and _depends(weight, axis) for axis in (axes.b, axes.t)):
        no_match(f"the weights {weight} that expand its {what} differ between tokens", distance)
    c = ints.of(product.over[0])
    if not _size(c).is_const:
        no_match(f"the width {_size(c)} of the latent is dynamic", distance)
    return Expansion(latent, weight, c, product.coefficient, product.root.value)


def _parts(elem: Elem, channel: Int, axes: Axes) -> list[Part]:
    """The row cut where its channels come from different tensors, as far as heads differ."""
    size = _size(channel)
    if not size.is_const:
        no_match(f"the width {size} of its key rows is dynamic")
    parts: list[Part] = []
    queue = [(0, size.const, elem)]
    while queue:
        start, width, whole = queue.pop(0)
        if len(parts) + len(queue) > MOST_PARTS:
            no_match("its key rows are put together from too many parts")
        own = variable(f"d{start}", ints.of(width))
        here = _at(whole, channel, own + start)
        leaf, cut = _peeled(here, own)
        if cut is None or not _depends(here, axes.h):
            parts.append(Part(start, width, own, leaf))
        else:
            queue[:0] = [(start, cut, whole), (start + cut, width - cut, whole)]
    return parts


def _peeled(elem: Elem, channel: Int) -> tuple[Elem, int | None]:
    """`elem` without layout and decided choices; and where in its channels the next choice falls, if there is one."""
    while True:
        elem = peel(elem)
        made = step(elem)
        if not isinstance(made, Select):
            return elem, None
        decided = _holds(made.cond)
        if decided is None:
            return elem, _cut(made.cond, channel)
        chosen = made.then if decided else made.other
        if not isinstance(chosen, Elem):
            return elem, None
        elem = chosen


def _holds(cond: Term) -> bool | None:
    """Whether a comparison of index expressions always, or never, holds; None when that is open."""
    match cond:
        case Apply("and", args):
            known = [_holds(a) for a in args]
            return False if False in known else None if None in known else True
        case Apply("lt", (Number(a), Number(b))):
            return _below(a, b)
        case Apply("le", (Number(a), Number(b))):
            return _below(a, b + 1)
        case Apply("ge", (Number(a), Number(b))):
            opposite = _below(a, b)
            return None if opposite is None else not opposite
    return None


def _below(a: Int, b: Int) -> bool | None:
    if ints.non_negative(b - a - ONE):
        return True
    return False if ints.non_negative(a - b) else None


AFTER = {("le", 1), ("lt", -1), ("ge", -1)}  # comparisons that change behind the channel where both sides are equal


def _cut(cond: Term, channel: Int) -> int | None:
    """The value of `channel` at which an undecided comparison changes."""
    for arg in cond.args if isinstance(cond, Apply) and cond.name == "and" else (cond,):
        if not isinstance(arg, Apply) or arg.name not in ("lt", "le", "ge"):
            return None
        left, right = arg.args
        if not isinstance(left, Number) or not isinstance(right, Number):
            return None
        if _holds(arg) is not None:
            continue
        difference = left.value - right.value
        slope, offset = difference.coefficient(channel.atom), difference.without(channel.atom)
        if slope not in (1, -1) or not offset.is_const:
            return None
        at = -offset.const * slope + ((arg.name, slope) in AFTER)
        return at if 0 < at < _size(channel).const else None
    return None


def _at(elem: Elem, axis: Int, by: Int) -> Elem:
    """`elem` with the variable `axis` replaced."""
    return elem.rebuild(lambda atom: by if atom == axis.atom else None)


def _depends(elem: Elem, axis: Int) -> bool:
    return isinstance(axis.atom, Var) and axis.atom.name in variables(elem)


def _size(axis: Int) -> Int:
    return axis.atom.size if isinstance(axis.atom, Var) else ONE
