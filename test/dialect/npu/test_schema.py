"""Schemas are read as published, and every spec accounts for every argument of every published form."""

import pytest

from sparse_attn.dialect.npu import SPECS
from sparse_attn.dialect.npu.schema import parse_schema


def test_every_kind_of_argument_is_read():
    schema = parse_schema(
        "f(Tensor(a!) x, Tensor? y, int k, *, int? n=None, float s=0, str mode='A', bool on=True, int m=None)"
        " -> (Tensor, Tensor)"
    )
    assert schema.name == "f" and schema.returns == 2 and schema.mutated == ("x",)
    assert [p.name for p in schema.tensors] == ["x", "y"] and schema["y"].optional
    assert schema["k"].must_be_given and not schema["k"].keyword_only
    assert schema["n"].keyword_only and schema["n"].default is None and not schema["n"].must_be_given
    assert schema["s"].default == 0.0 and isinstance(schema["s"].default, float)
    assert schema["mode"].default == "A" and schema["on"].default is True
    assert schema["m"].must_be_given, "None for a type that is not optional is no value"


def test_no_result_and_one_result():
    assert parse_schema("f(Tensor x) -> ()").returns == 0
    assert parse_schema("f(Tensor x) -> (Tensor)").returns == 1
    assert parse_schema("f(Tensor x) -> (Tensor out, Tensor lse)").returns == 2


@pytest.mark.parametrize(
    ("text", "says"), [("f(Tensor x)", "not a schema"), ("f(Tensor) -> Tensor", "argument 'Tensor'")]
)
def test_what_is_no_schema_is_refused(text, says):
    with pytest.raises(ValueError, match=says):
        parse_schema(text)


@pytest.mark.parametrize("name", SPECS)
def test_every_argument_has_its_table_row(name):
    spec = SPECS[name]
    assert set(spec.tensors) == {p.name for p in spec.schema.tensors}
    assert set(spec.attributes) == {p.name for p in spec.schema.scalars}
    assert len(spec.results) == spec.schema.returns
    assert all(row.about for row in spec.tensors.values()) and all(spec.attributes.values())


@pytest.mark.parametrize("name", SPECS)
def test_every_published_form_maps_to_the_spec(name):
    """Their arguments are ours under their names, or an extra with its fixed value; what they lack has a value."""
    spec = SPECS[name]
    for variant in spec.published:
        theirs = {variant.rename.get(p.name, p.name) for p in variant.schema.params if p.name not in variant.only}
        ours = set(spec.schema.by_name)
        assert theirs <= ours, variant.qualified
        optional = {p.name for p in spec.schema.params if p.optional and p.has_default}
        assert ours - theirs <= set(variant.fixed) | optional, variant.qualified
        returned = variant.schema.returns if variant.results is None else len(variant.results)
        assert returned == variant.schema.returns


@pytest.mark.parametrize("name", SPECS)
def test_constraints_are_numbered_without_a_gap_and_begin_alike(name):
    constraints = SPECS[name].constraints
    assert list(constraints) == [f"c{number}" for number in range(1, len(constraints) + 1)]
    assert constraints["c1"].says.startswith("Runs on ")
    assert constraints["c2"].says.startswith("Every tensor has the shape")
    assert constraints["c3"].says.startswith("Every tensor has a dtype")
    assert all(constraint.says and constraint.fix for constraint in constraints.values())


@pytest.mark.parametrize("name", SPECS)
def test_a_plan_exists_for_every_operator_that_takes_one(name):
    plan = SPECS[name].metadata_op
    assert plan is None or plan in SPECS
