"""Recorded calls through the torch operators: each obeys every constraint of a 950 and gives the recorded result."""

import pytest

from sparse_attn.ops import kernel
from sparse_attn.tools.vector_calls import DOCUMENTED, OPERATORS, check


@pytest.mark.vectors(*OPERATORS)
def test_the_recorded_result(vector):
    outcome = check(vector)
    assert outcome.problem is None
    assert outcome.refused == DOCUMENTED.get((vector.op, vector.case))


@pytest.mark.vectors(*OPERATORS)
def test_another_number_is_not_the_recorded_result(vector):
    """What the comparison above would not accept."""
    name = next(iter({"sparse_indices", "attn_out", "attention_out", "cache"} & set(vector.outputs)))
    numbers = vector.outputs[name].reshape(-1)
    numbers = numbers.view(f"u{numbers.itemsize}")
    numbers[:9] ^= 0x4000 if numbers.itemsize == 2 else 0x40
    assert "times what is allowed" in check(vector).problem


def test_every_recorded_operator_is_one_of_ours():
    assert set(OPERATORS.values()) <= set(kernel.status())
