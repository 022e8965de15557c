"""Integer expressions: every simplification keeps the value, and what is called proven holds."""

import random

import pytest
from values import assignments, integer

from sparse_attn.lowering.analysis import ints
from sparse_attn.lowering.analysis.ints import Fn, Int, Sym, Var, of

ROW, J, ONE_ONLY = Var("i", of(4)), Var("j", of(3)), Var("u", of(1))
N, M, FREE = Sym("n", 0), Sym("m", 2), Sym("f", None)
ATOMS = (ROW, J, ONE_ONLY, N, M, FREE)
POINTS = list(assignments(*ATOMS, most=4))

OPERATIONS = {
    "add": (Int.__add__, lambda a, b: a + b),
    "sub": (Int.__sub__, lambda a, b: a - b),
    "mul": (Int.__mul__, lambda a, b: a * b),
    "floordiv": (ints.floordiv, lambda a, b: a // b),
    "mod": (ints.mod, lambda a, b: a % b),
    "min": (ints.minimum, min),
    "max": (ints.maximum, max),
}


def grown(rng, depth):
    """A random expression and a function from a point to the value it must have."""
    if depth == 0 or rng.random() < 0.2:
        if rng.random() < 0.4:
            value = rng.choice([-7, -3, -1, 0, 1, 2, 3, 5, 8])
            return of(value), lambda point: value
        atom = rng.choice(ATOMS)
        return of(atom), lambda point: point[atom]
    name = rng.choice(list(OPERATIONS))
    make, meaning = OPERATIONS[name]
    left, left_value = grown(rng, depth - 1)
    right, right_value = grown(rng, depth - 1)
    if name in ("floordiv", "mod"):  # by what may divide: a positive constant or a symbol of at least two
        divisor = rng.choice([1, 2, 3, 4, M])
        right = of(divisor)
        right_value = (lambda point: point[M]) if divisor is M else (lambda point: divisor)
    return make(left, right), lambda point: meaning(left_value(point), right_value(point))


@pytest.mark.parametrize("seed", range(40))
def test_simplification_keeps_the_value_and_proofs_hold(seed):
    rng = random.Random(seed)
    for _ in range(25):
        made, value = grown(rng, 3)
        points = rng.sample(POINTS, 60)
        for point in points:
            assert integer(made, point) == value(point), made
        for shift in (-5, -1, 0, 1, 5):
            if ints.non_negative(made + shift):
                assert all(value(point) + shift >= 0 for point in points), f"{made} + {shift} is not proven"


@pytest.mark.parametrize("seed", range(20))
def test_equal_forms_are_equal_values_and_rebuilding_changes_nothing(seed):
    rng = random.Random(1000 + seed)
    made = [grown(rng, 2)[0] for _ in range(30)]
    for a in made:
        assert ints.rebuild(a, lambda atom: None) == a
        assert a - a == of(0) and a + 0 == a and a * 1 == a and a * 0 == of(0)
        for b in made:
            if a == b:
                assert all(integer(a, p) == integer(b, p) for p in rng.sample(POINTS, 20))


@pytest.mark.parametrize("seed", range(20))
def test_substitution_is_evaluation_at_the_substitute(seed):
    rng = random.Random(2000 + seed)
    for _ in range(20):
        made, _ = grown(rng, 3)
        by, _ = grown(rng, 1)
        replaced = ints.substitute(made, ROW, by)
        for point in rng.sample(POINTS, 20):
            inner = {**point, ROW: integer(by, point)}
            assert integer(replaced, point) == integer(made, inner)


def test_what_divides_comes_out_only_when_the_rest_fits():
    assert ints.floordiv(of(ROW) * 4 + J, of(4)) == of(ROW)
    assert ints.mod(of(ROW) * 4 + J, of(4)) == of(J)
    assert ints.floordiv(of(ROW) * 3 + ROW, of(3)) != of(ROW)
    assert ints.floordiv(of(FREE), of(FREE)) == of(1)


def test_a_product_distributes():
    assert (of(N) - 1) * M == of(N) * M - M
    assert of(N) * M == of(M) * N


@pytest.mark.parametrize(
    ("proven", "expression"),
    [
        (True, of(ROW)),
        (True, of(3) - ROW),
        (False, of(2) - ROW),
        (True, of(M) - 2),
        (False, of(M) - 3),
        (False, of(FREE)),
        (False, of(FREE) * -1),
        (True, ints.floordiv(of(N), of(4))),
        (True, of(N) - ints.floordiv(of(N), of(4)) * 4),
        (False, of(N) - ints.floordiv(of(N), of(4)) * 5),
        (True, ints.maximum(of(FREE), of(0))),
        (False, ints.maximum(of(FREE), of(-1))),
        (False, ints.minimum(of(FREE), of(5))),
        (True, of(5) - ints.minimum(of(FREE), of(5))),
        (False, of(Fn("floordiv", (of(N), of(-2))))),
        (False, of(Fn("floordiv", (of(N), of(FREE))))),
        (False, of(Fn("mod", (of(N), of(FREE))))),
        (True, of(Fn("mod", (of(FREE), of(M))))),
        (False, of(Fn("unheard", (of(1),)))),
        (False, ints.maximum(of(FREE), of(Sym("g", None))) + ((1 << 63) - 1)),
    ],
)
def test_what_is_proven_and_what_is_not(proven, expression):
    assert ints.non_negative(expression) is proven


def test_a_variable_of_one_value_does_not_empty_an_extreme():
    assert ints.minimum(of(ONE_ONLY), of(0)) in (of(ONE_ONLY), of(0))
    assert ints.maximum(of(0), of(ONE_ONLY)) in (of(ONE_ONLY), of(0))


def test_atoms_reach_into_functions():
    assert ints.atoms(ints.floordiv(of(ROW) + N, of(4)) + M) == {Fn("floordiv", (of(ROW) + N, of(4))), ROW, N, M}


def test_text():
    assert str(of(ROW) * 2 - J + 3) == "2*i - j + 3"
    assert str(ints.floordiv(of(N), of(4))) == "(n)//4"
    assert str(of(0)) == "0"
