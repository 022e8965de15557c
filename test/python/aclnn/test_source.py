"""The caller's C++: schemas, argument order, and what is left out."""

import dataclasses
import re

import pytest

from sparse_attn.aclnn.source import callable_specs, cpp, schema_of
from sparse_attn.dialect.npu import SPECS
from sparse_attn.dialect.npu.aclnn import aclnn_arguments
from sparse_attn.dialect.npu.schema import parse_schema

CALLED = [spec.name for spec in callable_specs(SPECS.values())]


def function(name):
    (text,) = re.findall(rf"void run_{name}\(.*?\n}}", cpp([SPECS[name]]), re.DOTALL)
    return text


@pytest.mark.parametrize("name", CALLED)
def test_c_arguments_have_the_published_types_and_order(name):
    spec, text = SPECS[name], function(name)
    (types,) = re.findall(r"caller\.run<(.*)>\(", text)
    assert types.split(", ") == [argument.c_type for argument in aclnn_arguments(spec)]
    values = text.partition("caller.run<")[2].partition(">(\n")[2].rpartition(");")[0].split(",\n")
    assert len(values) == len(aclnn_arguments(spec))


@pytest.mark.parametrize("name", CALLED)
def test_each_tensor_has_its_place_in_the_list_of_types(name):
    spec = SPECS[name]
    places = [int(place) for place in re.findall(r"caller\.tensor\(\w+, (\d+)\)", function(name))]
    assert spec.aclnn is not None
    given = [param for param in spec.schema.tensors if param.name not in spec.aclnn.dropped]
    assert sorted(places) == list(range(len(given) + len(spec.results)))


def test_the_schema_holds_arguments_results_and_types():
    text = schema_of(SPECS["npu_lightning_indexer"])
    assert text.startswith("npu_lightning_indexer(Tensor? query, Tensor? key, Tensor? weights, ")
    assert text.endswith("Tensor(r0!)? result_0, Tensor(r1!)? result_1, int[] types) -> ()")


def test_a_written_argument_is_marked_and_words_are_numbers():
    text = schema_of(SPECS["kv_compress_epilog"])
    assert "Tensor(a0!)? cache" in text and "int quant_mode" in text
    assert parse_schema(SPECS["kv_compress_epilog"].schema.text)["quant_mode"].kind == "str"


def test_strides_come_from_their_tensors():
    assert "caller.stride(ori_kv)" in function("kv_quant_sparse_attn_sharedkv")


def test_what_has_no_function_of_its_own_is_left_out():
    spec = SPECS["npu_lightning_indexer"]
    silent = dataclasses.replace(spec, name="silent", aclnn=None)
    other = dataclasses.replace(spec.aclnn, arguments=SPECS["sparse_flash_mla"].aclnn.arguments)
    double = dataclasses.replace(SPECS["sparse_flash_mla"], name="double", aclnn=dataclasses.replace(
        SPECS["sparse_flash_mla"].aclnn, function=other.function))  # fmt: skip
    assert callable_specs([spec, silent]) == [spec]
    assert callable_specs([spec, double]) == []
