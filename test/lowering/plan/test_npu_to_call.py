"""Kernel ops as C calls: compiled with upstream passes, run against the host library, equal to the torch operators."""

import ctypes
import os
import pathlib
import subprocess
import sys

import numpy as np
import torch
from contracts import Case, v4
from run_ir import inputs, run
from torch_mlir import ir, passmanager
from torch_mlir.execution_engine import ExecutionEngine
from torch_mlir.runtime import get_ranked_memref_descriptor, make_nd_memref_descriptor, ranked_memref_to_numpy

from sparse_attn.lowering.host import library
from sparse_attn.lowering.passes import PASSES, all_passes

TO_LLVM = (
    "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}",
    "expand-strided-metadata", "convert-scf-to-cf", "convert-cf-to-llvm", "finalize-memref-to-llvm",
    "convert-arith-to-llvm", "convert-func-to-llvm", "reconcile-unrealized-casts",
)  # fmt: skip


def called(text, target="a3"):
    """The module with its kernels chosen and turned into calls."""
    all_passes()
    case = Case(text)
    select = PASSES["sparse-attn-select"]
    with case.context:
        select.run(case.module, {**select.options, "target": target})
        for name in ("plan", "prune", "npu-to-call"):
            PASSES[f"sparse-attn-{name}"].run(case.module, PASSES[f"sparse-attn-{name}"].options)
    assert case.module.operation.verify()
    return case


def executed(case, tensors, shape, dtype=np.float16):
    """Compile `@f` and run it."""
    with case.context:
        function = next(v for v in case.module.body.operations if v.operation.attributes["sym_name"].value == "f")
        function.operation.attributes["llvm.emit_c_interface"] = ir.UnitAttr.get()
        passmanager.PassManager.parse(f"builtin.module({','.join(TO_LLVM)})").run(case.module.operation)
        engine = ExecutionEngine(case.module, opt_level=0, shared_libs=[str(library.find())])
    result = make_nd_memref_descriptor(len(shape), ctypes.c_int16 if dtype == np.float16 else ctypes.c_int32)()
    given = [get_ranked_memref_descriptor(t.numpy()) for t in tensors.values()]
    engine.invoke("f", *[ctypes.pointer(ctypes.pointer(x)) for x in (result, *given)])
    return torch.from_numpy(ranked_memref_to_numpy([result]).view(dtype).copy())


def test_an_attention_and_its_plan():
    text = v4("SWA", tokens=3, keys=40, dtype="f16")
    plain = Case(text)
    tensors = inputs(plain.module)
    wanted = run(plain.module, tensors)[0]
    found = executed(called(text), tensors, wanted.shape)
    torch.testing.assert_close(found, wanted, rtol=2**-7, atol=1e-3)


INDEXER = """
func.func @f(%q: tensor<1x4x5x128xf16>, %k: tensor<1x9x1x128xf16>, %w: tensor<1x4x5xf32>) -> tensor<1x3x1x6xi32> {
  %some = tensor.extract_slice %q[0, 1, 0, 0] [1, 3, 5, 128] [1, 1, 1, 1] : tensor<1x4x5x128xf16> to tensor<1x3x5x128xf16>
  %weights = tensor.extract_slice %w[0, 1, 0] [1, 3, 5] [1, 1, 1] : tensor<1x4x5xf32> to tensor<1x3x5xf32>
  %i:2 = "npu.lightning_indexer"(%some, %k, %weights) {target = "host", topk = 6 : i64, mask_mode = 3 : i64,
    operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (tensor<1x3x5x128xf16>, tensor<1x9x1x128xf16>, tensor<1x3x5xf32>) -> (tensor<1x3x1x6xi32>, tensor<0xf32>)
  return %i#0 : tensor<1x3x1x6xi32>
}
"""  # noqa: E501


def direct(text):
    """A module that holds kernel ops, turned into calls."""
    all_passes()
    case = Case(text)
    with case.context:
        PASSES["sparse-attn-npu-to-call"].run(case.module, {"threads": 2})
    return case


def test_slices_are_passed_by_their_strides():
    tensors = inputs(Case(INDEXER).module)
    q, k, w = tensors.values()
    operator = torch.ops.cann_ops_transformer.lightning_indexer
    wanted = operator(q[:, 1:].contiguous(), k, w[:, 1:].contiguous(), 6, mask_mode=3)[0]
    found = executed(direct(INDEXER), tensors, wanted.shape, np.int32)
    assert torch.equal(found, wanted)


REFUSED = """
from torch_mlir import ir
import test_npu_to_call as t
case = t.direct(t.INDEXER)
function = [v for v in case.module.body.operations if len(v.operation.regions[0].blocks)][-1]
constants = [v.operation for v in function.operation.regions[0].blocks[0].operations if v.operation.name == "arith.constant"]
with case.context, ir.Location.unknown():
    mode = [c for c in constants if str(c.attributes["value"]) == "3 : i64"][-1]
    mode.attributes["value"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 7)
t.executed(case, t.inputs(t.Case(t.INDEXER).module), (1, 3, 1, 6), t.np.int32)
"""  # noqa: E501


def test_a_refused_call_says_why_and_stops():
    """The verifier would not let an odd mask mode through, so it is changed in the call."""
    path = os.pathsep.join([*filter(None, sys.path), str(pathlib.Path(__file__).parent)])
    command = [sys.executable, "-c", REFUSED]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=120, check=False, env=os.environ | {"PYTHONPATH": path}
    )
    assert done.returncode < 0, done.stderr
    assert "lightning_indexer was refused:" in done.stdout and "mask_mode" in done.stdout
