"""Every constraint of kv_quant_sparse_attn_sharedkv, with the call beside it that is legal."""

import math

from npu_cases import Cases, make_call, refused, suite_of, tensor

from sparse_attn.dialect.npu import SPECS

BASE = SPECS["kv_quant_sparse_attn_sharedkv"].example
HCA = {"cmp_kv": "float8_e4m3fn 9 16 1 640", "cmp_block_table": "int32 2 1", "cmp_ratio": 128}
CSA = HCA | {"cmp_ratio": 4, "cmp_sparse_indices": "int32 2 3 1 512"}
TND = {"layout_q": "TND", "q": "bfloat16 6 64 512", "cu_seqlens_q": "int32 3"}
CHIP, ALL = "ascend950", ("ascend950", "host")
HOLE = [1, -1, 2] + [-1] * 509

CASES = Cases(
    "kv_quant_sparse_attn_sharedkv",
    BASE,
    legal={
        "hca": (ALL, HCA),
        "csa": (ALL, CSA),
        "csa_wide": (ALL, CSA | {"cmp_sparse_indices": "int32 2 3 1 1024"}),
        "packed": (ALL, TND),
        "rows_as_elements": (ALL, {"ori_kv": "kv_row640 9 16 1 640"}),
        "heads_128": (ALL, {"q": "bfloat16 2 3 128 512", "sinks": "float32 128"}),
        "any_window": (("host",), {"ori_win_left": 15, "ori_win_right": 1}),
        "any_ratio": (("host",), HCA | {"cmp_ratio": 8}),
    },
    refused={
        "c1_other_chip": refused("a3", "Atlas A3"),
        "c1_other_product": refused("atlas_inference", "Atlas inference products"),
        "c2_three_axes": refused("host", "ori_kv has shape [9, 16, 640]", ori_kv="float8_e4m3fn 9 16 640"),
        "c3_query": refused("host", "q is float16 where bfloat16", q="float16 2 3 64 512"),
        "c3_keys": refused("host", "ori_kv is uint8", ori_kv="uint8 9 16 1 640"),
        "c4_empty": refused(CHIP, "ori_block_table is empty", ori_block_table="int32 2 0"),
        "c5_head_size": refused("host", "head size of q D is 576", q="bfloat16 2 3 64 576"),
        "c6_row": refused("host", "bytes of a key row W is 608", ori_kv="float8_e4m3fn 9 16 1 608"),
        "c7_heads": refused(CHIP, "query heads N1 is 32", q="bfloat16 2 3 32 512", sinks="float32 32"),
        "c8_key_heads": refused("host", "key heads N2 is 2", ori_kv="float8_e4m3fn 9 16 2 640"),
        "c9_mode": refused("host", "kv_quant_mode is 10", kv_quant_mode=10),
        "c10_tile": refused("host", "tile_size is 0", tile_size=None),
        "c11_rotary": refused("host", "rope_head_dim is 0", rope_head_dim=None),
        "c12_layout": refused("host", "layout_q is 'BNSD'", layout_q="BNSD"),
        "c13_layout": refused("host", "layout_kv is 'PA_BBND'", layout_kv="PA_BBND"),
        "c14_no_table": refused("host", "ori_block_table missing", ori_block_table=None),
        "c15_no_compressed_table": refused(
            "host", "cmp_kv is given without cmp_block_table", **HCA | {"cmp_block_table": None}
        ),
        "c15_table_alone": refused("host", "cmp_block_table is given without cmp_kv", cmp_block_table="int32 2 1"),
        "c16_no_length": refused("host", "seqused_kv missing", seqused_kv=None),
        "c17_no_sinks": refused(CHIP, "sinks missing", sinks=None),
        "c18_no_plan": refused(CHIP, "metadata missing", metadata=None),
        "c19_ratio": refused(CHIP, "cmp_ratio is 8 with cmp_kv", **HCA | {"cmp_ratio": 8}),
        "c20_no_ratio": refused("host", "cmp_ratio is 0 with cmp_kv", **HCA | {"cmp_ratio": None}),
        "c21_ratio_alone": refused(CHIP, "cmp_ratio is 4 without cmp_kv", cmp_ratio=4),
        "c22_mask": refused("host", "ori_mask_mode is 3", ori_mask_mode=3),
        "c23_mask": refused("host", "cmp_mask_mode is 0", cmp_mask_mode=0),
        "c24_window": refused(CHIP, "ori_win_left is 63", ori_win_left=63),
        "c25_window": refused(CHIP, "ori_win_right is 1", ori_win_right=1),
        "c26_window": refused("host", "ori_win_left is -1", ori_win_left=-1),
        "c27_window": refused("host", "ori_win_right is -1", ori_win_right=-1),
        "c28_lse": refused(CHIP, "return_softmax_lse is True", return_softmax_lse=True),
        "c29_reserved_list": refused("host", "ori_sparse_indices given", ori_sparse_indices="int32 2 3 1 512"),
        "c29_reserved_length": refused(CHIP, "seqused_q given", seqused_q="int32 2"),
        "c30_reserved_sums": refused(CHIP, "cu_seqlens_ori_kv given", cu_seqlens_ori_kv="int32 3"),
        "c31_no_sums": refused("host", "cu_seqlens_q missing", **TND | {"cu_seqlens_q": None}),
        "c32_sums": refused("host", "cu_seqlens_q given", cu_seqlens_q="int32 3"),
        "c33_list_alone": refused("host", "cmp_sparse_indices given", cmp_sparse_indices="int32 2 3 1 512"),
        "c34_width": refused(CHIP, "list width K2 is 256", **CSA | {"cmp_sparse_indices": "int32 2 3 1 256"}),
        "c35_width": refused(CHIP, "original list width K1 is 256", ori_sparse_indices="int32 2 3 1 256"),
        "c36_block": refused(CHIP, "size1 is 24", ori_kv="float8_e4m3fn 9 24 1 640"),
        "c37_block": refused(CHIP, "size2 is 1040", **HCA | {"cmp_kv": "float8_e4m3fn 9 1040 1 640"}),
        "c38_table": refused("host", "ori_block_table has 3 columns, 49 rows", seqused_kv=tensor("int32 2", [49, 0])),
        "c39_table": refused(
            "host",
            "cmp_block_table has 1 columns, 17 rows",
            **CSA | {"seqused_kv": tensor("int32 2", [71, 0]), "ori_block_table": "int32 2 5"},
        ),
        "c40_sums": refused("host", "ends with 5", **TND | {"cu_seqlens_q": tensor("int32 3", [0, 3, 5])}),
        "c41_length": refused("host", "seqused_kv[1] is -1", seqused_kv=tensor("int32 2", [3, -1])),
        "c42_hole": refused(CHIP, "after a -1", **CSA | {"cmp_sparse_indices": tensor("int32 2 3 1 512", HOLE)}),
        "c43_two_formats": refused("host", "cmp_kv is kv_row640", **HCA | {"cmp_kv": "kv_row640 9 16 1 640"}),
        "c44_query": refused(CHIP, "q has strides", q=tensor("bfloat16 2 3 64 512", strides=(98304, 512, 1536, 1))),
        "c45_no_scale": refused("host", "softmax_scale is 0", softmax_scale=None),
        "c45_infinite_scale": refused("host", "softmax_scale is inf", softmax_scale=math.inf),
    },
)

test_base, test_legal, test_refused, test_complete = suite_of(CASES)


def test_the_compressed_table_covers_whole_rows_only():
    """floor(67 / 4) = 16 rows fill one block of 16; one token more than 67 changes nothing, 68 does."""
    for length, fits in ((67, True), (68, False)):
        changes = CSA | {"seqused_kv": tensor("int32 2", [length, 0]), "ori_block_table": "int32 2 5"}
        assert ("c39" not in {f.number for f in CASES.findings("host", changes)}) is fits


def test_results_have_the_shapes_of_the_document():
    for changes, lse in (
        ({}, (0,)),
        ({"return_softmax_lse": True}, (2, 1, 3, 64)),
        (TND | {"return_softmax_lse": True}, (1, 6, 64)),
    ):
        call = make_call(CASES.spec, "host", BASE | changes)
        assert CASES.spec.check(call) == []
        assert CASES.spec.result_facts(call) == [(call.shape("q"), "bfloat16"), (lse, "float32")]


def test_modes_have_the_names_of_the_document():
    for name, changes in (("SWA", {}), ("HCA", HCA), ("CSA", CSA)):
        assert CASES.spec.mode(make_call(CASES.spec, "host", BASE | changes)) == name
