"""Timing in turn."""

import pytest

from sparse_attn.tools.bench import measure
from sparse_attn.tools.bench.measure import PAIRS, Pairs


def test_ratio_and_spread():
    pairs = Pairs((1.0, 1.0, 2.0, 1.0, 1.0), (2.0, 3.0, 2.0, 9.0, 4.0))
    assert pairs.ratios == [1.0, 2.0, 3.0, 4.0, 9.0]
    assert pairs.ratio == 3.0 and pairs.spread == (2.0, 4.0)
    assert Pairs((1.0,) * 3, (1.0, 2.0, 3.0)).spread == (1.0, 3.0)


@pytest.mark.parametrize(("budget", "pairs"), [(0.0, PAIRS[0]), (1000.0, PAIRS[1])])
def test_calls_alternate(budget, pairs):
    calls = []
    found = measure.in_turn(lambda: calls.append("a"), lambda: calls.append("b"), budget)
    assert len(found.ours) == len(found.theirs) == pairs
    assert "".join(calls[:8]) == "ab" + "ab" + "ba" + "ab"
    assert calls.count("a") == calls.count("b") == pairs + 1
