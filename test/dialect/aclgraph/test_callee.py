"""What an operation of the dialect sees of the function it names."""

import pytest
from torch_mlir import ir

from sparse_attn.dialect.aclgraph import CaptureOp, ReplayOp
from sparse_attn.dialect.aclgraph.callee import found, missing
from sparse_attn.dialect.constraints import ConstraintError
from sparse_attn.dialect.fields import Symbol
from sparse_attn.dialect.registry import new_context
from sparse_attn.dialect.tensors import TensorInfo

MODULE = """
func.func @decode(%a: tensor<4x?xf32> {aclgraph.life = "rewritten"}, %b: i64) {
  %c = arith.constant 1 : i64
  return
}
func.func @main() {
  return
}
"""


@pytest.fixture
def main():
    """The block of @main in a fresh module."""
    context = new_context()
    with context, ir.Location.unknown():
        module = ir.Module.parse(MODULE)
        yield list(module.body.operations)[1].operation.regions[0].blocks[0]


def test_built_operations_name_their_function_as_a_symbol(main):
    op = CaptureOp.build(callee=Symbol("main"), batch=4, ip=ir.InsertionPoint.at_block_begin(main))
    assert str(op) == '"aclgraph.capture"() {batch = 4 : i64, callee = @main} : () -> ()'
    assert op.callee == "main" and op.context == 0 and op.streams == 1


def test_the_function_is_described(main):
    op = CaptureOp.build(callee=Symbol("decode"), ip=ir.InsertionPoint.at_block_begin(main))
    callee = found(op.call())
    assert callee.arguments == (TensorInfo((4, None), "f32"), None) and callee.lives == ("rewritten", None)
    assert callee.operations == ("arith.constant", "func.return") and not callee.captured


def test_a_capture_counts_for_what_stands_behind_it(main):
    begin = ir.InsertionPoint.at_block_begin(main)
    before = ReplayOp.build(callee=Symbol("decode"), ip=begin)
    CaptureOp.build(callee=Symbol("decode"), ip=begin)
    behind, other = (ReplayOp.build(callee=Symbol(name), ip=begin) for name in ("decode", "main"))
    assert [found(op.call()).captured for op in (before, behind, other)] == [False, True, False]


def test_a_name_without_a_function(main):
    op = ReplayOp.build(callee=Symbol("gone"), ip=ir.InsertionPoint.at_block_begin(main))
    assert missing(op.call()) and not missing(
        ReplayOp.build(callee=Symbol("main"), ip=ir.InsertionPoint.at_block_begin(main)).call()
    )


def test_a_text_is_no_symbol(main):
    with pytest.raises(ConstraintError, match=r"\[c1\] attribute `callee` must be str / symbol, got 'decode'"):
        CaptureOp.build(callee="decode", ip=ir.InsertionPoint.at_block_begin(main))
