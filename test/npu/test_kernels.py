"""Every kernel operator on npu:0 gives the bits the CPU gives: the vendor's operators, and ours through the caller."""

import npu_kernels
import pytest
import torch

from sparse_attn.aclnn import build

ON_950 = npu_kernels.forms("ascend950")


@pytest.fixture(scope="module", autouse=True)
def caller():
    return build.build()


def test_there_are_operators_of_both_origins():
    origins = {npu_kernels.STATUS[name].origin for name in ON_950}
    assert origins == {"ours", "vendor"} and len(ON_950) > 8


def test_the_schemas_of_torch_npu_are_those_of_the_specs():
    vendor = {name: s.refusal for name, s in npu_kernels.STATUS.items() if s.origin == "vendor"}
    assert len(vendor) >= 4 and not any(vendor.values()), vendor


@pytest.mark.parametrize("qualified", ON_950)
def test_equal_to_the_cpu(qualified):
    assert npu_kernels.difference(qualified) == ""


ELSEWHERE = """
import torch, torch_npu
torch.npu.set_device(0)
import npu_kernels
found = {name: npu_kernels.difference(name) for name in npu_kernels.forms("a3", without="ascend950")}
assert found and not any(found.values()), found
print(len(found), "equal on", torch.npu.get_device_name(0))
"""


def test_equal_to_the_cpu_on_a3(child):
    assert "equal on Ascend910_93" in child(ELSEWHERE, ACLSIM_SOC="a3")


def test_a_kernel_of_another_chip_is_refused_by_its_constraint():
    (name, *_) = npu_kernels.forms("a3", without="ascend950")
    with pytest.raises(ValueError, match=rf"{name} \[c1\]"):
        npu_kernels.on("npu:0", name)


def test_strided_inputs_reach_the_kernel_as_they_are():
    q, k, w = torch.randn(2, 3, 64, 128), torch.randn(2, 1, 40, 128), torch.rand(2, 3, 64)
    q, k, w = (t.bfloat16() for t in (q, k, w))
    op = torch.ops.npu.npu_lightning_indexer
    here = op(q, k.transpose(1, 2).contiguous(), w, sparse_count=8)[0]
    there = op(q.npu(), k.npu().transpose(1, 2), w.npu(), sparse_count=8)[0]
    assert torch.equal(here, there.cpu())


UNBUILT = """
import torch, torch_npu
torch.npu.set_device(0)
import npu_kernels
from sparse_attn.aclnn import build
(name, *_) = [n for n in npu_kernels.forms("ascend950") if npu_kernels.STATUS[n].origin == "ours"]
try: npu_kernels.on("npu:0", name)
except build.NpuBuildError as e: print(e)
"""


def test_a_missing_build_says_what_to_run(child, tmp_path):
    out = child(UNBUILT, XDG_CACHE_HOME=str(tmp_path))
    assert "the aclnn caller for torch_npu 2.13.0 is not built" in out and "run `sparse-attn npu-build`" in out


def test_a_missing_function_names_the_places_that_were_searched(child):
    text = UNBUILT.replace("build.NpuBuildError", "NotImplementedError")
    out = child(text, ASCEND_CUSTOM_OPP_PATH="nowhere")
    assert "is in none of nowhere/op_api/lib/libcust_opapi.so, libcust_opapi.so, libopapi.so" in out
