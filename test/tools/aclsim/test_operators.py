"""The table of aclnn operators: read, refused with the line that is wrong, and written as C++."""

import pytest

from sparse_attn.tools.aclsim.generate import HERE
from sparse_attn.tools.aclsim.operators import cpp, parse

ADD = "Add(T self, T other, S alpha, O out) = aten::add.Tensor(self, other, alpha=alpha)"


def test_a_line_is_read():
    (add,) = parse(f"# a comment\n\n{ADD}\n")
    assert add.name == "Add" and add.aten == "aten::add.Tensor"
    assert add.arguments == (("T", "self"), ("T", "other"), ("S", "alpha"), ("O", "out"))
    assert add.given == (("", "self"), ("", "other"), ("alpha", "alpha"))
    assert add.outputs == ["out"]


def test_an_argument_that_is_written_counts_as_input_and_output():
    (zero,) = parse("InplaceZero(R self) = aten::zeros_like(self)")
    assert zero.outputs == ["self"] and zero.given == (("", "self"),)


WRONG = {
    "Add(T self) aten::add(self)": "line 1: .* is not of the form",
    "Add(T self, Q other, O out) = aten::add(self)": "'Q other' is not a type letter",
    "Add(T self, O out) = aten::add(self, other)": "line 1: other is no input argument of aclnnAdd",
    "Add(T self, O out) = aten::add(out)": "out is no input argument",
    f"{ADD}\n{ADD}": "line 2: aclnnAdd stands twice",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_line_is_refused(text):
    with pytest.raises(ValueError, match=WRONG[text]):
        parse(text)


def test_both_phases_are_written():
    text = cpp(parse(ADD))
    first = (
        "int32_t aclnnAddGetWorkspaceSize(const aclTensor *self_, const aclTensor *other_, const aclScalar *alpha_, "
    )
    assert first + "const aclTensor *out_, uint64_t *workspace, aclOpExecutor **executor)" in text
    assert '{{"", value(self_)}, {"", value(other_)}, {"alpha", value(alpha_)}}, {out_}, workspace, executor' in text
    assert "int32_t aclnnAdd(void *workspace, uint64_t bytes, aclOpExecutor *executor, aclrtStream stream)" in text


def test_what_is_not_used_has_no_name_and_what_must_be_zero_is_refused():
    text = cpp(parse("Copy(T self, z reduce, c cubeMathType, O out) = aten::clone(self)"))
    assert "int64_t reduce_, int8_t /*cubeMathType*/, " in text
    assert 'if (reduce_)\n    return refuse(Rule::unsupported, "aclnnCopy with reduce "' in text


def test_every_line_of_the_table_names_an_operator_of_torch():
    import torch

    for operator in parse((HERE / "opapi" / "operators.txt").read_text()):
        name, _, overload = operator.aten.partition(".")
        schemas = {schema.overload_name: schema for schema in torch._C._jit_get_schemas_for_operator(name)}
        assert overload in schemas, f"aclnn{operator.name}: {operator.aten} is no operator"
        arguments = {argument.name for argument in schemas[overload].arguments}
        assert {keyword for keyword, _ in operator.given if keyword} <= arguments, operator.name


def test_every_line_returns_what_its_outputs_take():
    import torch

    for operator in parse((HERE / "opapi" / "operators.txt").read_text()):
        name, _, overload = operator.aten.partition(".")
        (schema,) = (s for s in torch._C._jit_get_schemas_for_operator(name) if s.overload_name == overload)
        assert len(operator.outputs) == len(schema.returns), operator.name
