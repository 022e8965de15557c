"""The grid of spellings: every legal combination is fused and equal to eager, every almost right one refused.

Every day a sample in which all pairs of parts meet; `make grid` takes the whole product and prints
counts.
"""

import collections
import itertools

import grid
import pytest
import zoo
from pairwise import pairwise

PARTS = (zoo.SCORES, zoo.MASKS, zoo.SELECTIONS, zoo.CONSUMERS)
WAYS = (grid.LEVELS, grid.SHAPES)


def name(point):
    return "-".join(x if isinstance(x, str) else x.__name__ for x in point)


@pytest.mark.parametrize("point", pairwise(*PARTS, *WAYS), ids=name)
def test_a_legal_combination_is_fused(point):
    problem = grid.problem(point[:4], *point[4:])
    assert problem is None, problem


@pytest.mark.parametrize("point", pairwise(list(zoo.DEFECTS), *PARTS[1:3], zoo.CONSUMERS, *WAYS), ids=name)
def test_an_almost_right_one_is_refused(point):
    defect, *parts, level, shapes = point
    scores = [s for s in zoo.SCORES if zoo.applies(defect, s)]
    score = scores[zoo.CONSUMERS.index(parts[2]) % len(scores)]
    problem = grid.not_refused(defect, (score, *parts), level, shapes)
    assert problem is None, problem


def test_all_pairs_meet():
    factors = ("abc", "de", "fghi")
    points = pairwise(*factors)
    for i, j in itertools.combinations(range(3), 2):
        assert {(p[i], p[j]) for p in points} == set(itertools.product(factors[i], factors[j]))
    assert len(points) < 24


def whole(points, judge):
    """Judge every point; counts, and the points that failed with what was said."""
    counts, failed = collections.Counter(), []
    for point in points:
        problem = judge(point)
        counts["as it must be" if problem is None else "not"] += 1
        failed += [] if problem is None else [f"{name(point)}\n{problem}"]
    return counts, failed


@pytest.mark.grid
def test_the_whole_grid():
    counts, failed = whole(itertools.product(*PARTS, *WAYS), lambda p: grid.problem(p[:4], *p[4:]))
    print(f"\nfused: {counts['as it must be']} of {counts.total()}")
    assert not failed, "\n\n".join(failed[:20])


@pytest.mark.grid
@pytest.mark.parametrize("defect", zoo.DEFECTS, ids=lambda f: f.__name__)
def test_the_whole_negative_grid(defect):
    counts, failed = whole(itertools.product(*PARTS, *WAYS), lambda p: grid.not_refused(defect, p[:4], *p[4:]))
    print(f"\nrefused for {defect.__name__}: {counts['as it must be']} of {counts.total()}")
    assert not failed, "\n\n".join(failed[:20])
