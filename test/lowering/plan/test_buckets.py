"""Which bucket a call goes to."""

import itertools
import random

import pytest

from sparse_attn.lowering.plan.buckets import BadBuckets, Buckets, Grid


def test_any_list_gives_the_smallest_size_that_holds_the_call():
    draw = random.Random(1)
    for _ in range(200):
        given = [draw.randint(1, 40) for _ in range(draw.randint(1, 8))]
        buckets = Buckets.of("batch", given)
        assert list(buckets.sizes) == sorted(set(given))
        for size in range(45):
            assert buckets.fit(size) == min((b for b in given if b >= size), default=None)


def test_an_idle_call_takes_the_smallest():
    assert Buckets.of("batch", [8, 4]).fit(0) == 4


@pytest.mark.parametrize("given", [[], [0, 1], [-2], [1.5], ["4"], [True]])
def test_what_is_no_bucket_list(given):
    with pytest.raises(BadBuckets, match=r"batch buckets are .* such as"):
        Buckets.of("batch", given)


def test_a_grid_has_a_key_for_each_pair():
    grid = Grid(Buckets.of("batch", [1, 4]), Buckets.of("context", [128, 512]))
    assert grid.keys == list(itertools.product((1, 4), (128, 512)))
    assert grid.fit(2, 128) == (4, 128) and grid.fit(1, 129) == (1, 512) and grid.fit(0, 0) == (1, 128)
    assert grid.fit(5, 1) is None and grid.fit(1, 513) is None


def test_without_context_the_width_does_not_matter():
    grid = Grid(Buckets.of("batch", [1, 4]))
    assert grid.keys == [(1, None), (4, None)] and grid.fit(3, 10**6) == (4, None)
