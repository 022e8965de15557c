"""The limit is the best rate of the sizes."""

import pytest
import torch

from sparse_attn.tools.bench import limit
from sparse_attn.tools.bench.limit import Machine


@pytest.fixture
def times(monkeypatch):
    """Says how long calls take; the products are made all the same."""
    monkeypatch.setitem(limit.SIZES, "quick", (8, 16))

    def take(seconds):
        left = iter(seconds)
        monkeypatch.setattr(limit, "timed", lambda work: (work(), next(left))[1])
        return left

    return take


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16, torch.int8])
def test_the_best_rate_counts(dtype, times):
    times([4e-3] * (limit.TRIES - 1) + [2e-3] + [1e-3] * limit.TRIES)
    assert limit.rate(dtype, "quick") == 2 * 16**3 / 1e-3


def test_a_product_that_would_take_long_is_not_made(times):
    left = times([1.0] * 2 * limit.TRIES)
    assert limit.rate(torch.float32, "quick") == 2 * 8**3
    assert len(list(left)) == limit.TRIES


def test_bandwidth_is_that_of_the_fastest_read(times, monkeypatch):
    monkeypatch.setattr(limit, "READ_BYTES", 4000)
    times([4e-3] * (limit.TRIES - 1) + [2e-3])
    assert limit.bandwidth() == 4000 / 2e-3


def test_what_takes_longer_binds():
    machine = Machine({"fp32": 100.0, "bf16": 10.0, "fp16": 400.0, "int8": 1.0}, 50.0)
    assert machine.least(200.0, 50.0, "fp32") == (2.0, "arithmetic")
    assert machine.least(200.0, 150.0, "fp32") == (3.0, "bandwidth")


def test_a_format_may_be_widened_to_fp32():
    machine = Machine({"fp32": 100.0, "bf16": 10.0, "fp16": 400.0, "int8": 1.0}, 50.0)
    assert (machine.rate("bf16"), machine.rate("fp16")) == (100.0, 400.0)


def test_every_limit_of_a_machine(monkeypatch):
    monkeypatch.setattr(limit, "rate", lambda dtype, level: 7.0)
    monkeypatch.setattr(limit, "bandwidth", lambda: 9.0)
    assert limit.machine("quick") == Machine(dict.fromkeys(("fp32", "bf16", "fp16", "int8"), 7.0), 9.0)
