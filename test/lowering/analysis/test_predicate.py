"""Predicates: every simplification keeps the truth at every point, and what is implied holds."""

import random

import numpy as np
import pytest
from values import assignments, holds, integer

from sparse_attn.lowering.analysis import ints, predicate
from sparse_attn.lowering.analysis.graph import Value
from sparse_attn.lowering.analysis.ints import Sym, Var, of
from sparse_attn.lowering.analysis.predicate import (
    FALSE,
    TRUE,
    Ge,
    Leaf,
    Member,
    Not,
    and_,
    compare,
    ge,
    implies,
    not_,
    or_,
    rebuild,
)  # fmt: skip
from sparse_attn.lowering.normalize.term import Elem

S, J, U = Var("s", of(3)), Var("j", of(4)), Var("u", of(1))
N = Sym("n", 1)
MASK = Value("", [], 0, (of(3), of(4)), "i1")
LEAF = Leaf(Elem(MASK, (of(S), of(J))))
POINTS = [
    {**point, MASK: table}
    for point in assignments(S, J, U, N, most=4)
    for table in (np.eye(3, 4, dtype=bool), ~np.eye(3, 4, dtype=bool))
]
COMPARISONS = {
    "lt": lambda a, b: a < b, "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b,
}  # fmt: skip
SIDES = [of(S), of(J), of(U), of(N), of(S) + 1, of(J) - 1, of(J) * 2, of(0), of(2), ints.floordiv(of(J), of(2)),
         of(S) - N, ints.minimum(of(J), of(S)), of(3) - J]  # fmt: skip


def grown(rng, depth):
    """A random predicate and a function from a point to its truth."""
    if depth == 0 or rng.random() < 0.15:
        if rng.random() < 0.2:
            return LEAF, lambda point: holds(LEAF, point)
        name, a, b = rng.choice(list(COMPARISONS)), rng.choice(SIDES), rng.choice(SIDES)
        return compare(name, a, b), lambda point: COMPARISONS[name](integer(a, point), integer(b, point))
    kind = rng.choice(["and", "or", "not"])
    made, value = grown(rng, depth - 1)
    if kind == "not":
        return not_(made), lambda point: not value(point)
    other, other_value = grown(rng, depth - 1)
    if kind == "and":
        return and_(made, other), lambda point: value(point) and other_value(point)
    return or_(made, other), lambda point: value(point) or other_value(point)


@pytest.mark.parametrize("seed", range(40))
def test_simplification_keeps_the_truth(seed):
    rng = random.Random(seed)
    for _ in range(15):
        made, value = grown(rng, 3)
        for point in POINTS:
            assert holds(made, point) == value(point), made
        if made in (TRUE, FALSE):
            assert {value(point) for point in POINTS} == {made == TRUE}


@pytest.mark.parametrize("seed", range(30))
def test_what_is_implied_holds(seed):
    rng = random.Random(500 + seed)
    made = [grown(rng, 2)[0] for _ in range(14)]
    for p in made:
        assert implies(p, p) and implies(FALSE, p) and implies(p, TRUE)
        for q in made:
            if implies(p, q):
                assert all(holds(q, x) for x in POINTS if holds(p, x)), f"{p} does not imply {q}"
            assert implies(and_(p, q), FALSE) in (True, False)
            if p == q:
                assert all(holds(p, x) == holds(q, x) for x in POINTS)


@pytest.mark.parametrize("seed", range(20))
def test_rebuilding_is_evaluation_at_the_substitute(seed):
    rng = random.Random(900 + seed)
    for _ in range(10):
        made, _ = grown(rng, 3)
        shifted = rebuild(made, lambda i: ints.substitute(i, J, of(3) - J))
        for point in POINTS:
            assert holds(shifted, point) == holds(made, {**point, J: 3 - point[J]})
        assert predicate.atoms(made) >= predicate.atoms(rebuild(made, lambda i: i))


def test_ranges_decide():
    assert ge(of(S)) == TRUE and ge(of(S) - 3) == FALSE and ge(of(S) - 1) == Ge(of(S) - 1)
    assert compare("lt", of(J), of(4)) == TRUE and compare("eq", of(U), of(0)) == TRUE


def test_the_stronger_bound_stays():
    strong, weak = ge(of(S) - J - 1), ge(of(S) - J)
    assert and_(strong, weak) == strong and implies(strong, weak) and not implies(weak, strong)
    assert and_(strong, not_(weak)) == FALSE


def test_a_leaf_and_its_negation():
    assert and_(LEAF, not_(LEAF)) == FALSE and or_(LEAF, not_(LEAF)) == TRUE and not_(not_(LEAF)) == LEAF
    assert not_(LEAF) == Not(LEAF)


def test_membership_moves_with_its_key_and_its_rows():
    entries = Elem(MASK, (of(S), of(Var("k", of(4)))))
    moved = rebuild(Member(of(J), entries), lambda i: ints.substitute(i, S, of(S) + 1))
    assert moved == Member(of(J), Elem(MASK, (of(S) + 1, of(Var("k", of(4))))))
    assert predicate.atoms(moved) == {S, J, Var("k", of(4))}
    assert str(Member(of(J), entries)).startswith("j in ")


def test_text_orders_its_parts():
    assert str(and_(ge(of(S) - J), LEAF)) == f"{LEAF} and j <= s"
    assert (str(TRUE), str(FALSE), str(or_(ge(of(S) - J - 1), LEAF))) == ("true", "false", f"({LEAF} or j <= s - 1)")
