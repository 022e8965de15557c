"""Every constraint of sparse_attn_sharedkv, the plain sibling of kv_quant_sparse_attn_sharedkv on Atlas."""

from npu_cases import Cases, make_call, refused, suite_of, tensor

from sparse_attn.dialect.npu import SPECS

BASE = SPECS["sparse_attn_sharedkv"].example
HCA = {"cmp_kv": "bfloat16 9 16 1 512", "cmp_block_table": "int32 2 1", "cmp_ratio": 128}
CSA = HCA | {"cmp_ratio": 4, "cmp_sparse_indices": "int32 2 3 1 512"}
TND = {"layout_q": "TND", "q": "bfloat16 6 64 512", "cu_seqlens_q": "int32 3"}
CHIP, ALL = "a3", ("a3", "a2", "host")
HALF = {"q": "float16 2 3 64 512", "ori_kv": "float16 9 16 1 512"}

CASES = Cases(
    "sparse_attn_sharedkv",
    BASE,
    legal={"hca": (ALL, HCA), "csa": (ALL, CSA), "packed": (ALL, TND), "half": (ALL, HALF)},
    refused={
        "c1_other_chip": refused("ascend950", "Ascend 950PR"),
        "c2_three_axes": refused("host", "ori_kv has shape", ori_kv="bfloat16 9 16 512"),
        "c3_packed_rows": refused("host", "ori_kv is float8_e4m3fn", ori_kv="float8_e4m3fn 9 16 1 512"),
        "c4_empty": refused(CHIP, "ori_block_table is empty", ori_block_table="int32 2 0"),
        "c5_head_size": refused(CHIP, "head size D is 256", q="bfloat16 2 3 64 256", ori_kv="bfloat16 9 16 1 256"),
        "c6_two_dtypes": refused("host", "ori_kv is float16 and q is bfloat16", ori_kv="float16 9 16 1 512"),
        "c7_heads": refused("a2", "query heads N1 is 128", q="bfloat16 2 3 128 512", sinks="float32 128"),
        "c8_key_heads": refused("host", "key heads N2 is 2", ori_kv="bfloat16 9 16 2 512"),
        "c9_layout": refused("host", "layout_q is 'BNSD'", layout_q="BNSD"),
        "c10_layout": refused("host", "layout_kv is 'PA_BBND'", layout_kv="PA_BBND"),
        "c11_no_table": refused("host", "ori_block_table missing", ori_block_table=None),
        "c12_no_compressed_table": refused("host", "without cmp_block_table", **HCA | {"cmp_block_table": None}),
        "c13_no_length": refused("host", "seqused_kv missing", seqused_kv=None),
        "c14_no_sinks": refused(CHIP, "sinks missing", sinks=None),
        "c15_no_plan": refused(CHIP, "sparse_attn_sharedkv_metadata", metadata=None),
        "c16_ratio": refused(CHIP, "cmp_ratio is 8 with cmp_kv", **HCA | {"cmp_ratio": 8}),
        "c17_no_ratio": refused("host", "cmp_ratio is 0 with cmp_kv", **HCA | {"cmp_ratio": None}),
        "c18_ratio_alone": refused(CHIP, "cmp_ratio is 4 without cmp_kv", cmp_ratio=4),
        "c19_mask": refused("host", "ori_mask_mode is 3", ori_mask_mode=3),
        "c20_mask": refused("host", "cmp_mask_mode is 0", cmp_mask_mode=0),
        "c21_window": refused(CHIP, "ori_win_left is 128", ori_win_left=128),
        "c22_window": refused(CHIP, "ori_win_right is 1", ori_win_right=1),
        "c23_window": refused("host", "ori_win_left is -1", ori_win_left=-1),
        "c24_window": refused("host", "ori_win_right is -1", ori_win_right=-1),
        "c25_lse": refused(CHIP, "return_softmax_lse is True", return_softmax_lse=True),
        "c26_reserved": refused("host", "seqused_q given", seqused_q="int32 2"),
        "c27_reserved_sums": refused(CHIP, "cu_seqlens_cmp_kv given", cu_seqlens_cmp_kv="int32 3"),
        "c28_no_sums": refused("host", "cu_seqlens_q missing", **TND | {"cu_seqlens_q": None}),
        "c29_sums": refused("host", "cu_seqlens_q given", cu_seqlens_q="int32 3"),
        "c30_list_alone": refused("host", "cmp_sparse_indices given", cmp_sparse_indices="int32 2 3 1 512"),
        "c31_width": refused(CHIP, "list width K2 is 1024", **CSA | {"cmp_sparse_indices": "int32 2 3 1 1024"}),
        "c32_width": refused(CHIP, "original list width K1 is 256", ori_sparse_indices="int32 2 3 1 256"),
        "c33_block": refused(CHIP, "size1 is 24", ori_kv="bfloat16 9 24 1 512"),
        "c34_block": refused(CHIP, "size2 is 24", **HCA | {"cmp_kv": "bfloat16 9 24 1 512"}),
        "c35_table": refused("host", "ori_block_table has 3 columns", seqused_kv=tensor("int32 2", [49, 0])),
        "c36_table": refused(
            "host",
            "cmp_block_table has 1 columns",
            **CSA | {"seqused_kv": tensor("int32 2", [71, 0]), "ori_block_table": "int32 2 5"},
        ),
        "c37_sums": refused("host", "ends with 5", **TND | {"cu_seqlens_q": tensor("int32 3", [0, 3, 5])}),
        "c38_length": refused("host", "seqused_kv[1] is -1", seqused_kv=tensor("int32 2", [3, -1])),
        "c39_hole": refused(
            CHIP, "after a -1", **CSA | {"cmp_sparse_indices": tensor("int32 2 3 1 512", [-1, 2] + [-1] * 510)}
        ),
        "c40_query": refused(CHIP, "q has strides", q=tensor("bfloat16 2 3 64 512", strides=(98304, 512, 1536, 1))),
        "c41_no_scale": refused("host", "softmax_scale is 0", softmax_scale=None),
    },
)

test_base, test_legal, test_refused, test_complete = suite_of(CASES)


def test_the_output_has_the_dtype_of_the_query():
    call = make_call(CASES.spec, "host", BASE | HALF)
    assert CASES.spec.check(call) == []
    assert CASES.spec.result_facts(call) == [((2, 3, 64, 512), "float16"), ((0,), "float32")]


def test_the_window_default_is_what_each_namespace_publishes():
    assert CASES.spec.variant("custom").schema["ori_win_left"].default == 127
    assert CASES.spec.variant("_C_ascend").schema["ori_win_left"].default == 128
