"""Every constraint of lightning_indexer, the indexer without quantisation."""

from npu_cases import Cases, make_call, refused, suite_of, tensor

from sparse_attn.dialect.npu import SPECS

BASE = SPECS["lightning_indexer"].example
BATCHED = {"layout_k": "BSND", "k": "bfloat16 2 40 1 128", "block_table": None, "seqused_k": None}
TND_Q = {"layout_q": "TND", "q": "bfloat16 6 64 128", "w": "float32 6 64", "cu_seqlens_q": "int32 3"}
PACKED = TND_Q | BATCHED | {"layout_k": "TND", "k": "bfloat16 80 1 128", "cu_seqlens_k": "int32 3"}
RATIO = {"cmp_ratio": 4, "mask_mode": 3, "cmp_residual_k": "int32 2"}
NEW, ALL, BOTH = "ascend950", ("ascend950", "a3", "a2", "host"), ("ascend950", "host")
WIDE = {
    "q": "bfloat16 65536 3 64 128",
    "w": "float32 65536 3 64",
    "block_table": "int32 65536 4",
    "seqused_k": "int32 65536",
}
FILL = PACKED | {
    "q": "bfloat16 781251 64 128",
    "w": "float32 781251 64",
    "seqused_q": tensor("int32 2", [0, 0]),
    "cu_seqlens_q": tensor("int32 3", [0, 0, 781251]),
}


def heads(count: int) -> dict[str, str]:
    return {"q": f"bfloat16 2 3 {count} 128", "w": f"float32 2 3 {count}"}


CASES = Cases(
    "lightning_indexer",
    BASE,
    legal={
        "half": (ALL, {"q": "float16 2 3 64 128", "k": "float16 9 16 1 128"}),
        "batched": (BOTH, BATCHED),
        "packed": (BOTH, PACKED),
        "packed_queries": (ALL, TND_Q),
        "compressed": (ALL, RATIO),
        "few_heads": (BOTH, heads(8)),
        "interleaved_keys": ((NEW,), {"k": tensor("bfloat16 9 16 1 128", strides=(4096, 128, 128, 1))}),
    },
    refused={
        "c1_other_product": refused("atlas_training", "Atlas training products"),
        "c2_weights": refused("host", "w has shape [2, 3, 32]", w="float32 2 3 32"),
        "c3_weights": refused("host", "w is bfloat16", w="bfloat16 2 3 64"),
        "c4_empty": refused("a3", "block_table is empty", block_table="int32 2 0"),
        "c5_head_size": refused("a2", "head size D is 64", q="bfloat16 2 3 64 64", k="bfloat16 9 16 1 64"),
        "c6_key_heads": refused("host", "key heads N2 is 2", k="bfloat16 9 16 2 128"),
        "c7_heads": refused(NEW, "query heads N1 is 65", **heads(65)),
        "c8_heads": refused("a3", "query heads N1 is 32, not 64", **heads(32)),
        "c9_two_dtypes": refused("host", "q is bfloat16 and k is float16", k="float16 9 16 1 128"),
        "c10_query": refused(NEW, "q has strides", q=tensor("bfloat16 2 3 64 128", strides=(24576, 128, 384, 1))),
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
        "c24_residual": refused("a2", "cmp_residual_k given with cmp_ratio 1", cmp_residual_k="int32 2"),
        "c25_no_table": refused("host", "block_table missing", block_table=None),
        "c26_table": refused("host", "block_table given without", **BATCHED | {"block_table": "int32 2 4"}),
        "c27_no_sums": refused("host", "cu_seqlens_q missing", **TND_Q | {"cu_seqlens_q": None}),
        "c28_sums": refused("host", "cu_seqlens_q given", cu_seqlens_q="int32 3"),
        "c29_no_sums": refused("host", "cu_seqlens_k missing", **PACKED | {"cu_seqlens_k": None}),
        "c30_sums": refused("host", "cu_seqlens_k given", cu_seqlens_k="int32 3"),
        "c31_used": refused("a3", "seqused_q given with layout_q TND", **TND_Q | {"seqused_q": "int32 2"}),
        "c32_used": refused("a2", "seqused_k given with layout_k TND", **PACKED | {"seqused_k": "int32 2"}),
        "c33_no_plan": refused("a2", "metadata missing", metadata=None),
        "c34_batches": refused("a3", "batches B is 65536", **WIDE),
        "c35_block": refused("a3", "size is 24", k="bfloat16 9 24 1 128"),
        "c36_residual": refused(
            "host", "cmp_residual_k[0] is 4", **RATIO | {"cmp_residual_k": tensor("int32 2", [4, 0])}
        ),
        "c37_sums": refused("host", "ends with 7", **TND_Q | {"cu_seqlens_q": tensor("int32 3", [0, 3, 7])}),
        "c38_sums": refused("host", "starts with 2", **PACKED | {"cu_seqlens_k": tensor("int32 3", [2, 3, 80])}),
        "c39_used": refused("host", "seqused_q[0] asks for 4", seqused_q=tensor("int32 2", [4, 0])),
        "c40_used": refused("host", "seqused_k[1] asks for 41", **BATCHED | {"seqused_k": tensor("int32 2", [1, 41])}),
        "c41_table": refused("host", "block_table has 4 columns", seqused_k=tensor("int32 2", [65, 1])),
        "c42_offset": refused(NEW, "output_idx_offset holds -5", output_idx_offset=tensor("int32 2 3 1", -5)),
        "c43_fill_volume": refused(NEW, "seqused_q leaves 400000512", **FILL),
        "c44_key": refused("a3", "k has strides", k=tensor("bfloat16 9 16 1 128", strides=(4096, 128, 128, 1))),
    },
)

test_base, test_legal, test_refused, test_complete = suite_of(CASES)


def test_values_are_fp32_here():
    call = make_call(CASES.spec, "host", BASE | {"return_value": 1})
    assert CASES.spec.check(call) == []
    assert CASES.spec.result_facts(call)[1] == ((2, 3, 1, 512), "float32")
