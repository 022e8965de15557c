"""The logits under a softmax: scale * query . key, masks, a sink column, a subtracted maximum."""

from __future__ import annotations

import dataclasses

from ..analysis import ints
from ..analysis.ints import Int
from ..normalize.forms import contraction, peel, scaled, variables
from ..normalize.term import Apply, Elem, step
from ..pattern import NoMatch, no_match
from .scores import Mask, masked_readings


@dataclasses.dataclass(frozen=True)
class Logits:
    """scale * sum_channel query * key, plus masks; elements are over whatever variables the caller used."""

    query: Elem
    key: Elem
    scale: float
    channel: Int
    masks: tuple[Mask, ...]


def match(elem: Elem, key_axis: str) -> Logits:
    """Parse a logit element; `key_axis` names its key variable. Raises NoMatch."""
    elem = without_shift(elem, key_axis)
    best = NoMatch("its logits are no contraction of queries with keys")
    for reading, masks in _readings(elem, 8):
        found = contraction(reading)
        if found is None or len(found.factors) != 2 or len(found.over) > 1:
            continue
        keys = [f for f in found.factors if key_axis in variables(f)]
        if len(keys) != 1:
            continue
        other = found.factors[1] if keys[0] is found.factors[0] else found.factors[0]
        query, key = scaled(other, lossy=False), scaled(keys[0], lossy=False)
        scale = found.coefficient * query.coefficient * key.coefficient
        channel = ints.of(found.over[0]) if found.over else ints.of(0)
        return Logits(query.elem, key.elem, scale, channel, masks)
    raise best


def without_shift(elem: Elem, key_axis: str) -> Elem:
    """Softmax does not see a number subtracted from a whole row (the row's maximum)."""
    while True:
        elem = peel(elem, lossy=True)
        match step(elem):
            case Apply("sub", (Elem() as inner, Elem() as shift)) if key_axis not in variables(shift):
                elem = inner
            case _:
                return elem


def _readings(elem: Elem, fuel: int) -> list[tuple[Elem, tuple[Mask, ...]]]:
    """`elem` as masked logits, the deepest reading first."""
    own: list[tuple[Elem, tuple[Mask, ...]]] = [(elem, ())]
    peeled = peel(elem, lossy=True)
    if not fuel:
        return own
    below = masked_readings(step(peeled))
    deeper = [(e, (mask, *more)) for inner, mask in below for e, more in _readings(inner, fuel - 1)]
    return deeper + own


def sink(softmax_input: Elem, position: Int, key_axis: str) -> Elem:
    """The element of the extra column of a softmax input: one logit a head."""
    column = Elem(softmax_input.value, (*softmax_input.idx[:-1], position))
    found = peel(without_shift(column, key_axis), lossy=False)
    names = variables(found)
    if len(names) > 1 or found == column:
        no_match("the last column of its softmax is no sink with one logit a head", 2)
    return found
