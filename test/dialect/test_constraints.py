"""Numbering, collecting and running constraints."""

import pytest

from sparse_attn.dialect.call import Call
from sparse_attn.dialect.constraints import ConstraintError, collect, constraint, number, run


class Example:
    @constraint
    def c10(call):
        """Never holds."""
        return "the last one is broken"

    @constraint
    def c9(call):
        """Holds where `fine`."""
        return None if call.fine else "not fine"

    def c11(self):
        """No constraint, only named like one."""


def call(fine):
    return Call({}, {"fine": fine})


def test_numeric_order():
    assert [number(each) for each in collect(Example, 9)] == [9, 10]


def test_numbers_without_a_gap():
    with pytest.raises(TypeError, match="from c5 without a gap"):
        collect(Example, 5)


def test_the_first_broken_one_is_reported_with_its_number():
    with pytest.raises(ConstraintError, match=r"^\[c9\] not fine$"):
        run(collect(Example, 9), call(fine=False))
    with pytest.raises(ConstraintError, match=r"^\[c10\] the last"):
        run(collect(Example, 9), call(fine=True))


def test_a_constraint_error_is_a_value_error():
    assert issubclass(ConstraintError, ValueError)


def test_a_constraint_has_a_number_and_a_sentence():
    def rule(call):
        """A sentence."""

    def c3(call):
        return None

    for function in (rule, c3):
        with pytest.raises(TypeError, match=r"is named c1, c2, \.\.\. and has a docstring"):
            constraint(function)
