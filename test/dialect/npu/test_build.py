"""Building operations from names."""

import pytest
from npu_cases import context
from torch_mlir import ir

from sparse_attn.dialect.constraints import ConstraintError
from sparse_attn.dialect.npu import SPECS
from sparse_attn.dialect.npu.build import build_op, refusals

SPEC = SPECS["sparse_attn_sharedkv"]
TYPES = {
    "q": "tensor<2x?x64x512xbf16>",
    "ori_kv": "tensor<9x16x1x512xbf16>",
    "ori_block_table": "tensor<2x3xi32>",
    "seqused_kv": "tensor<2xi32>",
    "sinks": "tensor<64xf32>",
    "metadata": "tensor<1024xi32>",
}
SCALARS = {"softmax_scale": 0.5, "cmp_ratio": 1, "ori_win_left": 127, "cmp_mask_mode": None}


@pytest.fixture
def block():
    with context(), ir.Location.unknown():
        arguments = ", ".join(f"%{name}: {text}" for name, text in TYPES.items())
        module = ir.Module.parse(f"func.func @f({arguments}) {{ return }}")
        entry = module.body.operations[0].regions[0].blocks[0]
        yield module, dict(zip(TYPES, entry.arguments, strict=True)), ir.InsertionPoint.at_block_begin(entry)


def test_result_types_follow_and_defaults_are_left_out(block):
    module, operands, ip = block
    op = build_op(SPEC, "a3", operands, SCALARS, ip=ip)
    assert [str(result.type) for result in op.results] == ["tensor<2x?x64x512xbf16>", "tensor<0xf32>"]
    assert "ori_win_left" not in op.attributes and "cmp_mask_mode" not in op.attributes
    assert str(op.attributes["args"]) == '["q", "ori_kv", "ori_block_table", "seqused_kv", "sinks", "metadata"]'
    assert module.operation.verify()
    assert str(ir.Module.parse(str(module))) == str(module)


def test_the_number_of_the_broken_constraint_is_in_the_error(block):
    module, operands, ip = block
    before = str(module)
    with pytest.raises(ConstraintError, match=r"npu.sparse_attn_sharedkv \[c21\] on a3, ori_win_left is 64, not 127"):
        build_op(SPEC, "a3", operands, SCALARS | {"ori_win_left": 64}, ip=ip)
    assert str(module) == before


def test_refusals_are_told_without_building(block):
    _, operands, _ = block
    found = refusals(SPEC, "a2", operands | {"sinks": None}, SCALARS | {"cmp_ratio": 4})
    assert [finding.number for finding in found] == ["c14", "c18"]
    assert [finding.warning for finding in found] == [False, True]
    assert refusals(SPEC, "host", operands | {"sinks": None}, SCALARS | {"cmp_ratio": 4}) == []


def test_a_warning_does_not_stop_building(block):
    _, operands, ip = block
    assert build_op(SPEC, "a2", operands, SCALARS | {"cmp_ratio": 4}, ip=ip) is not None


def test_wrong_names_are_type_errors(block):
    _, operands, ip = block
    with pytest.raises(TypeError, match="has no argument query"):
        build_op(SPEC, "a3", operands | {"query": operands["q"]}, SCALARS, ip=ip)
    with pytest.raises(TypeError, match="needs q"):
        build_op(SPEC, "a3", {name: value for name, value in operands.items() if name != "q"}, SCALARS, ip=ip)
