"""Generators."""

from programs import fault

from sparse_attn.lowering.plan.legality import random_numbers


def test_random_numbers_are_refused():
    refusal = fault(random_numbers, random=True)
    assert "draws random numbers" in refusal.what and "sample outside" in refusal.instead
