"""Passes that look after the IR."""

import pytest
from torch_mlir import ir

from sparse_attn.dialect import registry
from sparse_attn.lowering import upkeep
from sparse_attn.lowering.passes import PassFailed

TEXT = """
module attributes {sparse_attn.symbols = "s0", other.kept} {
  func.func @f(%i: tensor<1x2x3xi32> {sparse_attn.dims = "a", other.kept})
      -> (tensor<1x2x8xi1> {sparse_attn.dims = "b"}) {
    %0 = "sparse_attn.selection"(%i) {extent = 8 : i64, sparse_attn.dims = "c", other.kept}
      : (tensor<1x2x3xi32>) -> tensor<1x2x8xi1>
    return %0 : tensor<1x2x8xi1>
  }
  func.func private @declared(i32 {sparse_attn.dims = "d"})
}
"""


@pytest.fixture
def module():
    return ir.Module.parse(TEXT, registry.new_context())


def test_strip_facts_removes_facts_alone(module):
    kept = str(module).count("other.kept")
    upkeep.strip_facts(module, {})
    assert module.operation.verify()
    text = str(module)
    assert "dims" not in text and "symbols" not in text
    assert text.count("other.kept") == kept == 3
    assert "extent = 8 : i64" in text and '"sparse_attn.selection"' in text


def test_strip_facts_twice_is_once(module):
    upkeep.strip_facts(module, {})
    once = str(module)
    upkeep.strip_facts(module, {})
    assert str(module) == once


def test_verify_accepts_valid_ir(module):
    before = str(module)
    upkeep.verify(module, {})
    assert str(module) == before


def test_verify_fails_on_a_broken_constraint(module):
    op = module.body.operations[0].regions[0].blocks[0].operations[0]
    with module.context:
        op.attributes["extent"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 9)
    with pytest.raises(PassFailed) as caught:
        upkeep.verify(module, {})
    assert "[c4] result `selected`" in str(caught.value.__cause__)
