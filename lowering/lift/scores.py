"""Index scores in any spelling: sum over heads of weight * act(query . key)."""

from __future__ import annotations

import dataclasses

from ..analysis import ints
from ..analysis.ints import Int, Var
from ..normalize.forms import FLOATS, Activation, Contraction, activation, contraction, peel, scaled, variables
from ..normalize.term import Apply, Elem, Lit, Select, Term, step
from ..pattern import NoMatch, no_match

HUGE = -1e30


@dataclasses.dataclass(frozen=True)
class Scores:
    """The pieces of one score tensor; elements are over the variables b, s, t, and `head`, `channel` below."""

    query: Elem
    key: Elem
    weights: Elem | None
    key_scale: Elem | None
    head: Int
    channel: Int
    scale: float
    activation: str
    root: Elem

    @property
    def pieces(self) -> tuple[str, ...]:
        weighted = f"weights {self.weights.value!r}" if self.weights else "no weights"
        return (
            f"scores {self.activation if self.activation != 'none' else 'without ReLU'} of {self.query.value!r} . "
            f"{self.key.value!r}, scale {self.scale:g}",
            weighted,
        )


@dataclasses.dataclass(frozen=True)
class Masked:
    """A score element, what masks it, and the product of the constant factors on the way."""

    score: Elem
    masks: tuple[Mask, ...]
    factor: float = 1.0


@dataclasses.dataclass(frozen=True)
class Mask:
    """`kind` is "keep" or "drop" (a truth value) or "bias" (added); `fill` is what hidden keys get, "-inf" or "min"."""

    kind: str
    term: Term
    fill: str = ""


def masked_readings(term: Term | None) -> list[tuple[Elem, Mask]]:
    """How one term may be an element under a mask: (the element, the mask)."""
    match term:
        case Select(cond, Lit(fill), Elem() as inner) if fill <= HUGE:
            return [(inner, Mask("drop", cond, _kind(fill)))]
        case Select(cond, Elem() as inner, Lit(fill)) if fill <= HUGE:
            return [(inner, Mask("keep", cond, _kind(fill)))]
        case Select(cond, Elem() as a, Elem() as b):
            if (filled := _filled(b)) is not None:
                return [(a, Mask("keep", cond, _kind(filled)))]
            if (filled := _filled(a)) is not None:
                return [(b, Mask("drop", cond, _kind(filled)))]
        case Apply("add", (Elem() as a, Elem() as b)):
            return [(a, Mask("bias", b)), (b, Mask("bias", a))]
    return []


def _kind(fill: float) -> str:
    return "-inf" if fill == float("-inf") else "min"


def _filled(elem: Elem) -> float | None:
    """The value of a tensor filled with one that no score reaches."""
    found = step(peel(elem))
    return found.value if isinstance(found, Lit) and found.value <= HUGE else None


def unmask(elem: Elem, fuel: int = 8) -> list[Masked]:
    """Every way to read `elem` as a masked score: the deepest reading last."""
    outer = scaled(elem, lossy=False)
    readings = [Masked(elem, ())]
    if not fuel or outer.coefficient <= 0:
        return readings
    for inner, mask in masked_readings(step(outer.elem)):
        below = unmask(inner, fuel - 1)
        readings += [Masked(r.score, (mask, *r.masks), r.factor * outer.coefficient) for r in below]
    return readings


def match_masked(elem: Elem, t: Int) -> tuple[Scores, Masked]:
    """The score structure under the masks of `elem`; raises NoMatch with the reason of the closest reading."""
    best = NoMatch("no contraction of a query with keys feeds it")
    for reading in reversed(unmask(elem)):
        try:
            return match(reading.score, t), reading
        except NoMatch as failed:
            if failed.distance > best.distance:
                best = failed
    raise best


def match(elem: Elem, t: Int) -> Scores:
    """Match an unmasked score element; `t` is the key variable."""
    _check_rounding(elem, t)
    outer = scaled(elem, lossy=False)
    root, key_scale = outer.elem, None
    product = step(root)
    if isinstance(product, Apply) and product.name == "mul" and all(isinstance(x, Elem) for x in product.args):
        key_scale, root = _key_scale(product, t)
    head, weights, weight_scale, act = _head_sum(root, t)
    inner = contraction(act.elem)
    if inner is None or len(inner.factors) != 2:
        no_match("no contraction of a query with keys feeds it")
    query, key, inside = _sides(inner, t)
    for factor in (inside, act.coefficient):
        if factor <= 0:
            no_match(f"the score scale {factor:g} is negative: it turns the order of the keys around", 4)
    if weight_scale <= 0:
        no_match(f"the weight scale {weight_scale:g} is negative: it turns the order of the keys around", 4)
    if outer.coefficient <= 0:
        no_match(f"the scores are multiplied by {outer.coefficient:g}: it turns the order of the keys around", 4)
    channel = ints.of(inner.over[0]) if inner.over else ints.of(0)
    scale = weight_scale * act.coefficient * inside
    return Scores(query, key, weights, key_scale, head, channel, scale, act.name, _plain_root(elem, outer.elem))


def _check_rounding(elem: Elem, t: Int) -> None:
    """Scores that are rounded before they are ranked tie where the operator's do not; raises NoMatch."""
    rounded = scaled(elem, lossy=False).elem
    made = step(rounded)
    if isinstance(made, Apply) and made.name == "cast" and {made.args[0].value.dtype, rounded.value.dtype} <= FLOATS:
        match(made.args[0], t)  # no score, no reason
        no_match(
            f"its scores are rounded from {made.args[0].value.dtype} to {rounded.value.dtype} before top-k: scores "
            "that tie after rounding do not tie in the operator",
            5,
        )


def _plain_root(elem: Elem, root: Elem) -> Elem:
    """The tensor nearest to `root`, equal to it element by element, whose axes are plain variables.

    A flattened product ([batch * rows, 1, keys]) is followed by the view that gives it its axes back.
    """
    equal: list[Elem] = []
    while elem != root:
        made = step(elem)
        equal = [*equal, elem] if isinstance(made, Elem) else []
        inner = made if isinstance(made, Elem) else next(x for x in made.args if isinstance(x, Elem))  # type: ignore[union-attr]
        elem = inner
    plain = [e for e in (*equal, root) if all(i.is_const or isinstance(i.atom, Var) for i in e.idx)]
    return plain[-1] if plain else root


def _key_scale(product: Apply, t: Int) -> tuple[Elem | None, Elem]:
    """A factor per key that multiplies after the head sum."""
    for a, b in (product.args, product.args[::-1]):
        depends = variables(b)
        if contraction(a) is not None and isinstance(t.atom, Var) and t.atom.name in depends and "s" not in depends:
            return b, a
    return no_match("the scores are multiplied by a tensor that is no scale per key", 1)


def _head_sum(root: Elem, t: Int) -> tuple[Int, Elem | None, float, Activation]:
    """The head variable, the weights, their constant factor, and the activated dot product under the sum."""
    name = t.atom.name if isinstance(t.atom, Var) else ""
    found = contraction(root)
    if found is None:
        return ints.of(0), None, 1.0, activation(root)
    with_key = [f for f in found.factors if name in variables(f)]
    act = activation(with_key[0]) if len(with_key) == 1 else None
    if act is None or contraction(act.elem) is None or len(found.over) > 1:
        return ints.of(0), None, 1.0, activation(root)  # the contraction itself is the dot product
    head = ints.of(found.over[0]) if found.over else ints.of(0)
    others = [f for f in found.factors if f is not with_key[0]]
    if len(others) > 1:
        no_match("more than one tensor weights the heads", 3)
    if not others:
        return head, None, found.coefficient, act
    weights = scaled(others[0], lossy=False)
    return head, weights.elem, found.coefficient * weights.coefficient, act


def _sides(found: Contraction, t: Int) -> tuple[Elem, Elem, float]:
    """(query, key, constant factor): the key is the factor that depends on the key variable."""
    name = t.atom.name if isinstance(t.atom, Var) else ""
    keys = [f for f in found.factors if name in variables(f)]
    if len(keys) != 1 or len(found.over) > 1:
        no_match("no contraction of a query with keys feeds it")
    other = found.factors[1] if keys[0] is found.factors[0] else found.factors[0]
    query, key = scaled(other, lossy=False), scaled(keys[0], lossy=False)
    return query.elem, key.elem, found.coefficient * query.coefficient * key.coefficient
