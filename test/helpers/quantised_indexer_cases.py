"""What both quantised indexers of DeepSeek-V3.2 take and refuse: the one with a ratio and a plan adds its own rules."""

from npu_cases import Cases, refused, tensor

from sparse_attn.dialect.npu import SPECS

PAGES = {
    "layout_key": "PA_BSND",
    "key": "int8 9 16 1 128",
    "key_dequant_scale": "float16 9 16 1",
    "block_table": "int32 2 4",
    "actual_seq_lengths_key": "int32 2",
}
TND = {
    "layout_query": "TND",
    "layout_key": "TND",
    "query": "int8 6 64 128",
    "key": "int8 80 1 128",
    "weights": "float16 6 64",
    "query_dequant_scale": "float16 6 64",
    "key_dequant_scale": "float16 80 1",
    "actual_seq_lengths_query": "int32 2",
    "actual_seq_lengths_key": "int32 2",
}
FP8 = {
    "query": "float8_e4m3fn 2 3 64 128",
    "key": "float8_e4m3fn 2 40 1 128",
    "weights": "bfloat16 2 3 64",
    "query_dequant_scale": "float32 2 3 64",
    "key_dequant_scale": "float32 2 40 1",
}
NARROW = {"query": "int8 2 3 64 64", "key": "int8 2 40 1 64"}
WIDE = {"query": "int8 2 3 65 128", "weights": "float16 2 3 65", "query_dequant_scale": "float16 2 3 65"}
ALL, BOTH = ("ascend950", "a3", "a2", "host"), ("ascend950", "host")
SUMS, LENGTHS = "actual_seq_lengths_query", "actual_seq_lengths_key"


LEGAL = {
    "pages": (ALL, PAGES),
    "packed": (ALL, TND),
    "fp8": (BOTH, FP8),
    "hifloat8": (BOTH, FP8 | {"query": "uint8 2 3 64 128", "key": "uint8 2 40 1 128"}),
}
REFUSED = {
    "c1_other_product": refused("atlas_training", "Atlas training"),
    "c2_scale": refused("host", "query_dequant_scale has shape", query_dequant_scale="float16 2 3 32"),
    "c3_plain": refused("host", "query is bfloat16", query="bfloat16 2 3 64 128"),
    "c4_two_dtypes": refused("host", "query is int8 and key is float8_e4m3fn", key="float8_e4m3fn 2 40 1 128"),
    "c4_two_scales": refused("host", "query_dequant_scale is float16", key_dequant_scale="float32 2 40 1"),
    "c5_head_size": refused("a3", "head size D is 64", **NARROW),
    "c6_heads": refused("a2", "query heads N1 is 65", **WIDE),
    "c7_count": refused("host", "sparse_count is 0", sparse_count=0),
    "c8_count": refused("a3", "sparse_count is 4096", sparse_count=4096),
    "c9_fp8_on_atlas": refused("a2", "query is float8_e4m3fn, not int8", **FP8),
    "c10_mode": refused("host", "query_quant_mode is 1", query_quant_mode=1),
    "c11_mode": refused("host", "key_quant_mode is 1", key_quant_mode=1),
    "c12_query": refused("a3", "query has strides", query=tensor("int8 2 3 64 128", strides=(24576, 128, 384, 1))),
    "c13_layouts": refused("host", "BSND/PA_BBND", layout_key="PA_BBND"),
    "c14_mode": refused("host", "sparse_mode is 1", sparse_mode=1),
    "c15_tokens": refused("host", "pre_tokens is 128", pre_tokens=128),
    "c16_tokens": refused("host", "next_tokens is 0", next_tokens=0),
    "c17_no_lengths": refused("host", "actual_seq_lengths_query missing", **TND | {SUMS: None}),
    "c18_no_lengths": refused("host", "actual_seq_lengths_key missing", **PAGES | {LENGTHS: None}),
    "c19_no_table": refused("host", "block_table missing", **PAGES | {"block_table": None}),
    "c20_table": refused("host", "block_table given with layout_key BSND", block_table="int32 2 4"),
    "c21_sums": refused("host", "ends with 5", **TND | {SUMS: tensor("int32 2", [3, 5])}),
    "c22_sums": refused("host", "ends with 81", **TND | {LENGTHS: tensor("int32 2", [3, 81])}),
    "c23_block": refused(
        "a3", "size is 24", **PAGES | {"key": "int8 9 24 1 128", "key_dequant_scale": "float16 9 24 1"}
    ),
    "c24_table": refused("host", "block_table has 4 columns", **PAGES | {LENGTHS: tensor("int32 2", [65, 1])}),
    "c25_used": refused("host", "asks for 4 rows", **{SUMS: tensor("int32 2", [4, 1])}),
    "c26_used": refused("host", "asks for 41 rows", **{LENGTHS: tensor("int32 2", [41, 1])}),
    "c27_empty": refused("a2", "key is empty", key="int8 2 0 1 128", key_dequant_scale="float16 2 0 1"),
    "c28_key_heads": refused("host", "key heads N2 is 2", key="int8 2 40 2 128", key_dequant_scale="float16 2 40 2"),
}


def cases(name, **more):
    """The table of one of the two operators; `more` are the refusals that only it has."""
    return Cases(name, SPECS[name].example, legal=LEGAL, refused=REFUSED | more)
