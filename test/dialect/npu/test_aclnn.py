"""The two-phase call of every operator: each C argument has a source, each schema argument a place."""

import dataclasses

import pytest

from sparse_attn.dialect.npu import SPECS
from sparse_attn.dialect.npu.aclnn import Aclnn, aclnn_arguments, ambiguous_functions

CALLED = [name for name, spec in SPECS.items() if spec.aclnn]


@pytest.mark.parametrize("name", CALLED)
def test_no_argument_is_lost(name):
    spec = SPECS[name]
    arguments = aclnn_arguments(spec)
    passed = [a.source for a in arguments if a.role == "argument"]
    assert len(passed) == len(set(passed))
    assert set(passed) | set(spec.aclnn.dropped) == set(spec.schema.by_name)
    results = [a.source for a in arguments if a.role == "result"]
    assert results == [result.name for result in spec.results]
    assert all(a.source in spec.tensors for a in arguments if a.role == "stride0")


def names(operator):
    return [argument.name for argument in aclnn_arguments(SPECS[operator])]


def test_order_of_quant_sparse_flash_mla():
    got = names("quant_sparse_flash_mla")
    assert len(got) == 34 and got[:6] == ["q", "oriKv", "cmpKv", "qDescale", "oriKvDescale", "cmpKvDescale"]
    assert got[-5:] == ["layoutKv", "topkValueMode", "returnSoftmaxLse", "attnOut", "softmaxLseOut"]


def test_the_plan_is_an_input_here_and_the_output_there():
    main = {a.name: a for a in aclnn_arguments(SPECS["quant_lightning_indexer"])}
    plan = {a.name: a for a in aclnn_arguments(SPECS["quant_lightning_indexer_metadata"])}
    assert main["metadata"].role == "argument" and plan["metadata"].role == "result"


def test_quant_mode_moves_behind_the_lists_in_the_sharedkv_plan():
    got = names("kv_quant_sparse_attn_sharedkv_metadata")
    assert got.index("kvQuantMode") == got.index("cmpTopk") + 1


def test_only_the_compiled_operator_has_no_function():
    assert [name for name, spec in SPECS.items() if spec.aclnn is None] == ["sparse_compress_flash_attention"]


def test_orders_of_the_plans():
    """Lengths, then heads and sizes, then how keys are seen, then layouts; the plan comes last."""
    for name in (n for n in CALLED if n.endswith("_metadata")):
        spec, found = SPECS[name], aclnn_arguments(SPECS[name])
        tensors = [a.c_type.endswith("*") and a.role == "argument" and "char" not in a.c_type for a in found]
        assert tensors == sorted(tensors, reverse=True), name
        assert found[-1].role == "result" and len(found) == len(spec.schema.params) - len(spec.aclnn.dropped) + 1


def test_strides_follow_the_attributes_of_the_compressing_indexer():
    got = names("npu_vllm_quant_lightning_indexer")
    assert got[8:11] == ["metadata", "queryQuantMode", "keyQuantMode"]
    assert got[-6:] == ["cmpRatio", "returnValue", "stride", "scaleStride", "sparseIndices", "sparseValues"]


def test_strides_and_c_types():
    found = {a.name: a for a in aclnn_arguments(SPECS["kv_quant_sparse_attn_sharedkv"])}
    assert (found["oriKvStride0"].role, found["oriKvStride0"].source) == ("stride0", "ori_kv")
    assert found["softmaxScale"].c_type == "double" and found["layoutQ"].c_type == "char *"
    writer = {a.name: a for a in aclnn_arguments(SPECS["kv_compress_epilog"])}
    assert writer["cacheRef"].c_type == "aclTensor *" and writer["x"].c_type == "const aclTensor *"
    assert writer["quantMode"].c_type == "int64_t", "the mode is a word in torch and a number in C"


def test_an_argument_without_source_is_an_error():
    spec = dataclasses.replace(SPECS["compressor"], aclnn=Aclnn("aclnnCompressor", "x wkv unknownThing"))
    with pytest.raises(ValueError, match="nothing fills argument unknownThing"):
        aclnn_arguments(spec)


def test_a_function_of_two_argument_lists_is_ambiguous():
    one = SPECS["npu_lightning_indexer"]

    renamed = dataclasses.replace(
        SPECS["npu_sparse_flash_attention"],
        aclnn=dataclasses.replace(SPECS["npu_sparse_flash_attention"].aclnn, function=one.aclnn.function),
    )
    assert ambiguous_functions([one, renamed]) == {one.aclnn.function}
    assert ambiguous_functions([one, one, SPECS["compressor"]]) == set()
