"""Softmax written out: exponentials of shifted logits, weighted values, and their sum as a denominator.

    p = exp(logits - shift);  out = sum_k p * value / (sum_k p + exp(sink - shift))

The shift, the row's maximum as a rule, falls out where the sink's exponential has the same one.
"""

from __future__ import annotations

from ..analysis import ints
from ..analysis.graph import Value
from ..normalize.forms import peel, variables
from ..normalize.term import Apply, Elem, Sum, step
from ..pattern import no_match
from . import logits, softmax
from .roles import Site

ANCHORS = ("torch.aten.exp",)
DIVIDE = "torch.aten.div.Tensor"


def match(anchor: Value) -> Site:
    """Read the quotient that uses the exponentials; raises NoMatch, silently far where they are no attention's."""
    out, product, denominator = _quotient(anchor)
    probabilities, value, j = softmax.weighted(product, lambda p: _exponentials(p, anchor) is not None)
    exponentials = _exponentials(probabilities, anchor)
    assert exponentials is not None
    if denominator is None:
        denominator = _divisor(probabilities)
    if exponentials.idx[-1].atom != j:
        no_match("its exponentials do not run over the keys along the last axis", 1)
    sink = _sink(denominator, exponentials)
    source = Elem(anchor.operands[0], exponentials.idx)
    found = logits.match(source, j.name)
    fills = {m.fill for m in found.masks if m.fill}
    if "min" in fills and sink is None:
        no_match("its masks fill with a finite minimum, and nothing else is in the denominator", 3)
    return softmax.site(out, found, value, source, sink, "nan")


def _quotient(anchor: Value) -> tuple[Elem, Elem, Elem | None]:
    """(result, weighted sum, what it is divided by after the sum, None where the exponentials were divided before)."""
    root = softmax.root_of(anchor, also=("div.Tensor",))
    divided = _divided(root)
    if divided is None:
        out = softmax.general(root)
        return out, out, None
    out = softmax.general(divided)
    quotient = step(out)
    assert isinstance(quotient, Apply)
    return out, quotient.args[0], quotient.args[1]


def _divided(value: Value) -> Value | None:
    """The division of `value`, layout ops in between."""
    while len(value.uses) == 1:
        user, at = value.uses[0]
        if user is None or at != 0:
            return None
        if user.op == DIVIDE:
            return user
        if user.op.removeprefix("torch.aten.") not in softmax.CARRIES:
            return None
        value = user
    return None


def _exponentials(elem: Elem, anchor: Value) -> Elem | None:
    """The element of the exponentials that `elem` is, divided or not."""
    found = peel(elem, lossy=True)
    made = step(found)
    if isinstance(made, Apply) and made.name == "div" and isinstance(made.args[0], Elem):
        found = peel(made.args[0], lossy=True)
    return found if found.value is anchor else None


def _divisor(probabilities: Elem) -> Elem:
    made = step(peel(probabilities, lossy=True))
    if not isinstance(made, Apply) or made.name != "div" or not isinstance(made.args[1], Elem):
        no_match("its exponentials are not divided by their sum")
    return made.args[1]


def _sink(denominator: Elem, exponentials: Elem) -> Elem | None:
    """The sink logit of a denominator `sum of the exponentials + exp(sink - shift)`; None without one."""
    if _is_sum(denominator, exponentials):
        return None
    match step(peel(denominator, lossy=True)):
        case Apply("add", (Elem() as a, Elem() as b)):
            for total, other in ((a, b), (b, a)):
                if _is_sum(total, exponentials):
                    return _sink_logit(other, exponentials)
    return no_match("its denominator is not the sum of its exponentials, with or without that of a sink", 3)


def _is_sum(elem: Elem, exponentials: Elem) -> bool:
    assert exponentials.value.dims is not None
    made = step(peel(elem, lossy=True))
    if not isinstance(made, Sum) or len(made.over) != 1 or len(made.factors) != 1:
        return False
    term = peel(made.factors[0], lossy=True)
    every_key = ints.of(made.over[0]) == term.idx[-1] and exponentials.value.dims[-1] == made.over[0].size
    return every_key and term.value is exponentials.value and term.idx[:-1] == exponentials.idx[:-1]


def _sink_logit(elem: Elem, exponentials: Elem) -> Elem:
    made = step(peel(elem, lossy=True))
    if not isinstance(made, Apply) or made.name != "exp":
        no_match("what its denominator adds to the sum is no exponential of a sink", 3)
    sink, shift = _shifted(made.args[0])
    _, own = _shifted(Elem(exponentials.value.operands[0], exponentials.idx))
    if shift != own:
        no_match("its sink is shifted by another number than its logits", 3)
    if len(variables(sink)) > 1:
        no_match("what its denominator adds to the sum is no sink with one logit a head", 3)
    return sink


def _shifted(elem: Elem) -> tuple[Elem, Elem | None]:
    """(number, what is subtracted from it)."""
    match step(peel(elem, lossy=True)):
        case Apply("sub", (Elem() as number, Elem() as shift)):
            return peel(number), peel(shift, lossy=True)
    return peel(elem), None
