"""Legal values of attributes."""

from dataclasses import replace

import pytest

from sparse_attn.dialect.fields import attr, operand, result


def field(kind, **options):
    return replace(attr("for a test", **options), name="x", type=kind)


@pytest.mark.parametrize(
    ("kind", "value"), [(int, 3), (int, -(2**63)), (float, 0.5), (float, 2), (bool, False), (str, "any")]
)
def test_legal_values(kind, value):
    assert field(kind).problem(value) is None


@pytest.mark.parametrize(
    ("kind", "value", "reason"),
    [
        (int, 3.0, "must be int / i64, got 3.0"),
        (int, True, "must be int / i64, got True"),
        (float, False, "must be float / f64, got False"),
        (float, "1", "must be float / f64, got '1'"),
        (bool, 1, "must be bool / i1, got 1"),
        (str, None, "must be str / string, got None"),
        (int, 2**63, "must fit in 64 bits"),
    ],
)
def test_wrong_kinds(kind, value, reason):
    assert f"attribute `x` {reason}" in field(kind).problem(value)


def test_choices_and_least():
    chosen = field(str, default="a", choices=("a", "b"))
    assert chosen.problem("b") is None
    assert chosen.problem("c") == "attribute `x` must be one of 'a', 'b', got 'c'"
    assert field(int, least=1).problem(1) is None
    assert field(int, least=1).problem(0) == "attribute `x` must be at least 1, got 0"


def test_required_means_without_default():
    assert attr("text").required
    assert not attr("text", None).required and not attr("text", 0).required


def test_tensor_fields():
    assert operand("B S", ("f32",), "text", keyword=True).keyword
    assert result("B S", "query", "text").dtypes == "query"
