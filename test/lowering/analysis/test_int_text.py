"""Sizes as torch prints them become expressions of the same value."""

import itertools

import pytest
from values import integer

from sparse_attn.lowering.analysis import int_text, ints
from sparse_attn.lowering.analysis.ints import Sym, of

TEXTS = [
    "7", "-3", "s0", "s0 + 1", "1 + s0", "4*((s0//4))", "s0 - s1", "-s0 + 2*s1", "Min(32, s0)", "Max(1, s0 - 4)",
    "(s0 + 3)//4", "Mod(s0, 4)", "PythonMod(s0, 3)", "s0*s1 - s1", "s0**2", "FloorDiv(s0, 2)", "(s0 % 3) + s1",
    "Min(8, Max(0, s0 - s1))",
]  # fmt: skip
MEANING = {"Min": min, "Max": max, "Mod": lambda a, b: a % b, "PythonMod": lambda a, b: a % b}


@pytest.mark.parametrize("text", TEXTS)
def test_text_and_value_agree(text):
    made = int_text.parse(text)
    for s0, s1 in itertools.product(range(7), range(4)):
        env = {"s0": s0, "s1": s1}
        assert integer(made, env) == eval(text, {**MEANING, "FloorDiv": lambda a, b: a // b}, env)


def test_least_values_are_kept():
    lows = (("s0", 2), ("u1", None))
    assert int_text.parse("s0", lows) == of(Sym("s0", 2))
    assert int_text.parse("u1", lows) == of(Sym("u1", None))
    assert ints.non_negative(int_text.parse("s0 - 2", lows))
    assert not ints.non_negative(int_text.parse("u1", lows))


@pytest.mark.parametrize("text", ["s0/2", "s0 & 1", "s0 if s1 else 2", "f(x=1)", "-(s0/2)"])
def test_what_is_not_understood_is_one_opaque_value_without_a_least(text):
    made = int_text.parse(text)
    assert not ints.non_negative(made) and not ints.non_negative(-made)


def test_an_unknown_function_stays_itself():
    made = int_text.parse("CeilToInt(s0)")
    assert str(made) == "CeilToInt(s0)" and not ints.non_negative(made)
    assert made == int_text.parse("CeilToInt(s0)")
