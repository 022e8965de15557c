"""The examples in docstrings are valid IR and survive printing."""

import io

import pytest
from torch_mlir import ir

from sparse_attn.dialect import registry
from sparse_attn.dialect.examples import examples

CASES = [
    pytest.param(op, text, id=f"{op.OPERATION_NAME}-{number}")
    for package in registry.DIALECTS
    for op in package.OPS
    for number, text in enumerate(examples(op))
]


@pytest.fixture(scope="module")
def context():
    return registry.new_context()


@pytest.mark.parametrize(("op", "text"), CASES)
def test_the_example_is_valid(op, text, context):
    module = ir.Module.parse(text, context)
    assert module.operation.verify()
    assert op.OPERATION_NAME in str(module)
    assert str(ir.Module.parse(str(module), context)) == str(module)


@pytest.mark.parametrize(("op", "text"), CASES)
def test_the_example_survives_bytecode(op, text, context):
    module = ir.Module.parse(text, context)
    with io.BytesIO() as file:
        module.operation.write_bytecode(file)
        again = ir.Module.parse(file.getvalue(), registry.new_context())
    assert str(again) == str(module)


def test_every_operation_has_an_example():
    for package in registry.DIALECTS:
        for op in package.OPS:
            assert examples(op), f"{op.OPERATION_NAME} has no ```mlir example in its docstring"


def test_examples_are_taken_out_of_a_docstring():
    class Two:
        """Text.

        ```mlir
        one
          indented
        ```

        ```
        not MLIR
        ```

        ```mlir
        two
        ```
        """

    assert examples(Two) == ["one\n  indented\n", "two\n"]
    assert examples(type("None_", (), {})) == []
