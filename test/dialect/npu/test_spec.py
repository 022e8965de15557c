"""What a spec answers: attribute values, published forms, its plan, the order of its checks."""

import pytest
from npu_cases import make_call

from sparse_attn.dialect import npu
from sparse_attn.dialect.npu import SPECS, refusals
from sparse_attn.dialect.npu.build import build_op
from sparse_attn.dialect.npu.build import refusals as refusals_of_build
from sparse_attn.dialect.npu.spec import Lengths

INDEXER = SPECS["npu_vllm_quant_lightning_indexer"]
PLAN = SPECS["kv_quant_sparse_attn_sharedkv_metadata"]


def test_attributes_are_what_was_given_or_the_default():
    scalars = INDEXER.scalars({"sparse_count": 7, "cmp_ratio": None})
    assert scalars["sparse_count"] == 7 and scalars["cmp_ratio"] == 1 and scalars["layout_key"] == "BSND"


def test_a_published_form_is_found_by_namespace():
    assert INDEXER.variant("custom").qualified == "custom::npu_quant_lightning_indexer"
    assert INDEXER.variant("_C_ascend").qualified == "_C_ascend::npu_vllm_quant_lightning_indexer"
    with pytest.raises(KeyError, match="not published in namespace 'npu', only in"):
        INDEXER.variant("npu")


def test_a_published_call_says_what_it_can_and_no_more():
    older = SPECS["npu_quant_lightning_indexer"].published[1]
    spec = SPECS["npu_quant_lightning_indexer"]
    assert spec.to_variant(older, {"query": 1, "query_dtype": None}) == {"query": 1}
    with pytest.raises(ValueError, match="npu::npu_quant_lightning_indexer has no argument for query_dtype = 5"):
        spec.to_variant(older, {"query": 1, "query_dtype": 5})


def test_an_explicit_call_leaves_nothing_to_the_defaults_of_a_namespace():
    spec = SPECS["sparse_attn_sharedkv"]
    for namespace in ("custom", "_C_ascend"):
        found = spec.explicit(spec.variant(namespace), {"q": 1, "cmp_ratio": 4, "sinks": None})
        assert found["ori_win_left"] == 127 and found["cmp_ratio"] == 4 and found["q"] == 1
        assert {p.name for p in spec.schema.scalars} <= set(found)
    writer = SPECS["kv_compress_epilog"]
    found = writer.explicit(writer.variant("_C_ascend"), {"cache": 1, "x": 2, "slot_mapping": 3})
    assert found["quant_mode"] == 2 and found["layout"] == 1 and found["quant_group_size"] == 64


def test_the_plan_of_an_operator():
    assert INDEXER.metadata_op == "npu_vllm_quant_lightning_indexer_metadata"
    assert SPECS["npu_sparse_flash_attention"].metadata_op is None
    assert PLAN.metadata_op is None


def test_shape_errors_come_alone():
    """The rules behind c2 speak of shapes that agree, so a shape error hides them."""
    arguments = {"num_heads_q": 1, "num_heads_kv": 2, "head_dim": 1, "kv_quant_mode": 9}
    numbers = [f.number for f in PLAN.check(make_call(PLAN, "ascend950", arguments | {"seqused_kv": "int32 2 2"}))]
    assert numbers == ["c2"]
    numbers = [f.number for f in PLAN.check(make_call(PLAN, "ascend950", arguments | {"seqused_kv": "int32 2"}))]
    assert numbers == ["c4", "c5", "c6", "c7"]


def test_lengths_conventions():
    compressed = {name for name, spec in SPECS.items() if spec.lengths is Lengths.COMPRESSED}
    assert {"quant_lightning_indexer", "quant_sparse_flash_mla", "lightning_indexer", "sparse_flash_mla"} <= compressed
    assert not any("sharedkv" in name or name.startswith("npu_") or "compress" in name for name in compressed)


def test_what_needs_mlir_is_found_through_the_room():
    assert refusals is refusals_of_build
    assert npu.build_op is build_op and callable(npu.build_op)  # also after its module was imported
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        npu.nonsense  # noqa: B018
