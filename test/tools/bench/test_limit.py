"""The limit is the best rate of the sizes."""

import pytest
import torch

from sparse_attn.tools.bench import limit


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_the_best_rate_counts(dtype, monkeypatch):
    monkeypatch.setitem(limit.SIZES, "quick", (8, 16))
    seconds = iter([*[4.0] * (limit.TRIES - 1), 2.0, *[1.0] * limit.TRIES])
    monkeypatch.setattr(limit, "timed", lambda work: (work(), next(seconds))[1])
    assert limit.rate(dtype, "quick") == max(2 * 8**3 / 2.0, 2 * 16**3 / 1.0)
