"""Every constraint of sparse_flash_mla, the sibling of quant_sparse_flash_mla for bf16 and fp16 on all chips."""

import math

from npu_cases import Cases, make_call, refused, suite_of, tensor

from sparse_attn.dialect.npu import SPECS

PAGES = {
    "layout_kv": "PA_BBND",
    "ori_kv": "bfloat16 9 16 1 512",
    "ori_block_table": "int32 2 3",
    "seqused_ori_kv": "int32 2",
}
BASE = SPECS["sparse_flash_mla"].example  # what every chip accepts
CMP_PAGES = {"cmp_kv": "bfloat16 9 16 1 512", "cmp_block_table": "int32 2 1", "seqused_cmp_kv": "int32 2"}
HCA = CMP_PAGES | {"cmp_ratio": 128, "cmp_mask_mode": 3, "cmp_residual_kv": "int32 2"}
CSA = HCA | {"cmp_ratio": 4, "cmp_sparse_indices": "int32 2 3 1 512"}
PLAIN = {"layout_kv": "BSND", "ori_kv": "bfloat16 2 40 1 512", "ori_block_table": None, "seqused_ori_kv": None}
OPEN = PLAIN | {"ori_mask_mode": 0, "ori_win_left": -1, "ori_win_right": -1}
PLAIN_HCA = PLAIN | HCA | {"cmp_kv": "bfloat16 2 10 1 512", "cmp_block_table": None, "seqused_cmp_kv": None}
TND = PLAIN | {
    "layout_q": "TND",
    "layout_kv": "TND",
    "q": "bfloat16 6 64 512",
    "ori_kv": "bfloat16 80 1 512",
    "cu_seqlens_q": "int32 3",
    "cu_seqlens_ori_kv": "int32 3",
}
ORI_LIST = OPEN | {"ori_sparse_indices": "int32 2 3 1 5", "ori_topk_length": "int32 2 3 1"}
NEW, ALL, BOTH = "ascend950", ("ascend950", "a3", "a2", "host"), ("ascend950", "host")
HALF = {"q": "float16 2 3 64 512", "ori_kv": "float16 9 16 1 512"}

CASES = Cases(
    "sparse_flash_mla",
    BASE,
    legal={
        "half": (ALL, HALF),
        "hca": (ALL, HCA),
        "csa": (ALL, CSA),
        "csa_wide": (ALL, CSA | {"cmp_sparse_indices": "int32 2 3 1 1024"}),
        "batched": (ALL, PLAIN),
        "packed": (ALL, TND),
        "unmasked": (BOTH, OPEN),
        "any_ratio_any_width": (BOTH, CSA | {"cmp_ratio": 3, "cmp_sparse_indices": "int32 2 3 1 7"}),
        "original_list": (BOTH, ORI_LIST),
        "any_heads": (BOTH, {"q": "bfloat16 2 3 48 512", "sinks": "float32 48"}),
        "small_blocks": (BOTH, {"ori_kv": "bfloat16 9 1 1 512"}),
    },
    refused={
        "c1_other_product": refused("atlas_inference", "Atlas inference"),
        "c2_three_axes": refused("host", "ori_kv has shape", ori_kv="bfloat16 9 16 512"),
        "c3_quantised": refused("host", "q is hifloat8", q="hifloat8 2 3 64 512"),
        "c4_empty": refused("a3", "ori_block_table is empty", ori_block_table="int32 2 0"),
        "c5_head_size": refused("a2", "head size D is 256", q="bfloat16 2 3 64 256", ori_kv="bfloat16 9 16 1 256"),
        "c6_key_heads": refused("host", "key heads N2 is 2", ori_kv="bfloat16 9 16 2 512"),
        "c7_heads": refused(NEW, "query heads N1 is 129", q="bfloat16 2 3 129 512", sinks="float32 129"),
        "c8_layouts": refused("host", "BSND/PA_ND", layout_kv="PA_ND"),
        "c9_two_dtypes": refused("host", "ori_kv is float16 and q is bfloat16", ori_kv="float16 9 16 1 512"),
        "c10_no_keys": refused("host", "ori_kv missing", ori_kv=None),
        "c11_no_sinks": refused("a3", "sinks missing", sinks=None),
        "c12_no_plan": refused("a2", "sparse_flash_mla_metadata", metadata=None),
        "c13_heads": refused("a2", "query heads N1 is 48", q="bfloat16 2 3 48 512", sinks="float32 48"),
        "c14_left_over": refused("a3", "cmp_ratio set without cmp_kv", cmp_ratio=4),
        "c15_ratio": refused("host", "cmp_ratio is 129", **HCA | {"cmp_ratio": 129}),
        "c16_mask": refused("host", "ori_mask_mode is 1", ori_mask_mode=1),
        "c17_mask": refused("host", "cmp_mask_mode is 4", **HCA | {"cmp_mask_mode": 4}),
        "c18_window": refused("host", "ori_win_left is -2", ori_win_left=-2),
        "c19_window": refused("host", "ori_win_right is -2", ori_win_right=-2),
        "c20_window": refused("host", "127/0 with ori_mask_mode 3", ori_mask_mode=3),
        "c21_no_residual": refused("host", "cmp_residual_kv missing", **HCA | {"cmp_residual_kv": None}),
        "c22_no_length": refused("host", "no ori_topk_length", **ORI_LIST | {"ori_topk_length": None}),
        "c23_masked_list": refused("a3", "ori_sparse_indices with mask modes 3/0", **ORI_LIST | {"ori_mask_mode": 3}),
        "c24_no_table": refused("host", "ori_block_table missing", ori_block_table=None),
        "c25_no_table": refused("host", "cmp_block_table missing", **HCA | {"cmp_block_table": None}),
        "c26_table": refused("host", "ori_block_table given without", **PLAIN | {"ori_block_table": "int32 2 3"}),
        "c27_no_length": refused("host", "seqused_ori_kv missing", seqused_ori_kv=None),
        "c28_no_length": refused("host", "seqused_cmp_kv missing", **HCA | {"seqused_cmp_kv": None}),
        "c29_no_sums": refused("host", "cu_seqlens_q missing", **TND | {"cu_seqlens_q": None}),
        "c30_no_sums": refused("host", "cu_seqlens_ori_kv missing", **TND | {"cu_seqlens_ori_kv": None}),
        "c31_no_sums": refused(
            "host", "cu_seqlens_cmp_kv missing", **PLAIN_HCA | TND | {"cmp_kv": "bfloat16 20 1 512"}
        ),
        "c32_sums": refused("host", "cu_seqlens_q given", cu_seqlens_q="int32 3"),
        "c33_sums": refused("host", "cu_seqlens_ori_kv given", cu_seqlens_ori_kv="int32 3"),
        "c34_block": refused(NEW, "size1 is 1025", ori_kv="bfloat16 9 1025 1 512"),
        "c35_block": refused(NEW, "size2 is 1025", **HCA | {"cmp_kv": "bfloat16 9 1025 1 512"}),
        "c36_table": refused("host", "ori_block_table has 3 columns", seqused_ori_kv=tensor("int32 2", [49, 1])),
        "c37_table": refused("host", "cmp_block_table", **HCA | {"seqused_cmp_kv": tensor("int32 2", [17, 1])}),
        "c38_topk_value_mode": refused("host", "topk_value_mode is 2", topk_value_mode=2),
        "c39_scale": refused("host", "softmax_scale is inf", softmax_scale=math.inf),
        "c40_sums": refused("host", "ends with 5", **TND | {"cu_seqlens_q": tensor("int32 3", [0, 3, 5])}),
        "c41_sums": refused("host", "ends with 79", **TND | {"cu_seqlens_ori_kv": tensor("int32 3", [0, 3, 79])}),
        "c42_sums": refused(
            "host",
            "ends with 19",
            **PLAIN_HCA | TND | {"cmp_kv": "bfloat16 20 1 512", "cu_seqlens_cmp_kv": tensor("int32 3", [0, 4, 19])},
        ),
        "c43_used": refused("host", "seqused_q[1] asks for 4", seqused_q=tensor("int32 2", [3, 4])),
        "c44_used": refused("host", "seqused_ori_kv[0]", **PLAIN | {"seqused_ori_kv": tensor("int32 2", [41, 3])}),
        "c45_used": refused("host", "seqused_cmp_kv[0]", **PLAIN_HCA | {"seqused_cmp_kv": tensor("int32 2", [11, 3])}),
        "c46_residual": refused(
            "host", "cmp_residual_kv[1] is 4", **CSA | {"cmp_residual_kv": tensor("int32 2", [3, 4])}
        ),
        "c47_hole": refused(
            "a2", "after a -1", **CSA | {"cmp_sparse_indices": tensor("int32 2 3 1 512", [-1, 2] + [-1] * 510)}
        ),
        "c48_hole": refused(
            NEW, "after a -1", **ORI_LIST | {"ori_sparse_indices": tensor("int32 2 3 1 5", [-1, 0, 1, 2, 3])}
        ),
        "c49_query": refused(NEW, "q has strides", q=tensor("bfloat16 2 3 64 512", strides=(98304, 512, 1536, 1))),
        "c50_block": refused("a3", "size1 is 24", ori_kv="bfloat16 9 24 1 512"),
        "c51_block": refused("a3", "size2 is 24", **HCA | {"cmp_kv": "bfloat16 9 24 1 512"}),
        "c52_window": refused("a2", "ori_win_left/right are 63/0", ori_win_left=63),
        "c53_ratio": refused("a3", "cmp_ratio is 4 in mode HCA, not 128", **HCA | {"cmp_ratio": 4}),
        "c53_mode": refused("a3", "the mode is ORI_SPARSE", **ORI_LIST),
        "c54_width": refused(
            "a2", "compressed list width K2 is 256", **CSA | {"cmp_sparse_indices": "int32 2 3 1 256"}
        ),
        "c55_keys": refused(
            "a3", "ori_kv has strides", ori_kv=tensor("bfloat16 9 16 1 512", strides=(16384, 512, 512, 1))
        ),
        "c56_mask": refused("a3", "ori_mask_mode is 0", **OPEN),
    },
)

test_base, test_legal, test_refused, test_complete = suite_of(CASES)


def test_the_output_has_the_dtype_of_the_query():
    call = make_call(CASES.spec, "host", BASE | HALF | {"return_softmax_lse": True})
    assert CASES.spec.check(call) == []
    assert CASES.spec.result_facts(call) == [((2, 3, 64, 512), "float16"), ((2, 1, 3, 64), "float32")]
