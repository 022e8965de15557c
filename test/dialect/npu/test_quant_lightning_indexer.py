"""Every constraint of quant_lightning_indexer, for each chip and each of its five quantisation modes."""

from npu_cases import ATLAS, Cases, make_call, refused, suite_of, tensor

from sparse_attn.dialect.npu import SPECS

BASE = SPECS["quant_lightning_indexer"].example  # what every chip accepts
FP8 = {
    "quant_mode": 1,
    "query": "float8_e4m3fn 2 3 8 128",
    "key": "float8_e4m3fn 9 16 1 128",
    "weights": "float32 2 3 8",
    "query_dequant_scale": "float32 2 3 8",
    "key_dequant_scale": "float32 9 16 1",
}
MX8 = FP8 | {
    "quant_mode": 3,
    "query_dequant_scale": "float8_e8m0fnu 2 3 8 2 2",
    "key_dequant_scale": "float8_e8m0fnu 9 16 1 2 2",
}
HIF8 = FP8 | {
    "quant_mode": 4,
    "query": "hifloat8 2 3 8 128",
    "key": "uint8 9 16 1 128",
    "query_dequant_scale": "float32 1",
    "key_dequant_scale": "float32 1",
}
MX4 = MX8 | {"quant_mode": 5, "query": "float4_e2m1fn_x2 2 3 8 64", "key": "uint8 9 16 1 64"}
PLAIN = {"layout_k": "BSND", "block_table": None, "seqused_k": None}
BATCHED = FP8 | PLAIN | {"key": "float8_e4m3fn 2 40 1 128", "key_dequant_scale": "float32 2 40 1"}
TND_Q = {
    "layout_q": "TND",
    "query": "int8 6 64 128",
    "weights": "float16 6 64",
    "query_dequant_scale": "float16 6 64",
    "cu_seqlens_q": "int32 3",
}
PACKED = {
    "quant_mode": 1,
    "layout_q": "TND",
    "layout_k": "TND",
    "query": "float8_e4m3fn 6 8 128",
    "key": "float8_e4m3fn 80 1 128",
    "weights": "float32 6 8",
    "query_dequant_scale": "float32 6 8",
    "key_dequant_scale": "float32 80 1",
    "block_table": None,
    "seqused_k": None,
    "cu_seqlens_q": "int32 3",
    "cu_seqlens_k": "int32 3",
}
RATIO = {"cmp_ratio": 4, "mask_mode": 3, "cmp_residual_k": "int32 2"}
NEW, ALL, BOTH = "ascend950", ("ascend950", "a3", "a2", "host"), ("ascend950", "host")


def heads(count: int) -> dict[str, str]:
    """INT8 with another number of query heads."""
    rows = {"weights": f"float16 2 3 {count}", "query_dequant_scale": f"float16 2 3 {count}"}
    return {"query": f"int8 2 3 {count} 128"} | rows


CASES = Cases(
    "quant_lightning_indexer",
    BASE,
    legal={
        "mode_1": (BOTH, FP8),
        "mode_3": (BOTH, MX8),
        "mode_4": (BOTH, HIF8),
        "mode_5": (BOTH, MX4),
        "batched_keys": (BOTH, BATCHED),
        "packed": (BOTH, PACKED),
        "packed_with_padding": (BOTH, PACKED | {"seqused_q": "int32 2", "seqused_k": "int32 2"}),
        "packed_queries_over_pages": (ALL, TND_Q),
        "compressed": (ALL, RATIO),
        "any_ratio": (BOTH, RATIO | {"cmp_ratio": 3}),
        "offset_and_values": (BOTH, {"output_idx_offset": "int32 2 3 1", "return_value": 1}),
        "one_head": (BOTH, heads(1)),
        "wide": (BOTH, {"topk": 8192}),
    },
    refused={
        "c1_other_product": refused("atlas_training", "Atlas training products, which no kernel here supports"),
        "c2_weights": refused("host", "weights has shape [2, 3, 32]", weights="float16 2 3 32"),
        "c2_mx_scale": refused(
            "host", "query_dequant_scale", **MX8 | {"query_dequant_scale": "float8_e8m0fnu 2 3 8 4 1"}
        ),
        "c2_whole_scale": refused("host", "key_dequant_scale", **HIF8 | {"key_dequant_scale": "float32 9 16 1"}),
        "c3_mode_1_is_e4m3": refused("host", "query is int8 where float8_e4m3fn", **FP8 | {"query": "int8 2 3 8 128"}),
        "c3_mode_2_is_int8": refused("host", "key is float8_e4m3fn where int8", key="float8_e4m3fn 9 16 1 128"),
        "c3_mode_2_weights": refused("host", "weights is float32 where float16", weights="float32 2 3 64"),
        "c3_mode_3_scale": refused(
            "host", "query_dequant_scale is float32", **MX8 | {"query_dequant_scale": "float32 2 3 8 2 2"}
        ),
        "c4_empty": refused("a3", "block_table is empty", block_table="int32 2 0"),
        "c5_head_size": refused("a2", "head size D is 64", query="int8 2 3 64 64", key="int8 9 16 1 64"),
        "c6_key_heads": refused("host", "key heads N2 is 2", key="int8 9 16 2 128", key_dequant_scale="float16 9 16 2"),
        "c7_heads": refused(NEW, "query heads N1 is 65", **heads(65)),
        "c8_heads": refused("a3", "query heads N1 is 32, not 64", **heads(32)),
        "c9_mode": refused("host", "quant_mode is 6", quant_mode=6),
        "c10_mode": refused("a2", "quant_mode is 1, not 2", **FP8),
        "c11_topk": refused("host", "topk is 0", topk=0),
        "c12_topk": refused(NEW, "topk is 8193", topk=8193),
        "c13_topk": refused("a3", "topk is 2049", topk=2049),
        "c14_ratio": refused("host", "cmp_ratio is 129", **RATIO | {"cmp_ratio": 129}),
        "c15_ratio": refused("a2", "cmp_ratio is 3, no power of two", **RATIO | {"cmp_ratio": 3}),
        "c16_layouts": refused("host", "BSND/PA_BSND", layout_k="PA_BSND"),
        "c17_pages_only": refused("a3", "layout_k is 'BSND', not PA_BBND", **BATCHED),
        "c18_offset": refused("a2", "output_idx_offset given on this chip", output_idx_offset="int32 2 3 1"),
        "c19_values": refused("a3", "return_value is 1", return_value=1),
        "c20_mask": refused("host", "mask_mode is 4", mask_mode=4),
        "c21_values": refused("host", "return_value is 2", return_value=2),
        "c22_longest": refused("host", "max_seqlen_q is -2", max_seqlen_q=-2),
        "c23_no_residual": refused("host", "cmp_residual_k missing", **RATIO | {"cmp_residual_k": None}),
        "c24_residual_at_ratio_1": refused("a2", "cmp_residual_k given with cmp_ratio 1", cmp_residual_k="int32 2"),
        "c24_residual_unmasked": refused(NEW, "or mask_mode 0", **RATIO | {"mask_mode": 0}),
        "c25_no_table": refused("host", "block_table missing", block_table=None),
        "c25_no_length": refused("host", "seqused_k missing", seqused_k=None),
        "c26_table": refused("host", "block_table given without", **BATCHED | {"block_table": "int32 2 4"}),
        "c27_no_sums": refused("host", "cu_seqlens_q missing", **TND_Q | {"cu_seqlens_q": None}),
        "c28_sums": refused("host", "cu_seqlens_q given", cu_seqlens_q="int32 3"),
        "c29_no_sums": refused("host", "cu_seqlens_k missing", **PACKED | {"cu_seqlens_k": None}),
        "c30_sums": refused("host", "cu_seqlens_k given", cu_seqlens_k="int32 3"),
        "c31_used": refused("a3", "seqused_q given with layout_q TND", **TND_Q | {"seqused_q": "int32 2"}),
        "c32_used": refused("a2", "seqused_k given with layout_k TND", **PACKED | {"seqused_k": "int32 2"}),
        "c33_no_plan": refused("a2", "metadata missing", metadata=None),
        "c34_batches": refused(
            "a3",
            "batches B is 65536",
            query="int8 65536 3 64 128",
            weights="float16 65536 3 64",
            query_dequant_scale="float16 65536 3 64",
            block_table="int32 65536 4",
            seqused_k="int32 65536",
        ),
        "c35_block": refused("a3", "size is 24", key="int8 9 24 1 128", key_dequant_scale="float16 9 24 1"),
        "c36_residual": refused(
            "host", "cmp_residual_k[0] is 4", **RATIO | {"cmp_residual_k": tensor("int32 2", [4, 0])}
        ),
        "c37_sums": refused("host", "ends with 7", **TND_Q | {"cu_seqlens_q": tensor("int32 3", [0, 3, 7])}),
        "c38_sums": refused("host", "starts with 2", **PACKED | {"cu_seqlens_k": tensor("int32 3", [2, 3, 80])}),
        "c39_used": refused("host", "seqused_q[0] asks for 4", seqused_q=tensor("int32 2", [4, 0])),
        "c40_used": refused("host", "seqused_k[1] asks for 41", **BATCHED | {"seqused_k": tensor("int32 2", [1, 41])}),
        "c41_table": refused("host", "block_table has 4 columns, 65 rows", seqused_k=tensor("int32 2", [65, 1])),
        "c42_offset": refused(NEW, "output_idx_offset holds 0", output_idx_offset=tensor("int32 2 3 1", 0)),
        "c43_fill_volume": refused(
            NEW,
            "seqused_q leaves 400000512 invalid entries",
            **PACKED
            | {
                "query": "float8_e4m3fn 781251 8 128",
                "weights": "float32 781251 8",
                "query_dequant_scale": "float32 781251 8",
                "seqused_q": tensor("int32 2", [0, 0]),
                "cu_seqlens_q": tensor("int32 3", [0, 0, 781251]),
            },
        ),
        "c44_query": refused(NEW, "query has strides", query=tensor("int8 2 3 64 128", strides=(24576, 128, 384, 1))),
        "c45_key": refused("a3", "key has strides", key=tensor("int8 9 16 1 128", strides=(4096, 128, 128, 1))),
        "c46_odd_scale": refused(
            NEW,
            "query_dequant_scale starts at storage element 3",
            **MX8 | {"query_dequant_scale": tensor("float8_e8m0fnu 2 3 8 2 2", offset=3)},
        ),
    },
)

test_base, test_legal, test_refused, test_complete = suite_of(CASES)


def test_interleaved_keys_and_scales_are_legal_on_950():
    """The upstream tests keep keys and their scales in one buffer; the same key is refused on Atlas (c45)."""
    assert CASES.findings(NEW, {"key": tensor("int8 9 16 1 128", strides=(4096, 128, 128, 1))}) == []


def test_the_fill_volume_is_counted_up_to_its_limit():
    packed = PACKED | {"cu_seqlens_q": tensor("int32 3", [0, 3, 6]), "seqused_q": tensor("int32 2", [0, 3])}
    assert CASES.findings(NEW, packed) == []


def test_results_follow_the_layout_of_the_query():
    for changes, indices, values in (
        ({}, (2, 3, 1, 512), (0,)),
        ({"return_value": 1}, (2, 3, 1, 512), (2, 3, 1, 512)),
        (PACKED | {"return_value": 1, "topk": 7}, (6, 1, 7), (6, 1, 7)),
    ):
        call = make_call(CASES.spec, "host", BASE | changes)
        assert CASES.spec.check(call) == []
        assert CASES.spec.result_facts(call) == [(indices, "int32"), (values, "bfloat16")]


def test_atlas_chips_have_one_set_of_limits():
    assert ATLAS == ("a3", "a2")
    for case, wanted in CASES.refused.items():
        if wanted.target in ATLAS:
            found = [{f.number for f in CASES.findings(chip, wanted.changes)} for chip in ATLAS]
            assert found[0] == found[1], case
