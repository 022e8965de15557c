"""Every constraint of npu_kv_quant_sparse_flash_attention."""

import math

from npu_cases import Cases, make_call, refused, suite_of, tensor

from sparse_attn.dialect.npu import SPECS

BASE = SPECS["npu_kv_quant_sparse_flash_attention"].example
PAGES = {
    "layout_kv": "PA_BSND",
    "key": "int8 9 32 1 656",
    "value": "int8 9 32 1 656",
    "block_table": "int32 2 4",
    "actual_seq_lengths_kv": "int32 2",
}
TND = {
    "layout_query": "TND",
    "layout_kv": "TND",
    "query": "bfloat16 6 64 576",
    "sparse_indices": "int32 6 1 16",
    "key": "int8 80 1 656",
    "value": "int8 80 1 656",
    "actual_seq_lengths_query": "int32 2",
    "actual_seq_lengths_kv": "int32 2",
}
ALL = ("ascend950", "a3", "a2", "host")
SUMS, LENGTHS = "actual_seq_lengths_query", "actual_seq_lengths_kv"


def both(text: str) -> dict[str, str]:
    """Keys and values alike."""
    return {"key": text, "value": text}


CASES = Cases(
    "npu_kv_quant_sparse_flash_attention",
    BASE,
    legal={
        "pages": (ALL, PAGES),
        "packed": (ALL, TND),
        "fp8_rows": (ALL, both("float8_e4m3fn 2 40 1 656")),
        "blocks_of_keys": (ALL, PAGES | {"sparse_block_size": 16}),
    },
    refused={
        "c1_other_product": refused("atlas_training", "Atlas training"),
        "c2_values": refused("host", "value has shape", value="int8 2 41 1 656"),
        "c3_plain": refused("host", "key is bfloat16", key="bfloat16 2 40 1 656"),
        "c4_mode": refused("host", "key_quant_mode is 0", key_quant_mode=0),
        "c5_mode": refused("host", "value_quant_mode is 0", value_quant_mode=0),
        "c6_mode": refused("host", "attention_mode is 0", attention_mode=None),
        "c7_mode": refused("host", "quant_scale_repo_mode is 0", quant_scale_repo_mode=0),
        "c8_tile": refused("host", "tile_size is 64", tile_size=64),
        "c9_rotary": refused("host", "rope_head_dim is 0", rope_head_dim=0),
        "c10_head_size": refused("host", "head size of the query D is 512", query="bfloat16 2 3 64 512"),
        "c11_row": refused("host", "bytes of a key row W is 640", **both("int8 2 40 1 640")),
        "c12_scales": refused("host", "key_dequant_scale given", key_dequant_scale="float32 8"),
        "c13_heads": refused("a2", "query heads N1 is 48", query="bfloat16 2 3 48 576"),
        "c14_block": refused("a3", "sparse_block_size is 32", **PAGES | {"sparse_block_size": 32}),
        "c15_scale": refused("host", "scale_value is inf", scale_value=math.inf),
        "c16_hole": refused("a3", "after a -1", sparse_indices=tensor("int32 2 3 1 16", [-1, 4] + [-1] * 14)),
        "c17_keys": refused("a3", "key has strides", key=tensor("int8 2 40 1 656", strides=(52480, 656, 656, 1))),
        "c18_layouts": refused("host", "BSND/PA_BBND", layout_kv="PA_BBND"),
        "c19_mode": refused("host", "sparse_mode is 1", sparse_mode=1),
        "c20_tokens": refused("host", "pre_tokens is 128", pre_tokens=128),
        "c21_tokens": refused("host", "next_tokens is 0", next_tokens=0),
        "c22_no_lengths": refused("host", "actual_seq_lengths_query missing", **TND | {SUMS: None}),
        "c23_no_lengths": refused("host", "actual_seq_lengths_kv missing", **PAGES | {LENGTHS: None}),
        "c24_no_table": refused("host", "block_table missing", **PAGES | {"block_table": None}),
        "c25_table": refused("host", "block_table given with layout_kv BSND", block_table="int32 2 4"),
        "c26_sums": refused("host", "ends with 5", **TND | {SUMS: tensor("int32 2", [3, 5])}),
        "c27_sums": refused("host", "ends with 81", **TND | {LENGTHS: tensor("int32 2", [3, 81])}),
        "c28_block": refused("a3", "size is 24", **PAGES | both("int8 9 24 1 656")),
        "c29_table": refused("host", "block_table has 4 columns", **PAGES | {LENGTHS: tensor("int32 2", [129, 1])}),
        "c30_used": refused("host", "asks for 4 rows", **{SUMS: tensor("int32 2", [4, 1])}),
        "c31_used": refused("host", "asks for 41 rows", **{LENGTHS: tensor("int32 2", [41, 1])}),
        "c32_empty": refused("a2", "sparse_indices is empty", sparse_indices="int32 2 3 1 0"),
        "c33_key_heads": refused("host", "N2 is 2", **both("int8 2 40 2 656"), sparse_indices="int32 2 3 2 16"),
    },
)

test_base, test_legal, test_refused, test_complete = suite_of(CASES)


def test_the_output_leaves_the_rotary_columns_out():
    call = make_call(CASES.spec, "host", BASE)
    assert CASES.spec.check(call) == []
    assert CASES.spec.result_facts(call) == [((2, 3, 64, 512), "bfloat16")]
