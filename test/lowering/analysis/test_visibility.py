"""What a predicate says about one segment of keys."""

import pytest
from values import assignments, holds

from sparse_attn.lowering.analysis import ints
from sparse_attn.lowering.analysis.graph import Value
from sparse_attn.lowering.analysis.ints import Sym, Var, of
from sparse_attn.lowering.analysis.predicate import FALSE, TRUE, Leaf, Member, and_, ge, not_, or_
from sparse_attn.lowering.analysis.visibility import Visibility, read
from sparse_attn.lowering.normalize.term import Elem

S, J = Var("s", of(5)), Var("j", of(6))
N, M = Sym("n", 0), Sym("m", 0)
ROW, KEY = of(S), of(J)
MASK = Value("", [], 0, (of(5), of(6)), "i1")
LIST = Value("", [], 0, (of(5), of(2)), "si32")
LEAF, BIAS = Leaf(Elem(MASK, (ROW, KEY))), Leaf(Elem(MASK, (ROW, of(0))), bias=True)
MEMBER = Member(KEY, Elem(LIST, (ROW, of(Var("k", of(2))))))
CAUSAL, RECENT = ge(ROW - KEY), ge(KEY - ROW + 2)

RANGES = {
    "nothing": (TRUE, Visibility()),
    "causal": (CAUSAL, Visibility(upper=ROW)),
    "window": (and_(CAUSAL, RECENT), Visibility(upper=ROW, lower=ROW - 2)),
    "prefix": (ge(ints.floordiv(ROW + 1, of(4)) - 1 - KEY), Visibility(upper=ints.floordiv(ROW + 1, of(4)) - 1)),
    "runtime": (ge(of(N) - KEY), Visibility(upper=of(N))),
    "list": (and_(MEMBER, CAUSAL), Visibility(MEMBER, upper=ROW)),
    "leaves": (and_(LEAF, BIAS, CAUSAL), Visibility(upper=ROW, leaves=tuple(sorted((LEAF, BIAS), key=str)))),
}


@pytest.mark.parametrize("name", RANGES)
def test_conjuncts_are_sorted_by_what_they_bound(name):
    given, wanted = RANGES[name]
    found = read(given, KEY)
    assert found == wanted and found.proven == (not wanted.leaves)


@pytest.mark.parametrize("name", ["nothing", "causal", "window", "prefix"])
def test_the_range_is_the_predicate(name):
    given, _ = RANGES[name]
    for point in assignments(S, J):
        assert holds(read(given, KEY).predicate(KEY), point) == holds(given, point)


REFUSED = {
    "false": (FALSE, "it hides every key"),
    "row only": (ge(ROW - 1), "is neither a range of keys nor an index list"),
    "two lists": (and_(MEMBER, Member(KEY, Elem(LIST, (of(0), of(Var("k", of(2))))))), "is neither a range"),
    "list of other keys": (Member(KEY + 1, MEMBER.list), "is neither a range of keys nor an index list"),
    "not in a list": (not_(MEMBER), "`not j in "),
    "not a leaf": (not_(LEAF), "is neither a range"),
    "alternatives": (or_(CAUSAL, LEAF), "is neither a range"),
    "every second key": (ge(ROW - KEY * 2), "is neither a range"),
    "key inside a function": (ge(ROW - ints.floordiv(KEY, of(2))), "is neither a range"),
    "key inside and outside": (ge(ROW - KEY - ints.floordiv(KEY, of(2))), "is neither a range"),
    "unordered bounds": (and_(ge(of(N) - KEY), ge(of(M) - KEY)), "cannot be ordered"),
    "unordered lower bounds": (and_(ge(KEY - N), ge(KEY - M)), "cannot be ordered"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_fits_nowhere_is_said(name):
    given, reason = REFUSED[name]
    found = read(given, KEY)
    assert isinstance(found, str) and reason in found


def test_a_single_key_is_bounded_by_conditions_on_the_row():
    assert read(ge(ROW - 1), of(0)) == Visibility(upper=ROW - 1)
