"""Every constraint of quant_sparse_flash_mla, with the call beside it that is legal."""

import math

from npu_cases import Cases, make_call, refused, suite_of, tensor

from sparse_attn.dialect.npu import SPECS

BASE = SPECS["quant_sparse_flash_mla"].example
COMPRESSED = {"cmp_kv": "hifloat8 2 10 1 512", "cmp_kv_descale": "float32 1", "cmp_ratio": 4}
HCA = COMPRESSED | {"cmp_mask_mode": 3, "cmp_residual_kv": "int32 2"}
PAGES = {
    "layout_kv": "PA_BBND",
    "ori_kv": "hifloat8 9 16 1 512",
    "ori_block_table": "int32 2 3",
    "seqused_ori_kv": "int32 2",
}
PAGED_HCA = HCA | PAGES | {"cmp_kv": "hifloat8 9 16 1 512", "cmp_block_table": "int32 2 1", "seqused_cmp_kv": "int32 2"}
TND = {
    "layout_q": "TND",
    "layout_kv": "TND",
    "q": "hifloat8 6 8 512",
    "ori_kv": "hifloat8 80 1 512",
    "cu_seqlens_q": "int32 3",
    "cu_seqlens_ori_kv": "int32 3",
}
LIST = HCA | {"cmp_sparse_indices": "int32 2 3 1 7"}
UNMASKED_LIST = LIST | {"cmp_mask_mode": 0, "cmp_residual_kv": None}
ORI_LIST = {"ori_sparse_indices": "int32 2 3 1 5", "ori_topk_length": "int32 2 3 1"}
CHIP, ALL = "ascend950", ("ascend950", "host")

CASES = Cases(
    "quant_sparse_flash_mla",
    BASE,
    legal={
        "bytes": (ALL, {"q": "uint8 2 3 8 512", "ori_kv": "uint8 2 40 1 512"}),
        "hca": (ALL, HCA),
        "csa": (ALL, LIST),
        "csa_unmasked_with_length": (ALL, UNMASKED_LIST | {"cmp_topk_length": "int32 2 3 1"}),
        "ori_sparse": (ALL, ORI_LIST),
        "pages": (ALL, PAGED_HCA),
        "pages_of_one_row": (ALL, PAGES | {"ori_kv": "hifloat8 9 1 1 512"}),
        "pages_need_no_length_with_list": (ALL, PAGES | ORI_LIST | {"seqused_ori_kv": None}),
        "packed": (ALL, TND),
        "packed_queries_over_pages": (
            ALL,
            PAGES | {"layout_q": "TND", "q": "hifloat8 6 8 512", "cu_seqlens_q": "int32 3"},
        ),
        "band": (ALL, {"ori_mask_mode": 4, "ori_win_left": 127, "ori_win_right": 0}),
        "open_band": (ALL, {"ori_mask_mode": 4}),
        "dynamic": (ALL, {"q": "hifloat8 ? ? 8 512", "ori_kv": "hifloat8 ? ? 1 512"}),
        "no_sinks_no_plan": (("host",), {"sinks": None, "metadata": None}),
    },
    refused={
        "c1_other_chip": refused("a3", "Atlas A3 training and inference products"),
        "c1_other_product": refused("atlas_200i_500_a2", "Atlas 200I/500 A2 inference products, which no kernel"),
        "c1_unknown": refused("gpu", "target is 'gpu', not one of host, ascend950, a3, a2"),
        "c2_rank": refused("host", "q has shape [6, 8, 512]: it has 3 axes", q="hifloat8 6 8 512"),
        "c2_heads_differ": refused(
            "host", "ori_kv has shape [2, 40, 1, 128]: axis 3 is 128", ori_kv="hifloat8 2 40 1 128"
        ),
        "c2_batch_differs": refused("host", "axis 0 is 3 where B = 2", ori_kv="hifloat8 3 40 1 512"),
        "c2_scale_per_token": refused("host", "q_descale", q_descale="float32 2"),
        "c2_list_shape": refused("host", "cmp_sparse_indices", **LIST | {"cmp_sparse_indices": "int32 2 3 7"}),
        "c3_plain_dtype": refused("host", "q is bfloat16 where hifloat8 or uint8", q="bfloat16 2 3 8 512"),
        "c3_long_list": refused(
            "host", "cmp_sparse_indices is int64", **LIST | {"cmp_sparse_indices": "int64 2 3 1 7"}
        ),
        "c4_empty": refused(CHIP, "ori_kv is empty", ori_kv="hifloat8 2 0 1 512"),
        "c5_head_size": refused(CHIP, "head size D is 256", q="hifloat8 2 3 8 256", ori_kv="hifloat8 2 40 1 256"),
        "c6_key_heads": refused("host", "key heads N2 is 2", ori_kv="hifloat8 2 40 2 512"),
        "c7_query_heads": refused(CHIP, "query heads N1 is 129", q="hifloat8 2 3 129 512", sinks="float32 129"),
        "c8_layouts": refused("host", "BSND/TND", **TND | {"layout_q": "BSND", "q": "hifloat8 2 3 8 512"}),
        "c8_old_page_name": refused("host", "BSND/PA_ND", layout_kv="PA_ND"),
        "c9_quant_mode": refused("host", "quant_mode is 2, not 1", quant_mode=2),
        "c10_no_keys": refused("host", "ori_kv missing", ori_kv=None),
        "c10_no_scale": refused("host", "q_descale missing", q_descale=None),
        "c11_no_sinks": refused(CHIP, "sinks missing", sinks=None),
        "c12_no_plan": refused(CHIP, "quant_sparse_flash_mla_metadata", metadata=None),
        "c13_no_compressed_scale": refused("host", "cmp_kv_descale missing", **HCA | {"cmp_kv_descale": None}),
        "c14_left_over_tensor": refused(CHIP, "seqused_cmp_kv set without cmp_kv", seqused_cmp_kv="int32 2"),
        "c14_left_over_ratio": refused(CHIP, "cmp_ratio set without cmp_kv", cmp_ratio=4),
        "c15_ratio_high": refused("host", "cmp_ratio is 129", **HCA | {"cmp_ratio": 129}),
        "c15_ratio_low": refused("host", "cmp_ratio is 0", **HCA | {"cmp_ratio": 0}),
        "c16_mask": refused("host", "ori_mask_mode is 1", ori_mask_mode=1),
        "c17_mask": refused("host", "cmp_mask_mode is 4", **HCA | {"cmp_mask_mode": 4}),
        "c18_window": refused("host", "ori_win_left is -2", ori_mask_mode=4, ori_win_left=-2),
        "c19_window": refused("host", "ori_win_right is -2", ori_mask_mode=4, ori_win_right=-2),
        "c20_window_without_band": refused(
            "host", "127/0 with ori_mask_mode 3", ori_mask_mode=3, ori_win_left=127, ori_win_right=0
        ),
        "c21_no_residual": refused("host", "cmp_residual_kv missing", **HCA | {"cmp_residual_kv": None}),
        "c22_list_without_length": refused("host", "no cmp_topk_length", **UNMASKED_LIST),
        "c22_ori_list_without_length": refused("host", "no ori_topk_length", **ORI_LIST | {"ori_topk_length": None}),
        "c23_masked_original_list": refused(
            CHIP, "ori_sparse_indices with mask modes 3/0", **ORI_LIST | {"ori_mask_mode": 3}
        ),
        "c23_length_alone": refused(CHIP, "ori_topk_length without its list", ori_topk_length="int32 2 3 1"),
        "c24_no_table": refused("host", "ori_block_table missing", **PAGES | {"ori_block_table": None}),
        "c25_no_compressed_table": refused("host", "cmp_block_table missing", **PAGED_HCA | {"cmp_block_table": None}),
        "c26_table_without_pages": refused(
            "host", "ori_block_table given without PA_BBND", ori_block_table="int32 2 3"
        ),
        "c27_no_length": refused("host", "seqused_ori_kv missing", **PAGES | {"seqused_ori_kv": None}),
        "c28_no_compressed_length": refused("host", "seqused_cmp_kv missing", **PAGED_HCA | {"seqused_cmp_kv": None}),
        "c29_no_sums": refused("host", "cu_seqlens_q missing", **TND | {"cu_seqlens_q": None}),
        "c30_no_key_sums": refused("host", "cu_seqlens_ori_kv missing", **TND | {"cu_seqlens_ori_kv": None}),
        "c31_no_compressed_sums": refused(
            "host",
            "cu_seqlens_cmp_kv missing",
            **HCA | TND | {"cmp_kv": "hifloat8 20 1 512", "cmp_residual_kv": "int32 2"},
        ),
        "c32_sums_without_tnd": refused("host", "cu_seqlens_q given", cu_seqlens_q="int32 3"),
        "c33_key_sums_without_tnd": refused("host", "cu_seqlens_ori_kv given", cu_seqlens_ori_kv="int32 3"),
        "c34_block_size": refused(CHIP, "size1 is 1025", **PAGES | {"ori_kv": "hifloat8 9 1025 1 512"}),
        "c35_block_size": refused(CHIP, "size2 is 1025", **PAGED_HCA | {"cmp_kv": "hifloat8 9 1025 1 512"}),
        "c36_narrow_table": refused(
            "host", "ori_block_table has 3 columns, 49 rows", **PAGES | {"seqused_ori_kv": tensor("int32 2", [3, 49])}
        ),
        "c37_narrow_table": refused(
            "host", "cmp_block_table has 1 columns", **PAGED_HCA | {"seqused_cmp_kv": tensor("int32 2", [17, 3])}
        ),
        "c38_topk_value_mode": refused("host", "topk_value_mode is 2", topk_value_mode=2),
        "c39_no_scale": refused("host", "softmax_scale is None", softmax_scale=None),
        "c39_infinite_scale": refused("host", "softmax_scale is inf", softmax_scale=math.inf),
        "c40_first": refused(
            "host", "cu_seqlens_q starts with 1", **TND | {"cu_seqlens_q": tensor("int32 3", [1, 3, 6])}
        ),
        "c40_decreasing": refused(
            "host", "decreases from 7 to 6", **TND | {"cu_seqlens_q": tensor("int32 3", [0, 7, 6])}
        ),
        "c40_last": refused(
            "host", "ends with 5 where T1 is 6", **TND | {"cu_seqlens_q": tensor("int32 3", [0, 3, 5])}
        ),
        "c41_last": refused("host", "ends with 79", **TND | {"cu_seqlens_ori_kv": tensor("int32 3", [0, 3, 79])}),
        "c42_last": refused(
            "host",
            "cu_seqlens_cmp_kv ends with 19",
            **HCA | TND | {"cmp_kv": "hifloat8 20 1 512", "cu_seqlens_cmp_kv": tensor("int32 3", [0, 4, 19])},
        ),
        "c43_used": refused("host", "seqused_q[1] asks for 4 rows", seqused_q=tensor("int32 2", [3, 4])),
        "c43_negative": refused("host", "seqused_q[0] is -1", seqused_q=tensor("int32 2", [-1, 3])),
        "c44_used": refused("host", "seqused_ori_kv[0] asks for 41 rows", seqused_ori_kv=tensor("int32 2", [41, 3])),
        "c45_used": refused(
            "host", "seqused_cmp_kv[0] asks for 11 rows", **HCA | {"seqused_cmp_kv": tensor("int32 2", [11, 3])}
        ),
        "c46_residual": refused(
            "host", "cmp_residual_kv[1] is 4", **HCA | {"cmp_residual_kv": tensor("int32 2", [3, 4])}
        ),
        "c47_hole": refused(
            CHIP,
            "after a -1 in row 0",
            **LIST | {"cmp_sparse_indices": tensor("int32 2 3 1 7", [1, -1, 2, -1, -1, -1, -1])},
        ),
        "c48_hole": refused(
            CHIP, "ori_sparse_indices", **ORI_LIST | {"ori_sparse_indices": tensor("int32 2 3 1 5", [-1, 0, 1, 2, 3])}
        ),
        "c49_strided_query": refused(
            CHIP, "q has strides", q=tensor("hifloat8 2 3 8 512", strides=(24576, 512, 1536, 1))
        ),
    },
)

test_base, test_legal, test_refused, test_complete = suite_of(CASES)


def test_a_stride_on_axis_0_of_the_keys_is_no_problem():
    """The upstream tests keep both keys interleaved in one buffer."""
    interleaved = tensor("hifloat8 2 40 1 512", strides=(2 * 40 * 512, 512, 512, 1))
    assert CASES.findings(CHIP, {"ori_kv": interleaved}) == []


def test_modes_have_the_names_of_the_document():
    names = {"SWA": {}, "HCA": HCA, "CSA": LIST, "ORI_SPARSE": ORI_LIST, "ORI_CMP_SPARSE": LIST | ORI_LIST}
    for name, changes in names.items():
        assert CASES.spec.mode(make_call(CASES.spec, "host", BASE | changes)) == name


def test_the_lse_that_was_not_asked_for_is_empty():
    for changes, shape in (
        ({}, (0,)),
        ({"return_softmax_lse": True}, (2, 1, 3, 8)),
        (TND | {"return_softmax_lse": True}, (1, 6, 8)),
    ):
        call = make_call(CASES.spec, "host", BASE | changes)
        assert CASES.spec.check(call) == []
        (out, dtype), lse = CASES.spec.result_facts(call)
        assert (out, dtype) == (call.shape("q"), "bfloat16")
        assert lse == (shape, "float32")
