"""Definitions without MLIR: schemas, signatures, inference; and the schemas torch registers."""

import pytest

from sparse_attn.dialect.call import Call
from sparse_attn.dialect.constraints import ConstraintError
from sparse_attn.dialect.sparse_attn import OPS, AttentionOp, CompressOp, TopkOp
from sparse_attn.dialect.tensors import TensorInfo

FLOAT = TensorInfo((2, 3, 8), "f32")


def test_a_schema_follows_the_fields():
    assert TopkOp.DEFINITION.torch_schema() == (
        'topk(Tensor scores, *, Tensor? visible=None, Tensor? mask=None, int k, str mask_mode="none", int ratio=1, '
        "int block=1, int local_blocks=0, bool sorted=True) -> (Tensor indices, Tensor values)"
    )


@pytest.mark.parametrize("op", OPS, ids=lambda op: op.OPERATION_NAME)
def test_torch_reads_every_schema_the_same(op):
    import torch

    text = op.DEFINITION.torch_schema()
    parsed = torch._C.parse_schema(text)
    assert [argument.name for argument in parsed.arguments] == list(op.DEFINITION.signature().parameters)
    defaults = {name: p.default for name, p in op.DEFINITION.signature().parameters.items() if p.default is not p.empty}
    assert {a.name: a.default_value for a in parsed.arguments if a.has_default_value()} == defaults


def test_inference_needs_no_context():
    definition = TopkOp.DEFINITION
    call = Call({"scores": FLOAT}, {"k": 5})
    definition.check(call)
    assert call.attributes["block"] == 1
    assert {name: str(info) for name, info in definition.infer(call).items()} == {
        "indices": "2x3x5xi32",
        "values": "2x3x5xf32",
    }


def test_sizes_left_open_stay_open():
    call = Call({"kv": TensorInfo((1, None, 8), "bf16"), "gate": TensorInfo((None, None, 8), "f32")}, {"ratio": 4})
    CompressOp.DEFINITION.check(call)
    assert str(CompressOp.DEFINITION.infer(call)["rows"]) == "1x?x8xbf16"


def test_a_missing_required_operand_is_named():
    with pytest.raises(ConstraintError, match=r"\[c2\] operand `scores` is required"):
        TopkOp.DEFINITION.check(Call({}, {"k": 5}))


def test_results_are_compared_only_when_given():
    query, keys = TensorInfo((2, 3, 4, 8), "f16"), TensorInfo((2, 5, 1, 8), "f16")
    operands = {"query": query, "ori_kv": keys}
    AttentionOp.DEFINITION.check(Call(dict(operands), {}))
    wrong = {"out": query, "lse": TensorInfo((0,), "f16")}
    with pytest.raises(ConstraintError, match=r"\[c4\] result `lse` must be tensor<0xf32>, is tensor<0xf16>"):
        AttentionOp.DEFINITION.check(Call(dict(operands), {}, wrong))
