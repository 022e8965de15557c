"""The limit is the best rate of the sizes."""

import pytest
import torch

from sparse_attn.tools.bench import limit


@pytest.fixture
def times(monkeypatch):
    """Says how long calls take; the products are made all the same."""
    monkeypatch.setitem(limit.SIZES, "quick", (8, 16))

    def take(seconds):
        left = iter(seconds)
        monkeypatch.setattr(limit, "timed", lambda work: (work(), next(left))[1])
        return left

    return take


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_the_best_rate_counts(dtype, times):
    times([4e-3] * (limit.TRIES - 1) + [2e-3] + [1e-3] * limit.TRIES)
    assert limit.rate(dtype, "quick") == 2 * 16**3 / 1e-3


def test_a_product_that_would_take_long_is_not_made(times):
    left = times([1.0] * 2 * limit.TRIES)
    assert limit.rate(torch.float32, "quick") == 2 * 8**3
    assert len(list(left)) == limit.TRIES
