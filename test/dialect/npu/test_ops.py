"""The dialect in a context: types, classes, purity, round trips."""

import os
import subprocess
import sys

import pytest
from npu_cases import context, make_call, mlir_text
from torch_mlir import ir, passmanager

from sparse_attn.dialect.npu import DIALECT, SPECS
from sparse_attn.dialect.npu.ops import OPS, result_names

PLAN = """func.func @f(%lengths: tensor<2xi32>) -> (tensor<1024xi32>, tensor<1024xi32>) {
  %a = "npu.kv_quant_sparse_attn_sharedkv_metadata"(%lengths) {operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>,
    target = "ascend950", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64,
    kv_quant_mode = 1 : i64}
    : (tensor<2xi32>) -> tensor<1024xi32>
  %b = "npu.kv_quant_sparse_attn_sharedkv_metadata"(%lengths) {operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>,
    target = "ascend950", num_heads_q = HEADS : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64,
    kv_quant_mode = 1 : i64}
    : (tensor<2xi32>) -> tensor<1024xi32>
  return %a, %b : tensor<1024xi32>, tensor<1024xi32>
}"""


def optimised(text: str, pipeline: str) -> str:
    with context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        passmanager.PassManager.parse(f"builtin.module({pipeline})").run(module.operation)
        return str(module)


def test_equal_plans_are_shared_and_others_are_not():
    assert optimised(PLAN.replace("HEADS", "64"), "cse").count("_metadata") == 1
    assert optimised(PLAN.replace("HEADS", "128"), "cse").count("_metadata") == 2


def test_an_unused_call_is_removed():
    text = PLAN.replace("HEADS", "128").replace("return %a, %b", "return %a, %a")
    assert optimised(text, "canonicalize").count("_metadata") == 1


@pytest.mark.parametrize("element", ["!npu.hif8", "!npu.fp4x2", "!npu.kv_row640"])
def test_the_types_are_tensor_elements(element):
    with context(), ir.Location.unknown():
        text = f"func.func private @f(tensor<2x?x{element}>)"
        assert text in str(ir.Module.parse(text))


def test_operands_have_names():
    arguments = {"num_heads_q": 64, "num_heads_kv": 1, "head_dim": 512, "kv_quant_mode": 1, "seqused_kv": "int32 2"}
    spec = SPECS["kv_quant_sparse_attn_sharedkv_metadata"]
    with context(), ir.Location.unknown():
        module = ir.Module.parse(mlir_text(spec, make_call(spec, "host", arguments)))
        op = module.body.operations[0].regions[0].blocks[0].operations[0]
        assert type(op) in OPS and op.SPEC is spec
        assert str(op.seqused_kv.type) == "tensor<2xi32>" and op.cu_seqlens_q is None
        assert str(op.metadata.type) == "tensor<1024xi32>"


def test_every_spec_has_its_operation():
    assert [op.SPEC for op in OPS] == list(SPECS.values())
    assert {op.OPERATION_NAME for op in DIALECT.operations} == {spec.op for spec in SPECS.values()}


def test_mutated_tensors_are_the_first_results():
    assert result_names(SPECS["indexer_quant_cache"]) == ("cache_out", "cache_scale_out")
    assert result_names(SPECS["compressor"]) == ("state_cache_out", "cmp_kv")


def test_specs_are_read_without_mlir():

    code = (
        "import sys, sparse_attn.dialect.npu as n; print(len(n.SPECS), any(m.startswith('torch') for m in sys.modules))"
    )

    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.stdout.split() == [str(len(SPECS)), "False"]
