"""What the operators say for NPU tensors before anything is built or called (the calls themselves: test/npu)."""

import pytest
import torch
from kernel_inputs import for_variant

from sparse_attn.aclnn import build, caller
from sparse_attn.dialect.npu import SPECS
from sparse_attn.ops import kernel_schema


def call(name):
    spec = SPECS[name]
    return caller.on_npu(spec, spec.published[0], **for_variant(spec, spec.published[0]))


def test_an_operator_without_a_published_function_says_what_to_install():
    with pytest.raises(
        NotImplementedError, match="sparse_compress_flash_attention has no published aclnn function: inst"
    ):
        call("sparse_compress_flash_attention")


def test_a_function_that_two_packages_publish_is_not_called():
    shared = {spec.name for spec in SPECS.values() if spec.aclnn and spec.aclnn.function in caller._shared()}
    assert shared == {name for name in shared if "compressor" in name} != set()
    for name in shared:
        with pytest.raises(NotImplementedError, match="which two packages publish with different arguments"):
            call(name)


def test_a_missing_build_is_an_error_that_names_the_command(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(build, "versions", lambda: ("2.13.0", "2.13.0"))
    with pytest.raises(build.NpuBuildError, match="run `sparse-attn npu-build`"):
        call("quant_sparse_flash_mla")


def test_byte_tensors_are_told_by_what_they_carry():
    from sparse_attn.dialect.npu.call import Call

    spec = SPECS["quant_sparse_flash_mla"]
    given = for_variant(spec, spec.published[0])
    assert caller._type(spec, Call("ascend950", {}, {}), "q", given) == caller.ACL_TYPES["hifloat8"]
    assert caller._type(spec, Call("ascend950", {}, {}), "sinks", given) == -1


def test_every_operator_of_ours_has_an_implementation_for_npu_tensors():
    from sparse_attn.ops import kernel

    for qualified, status in kernel.status().items():
        assert kernel_schema.has_kernel(qualified, kernel.NPU) == (status.refusal is None), qualified


def test_cpu_tensors_never_come_here(monkeypatch):
    monkeypatch.setattr(caller, "load", lambda: pytest.fail("a CPU call went to the NPU"))
    spec = SPECS["quant_sparse_flash_mla_metadata"]
    operator = torch.ops.cann_ops_transformer.quant_sparse_flash_mla_metadata
    assert operator(**for_variant(spec, spec.published[0])).device.type == "cpu"
