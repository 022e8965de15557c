"""A row of channels cut where they come from different tensors: concatenations, writes into slices, paddings."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from ..analysis import ints
from ..analysis.ints import Int, Var
from ..normalize.forms import peel, variables
from ..normalize.term import Apply, Elem, Number, Select, Term, step, variable
from ..pattern import no_match

ONE = ints.of(1)
MOST_PARTS = 8
AFTER = {("le", 1), ("lt", -1), ("ge", -1)}  # comparisons that change behind the channel where both sides are equal


@dataclasses.dataclass(frozen=True)
class Part:
    """Channels start .. start + size of a row; `elem` is their element over a channel variable of its own."""

    start: int
    size: int
    channel: Int
    elem: Elem


def parts(elem: Elem, channel: Int, worth: Callable[[Elem], bool]) -> list[Part]:
    """The parts of a row in order. A part for which `worth` is false is not cut further."""
    width = size(channel)
    if not width.is_const:
        no_match(f"the width {width} of its key rows is dynamic")
    found: list[Part] = []
    queue = [(0, width.const)]
    while queue:
        start, length = queue.pop(0)
        if len(found) + len(queue) > MOST_PARTS:
            no_match("its key rows are put together from too many parts")
        own = variable(f"d{start}", ints.of(length))
        here = at(elem, channel, own + start)
        leaf, cut = _peeled(here, own)
        if cut is None or not worth(here):
            found.append(Part(start, length, own, leaf))
        else:
            queue[:0] = [(start, cut), (start + cut, length - cut)]
    return found


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
        return at if 0 < at < size(channel).const else None
    return None


def at(elem: Elem, axis: Int, by: Int) -> Elem:
    """`elem` with the variable `axis` replaced."""
    return elem.rebuild(lambda atom: by if atom == axis.atom else None)


def depends(elem: Elem, axis: Int) -> bool:
    return isinstance(axis.atom, Var) and axis.atom.name in variables(elem)


def size(axis: Int) -> Int:
    return axis.atom.size if isinstance(axis.atom, Var) else ONE
