"""Attributes as Python values and back."""

from dataclasses import replace

import pytest
from torch_mlir import ir

from sparse_attn.dialect import attributes
from sparse_attn.dialect.fields import attr

FIELDS = tuple(
    replace(attr("for a test", default), name=name, type=type(default))
    for name, default in {"k": 1, "scale": 1.0, "deep": False, "mode": "up"}.items()
)


@pytest.fixture
def context():
    with ir.Context() as context:
        yield context


def test_written_values_read_back(context):
    values = {"k": -(2**63), "scale": 1e-300, "deep": True, "mode": 'with "quotes"'}
    written = attributes.write(FIELDS, values, context)
    assert attributes.read(FIELDS, written) == values
    assert [str(written[name].type) for name in ("k", "scale", "deep")] == ["i64", "f64", "i1"]


def test_an_int_may_stand_for_a_float(context):
    written = attributes.write(FIELDS[1:2], {"scale": 2}, context)
    assert str(written["scale"]) == "2.000000e+00 : f64"


def test_defaults_are_not_written(context):
    assert attributes.write(FIELDS, {"k": 1, "scale": 1.0, "deep": False, "mode": "up"}, context) == {}


def test_required_attributes_are_written(context):
    [required] = [replace(attr("for a test"), name="k", type=int)]
    assert str(attributes.write([required], {"k": 1}, context)["k"]) == "1 : i64"


@pytest.mark.parametrize("text", ["1 : i32", "1 : index", "1.0 : f64", "true", '"1"', "unit"])
def test_another_kind_is_malformed_and_shows_its_text(context, text):
    found = attributes.read(FIELDS[:1], {"k": ir.Attribute.parse(text)})["k"]
    assert isinstance(found, attributes.Malformed) and repr(found) == str(ir.Attribute.parse(text))


def test_undeclared_names_are_kept_for_the_verifier(context):
    found = attributes.read(FIELDS, {"x": ir.Attribute.parse("1"), attributes.SEGMENTS: ir.Attribute.parse("1")})
    assert list(found) == ["x"]
