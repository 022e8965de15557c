"""The project's kernels as C++: argument order of the aclnn function outside, of the host kernel inside."""

import re

import pytest

from sparse_attn.dialect.npu import SPECS
from sparse_attn.dialect.npu.aclnn import aclnn_arguments
from sparse_attn.tools.aclsim.kernels import callable_specs, cpp

CALLED = [name for name, spec in SPECS.items() if spec.aclnn]


def body(name):
    return cpp([SPECS[name]])


def test_only_kernels_with_both_ends_are_written():
    found = [spec.name for spec in callable_specs(SPECS.values(), lambda name: name != "compressor")]
    assert "npu_lightning_indexer" in found and "quant_sparse_flash_mla" in found
    assert "compressor" not in found, "the host library has none"
    assert "sparse_compress_flash_attention" not in found, "no aclnn function is published"


@pytest.mark.parametrize("name", CALLED)
def test_arguments_are_those_of_the_aclnn_function(name):
    (parameters,) = re.findall(
        rf"{SPECS[name].aclnn.function}GetWorkspaceSize\((.*?), uint64_t \*workspace_", body(name)
    )
    assert [p.split()[-1] for p in parameters.split(", ")] == [a.name for a in aclnn_arguments(SPECS[name])]


@pytest.mark.parametrize("name", CALLED)
def test_the_host_kernel_is_given_its_schema(name):
    spec, text = SPECS[name], body(name)
    (passed,) = re.findall(rf"return sa_{name}\((.*), 1, error\);", text)
    readers = [part.split(".")[1].split("_at")[0] for part in passed.split(", ")]
    kinds = {"Tensor": "tensor", "int": "integer", "bool": "integer", "float": "real", "str": "text"}
    assert readers == [kinds[p.kind] for p in spec.schema.params] + ["result"] * len(spec.results)
    assert text.count("kernel_.tensor(") == len(spec.schema.tensors) + len(spec.results)


def test_plans_run_on_the_aicpu_and_kernels_on_the_cores():
    assert "Kind::aicpu" in body("quant_sparse_flash_mla_metadata")
    assert "Kind::aicore" in body("quant_sparse_flash_mla")


def test_words_that_c_takes_as_numbers_become_words_again():
    text = body("kv_compress_epilog")
    assert 'quantMode == 1 ? "fp8_e8m0"' in text and text.count(": nullptr") == 1


def test_strides_are_checked_against_their_tensors():
    assert 'kernel_.stride("oriKvStride0", oriKvStride0, oriKv);' in body("kv_quant_sparse_attn_sharedkv")


def test_what_the_function_has_not_is_its_default():
    assert 'kernel_.text("npu:0")' in body("kv_quant_sparse_attn_sharedkv_metadata")
    assert "kernel_.tensor(nullptr, false)" in body("npu_sparse_flash_attention"), "sinks"
    assert "cmpRatio == -1 ? 1 : cmpRatio" in body("kv_quant_sparse_attn_sharedkv_metadata")


def test_a_written_tensor_is_marked():
    assert "kernel_.tensor(cacheRef, true)" in body("kv_compress_epilog")
    assert "kernel_.tensor(x, false)" in body("kv_compress_epilog")
