"""Every constraint of npu_sparse_flash_attention."""

import math

from npu_cases import Cases, make_call, refused, suite_of, tensor

from sparse_attn.dialect.npu import SPECS

BASE = SPECS["npu_sparse_flash_attention"].example
PAGES = {
    "layout_kv": "PA_BSND",
    "key": "bfloat16 9 16 1 512",
    "value": "bfloat16 9 16 1 512",
    "key_rope": "bfloat16 9 16 1 64",
    "block_table": "int32 2 4",
    "actual_seq_lengths_kv": "int32 2",
}
TND = {
    "layout_query": "TND",
    "layout_kv": "TND",
    "query": "bfloat16 6 64 512",
    "query_rope": "bfloat16 6 64 64",
    "sparse_indices": "int32 6 1 16",
    "key": "bfloat16 80 1 512",
    "value": "bfloat16 80 1 512",
    "key_rope": "bfloat16 80 1 64",
    "actual_seq_lengths_query": "int32 2",
    "actual_seq_lengths_kv": "int32 2",
}
ALL = ("ascend950", "a3", "a2", "host")
SUMS, LENGTHS = "actual_seq_lengths_query", "actual_seq_lengths_kv"


def keys(blocks: int, size: int) -> dict[str, str]:
    rows = f"bfloat16 {blocks} {size} 1"
    return PAGES | {"key": f"{rows} 512", "value": f"{rows} 512", "key_rope": f"{rows} 64"}


CASES = Cases(
    "npu_sparse_flash_attention",
    BASE,
    legal={
        "pages": (ALL, PAGES),
        "packed": (ALL, TND),
        "list_only": (ALL, {"sparse_mode": 0}),
        "blocks_of_keys": (ALL, PAGES | {"sparse_block_size": 16}),
        "sinks": (ALL, {"sinks": "float32 64"}),
    },
    refused={
        "c1_other_product": refused("atlas_training", "Atlas training"),
        "c2_values": refused("host", "value has shape", value="bfloat16 2 41 1 512"),
        "c3_quantised": refused("host", "key is int8", key="int8 2 40 1 512"),
        "c4_two_dtypes": refused("host", "key_rope is float16 and query is bfloat16", key_rope="float16 2 40 1 64"),
        "c5_head_size": refused(
            "a3", "D is 256", query="bfloat16 2 3 64 256", key="bfloat16 2 40 1 256", value="bfloat16 2 40 1 256"
        ),
        "c6_rotary": refused(
            "a3", "rotary head size R is 32", query_rope="bfloat16 2 3 64 32", key_rope="bfloat16 2 40 1 32"
        ),
        "c7_mode": refused("host", "attention_mode is 0", attention_mode=None),
        "c8_no_rotary": refused("host", "query_rope and key_rope missing", query_rope=None, key_rope=None),
        "c9_block": refused("host", "sparse_block_size is 3", sparse_block_size=3),
        "c9_does_not_divide": refused("host", "does not divide a block of 16", **PAGES | {"sparse_block_size": 32}),
        "c10_scale": refused("host", "scale_value is inf", scale_value=math.inf),
        "c11_heads": refused(
            "a2", "query heads N1 is 48", query="bfloat16 2 3 48 512", query_rope="bfloat16 2 3 48 64"
        ),
        "c12_hole": refused("a3", "after a -1", sparse_indices=tensor("int32 2 3 1 16", [-1, 4] + [-1] * 14)),
        "c13_query": refused(
            "a3", "query has strides", query=tensor("bfloat16 2 3 64 512", strides=(98304, 512, 1536, 1))
        ),
        "c14_layouts": refused("host", "BSND/PA_BBND", layout_kv="PA_BBND"),
        "c15_mode": refused("host", "sparse_mode is 1", sparse_mode=1),
        "c16_tokens": refused("host", "pre_tokens is 128", pre_tokens=128),
        "c17_tokens": refused("host", "next_tokens is 0", next_tokens=0),
        "c18_no_lengths": refused("host", "actual_seq_lengths_query missing", **TND | {SUMS: None}),
        "c19_no_lengths": refused("host", "actual_seq_lengths_kv missing", **PAGES | {LENGTHS: None}),
        "c20_no_table": refused("host", "block_table missing", **PAGES | {"block_table": None}),
        "c21_table": refused("host", "block_table given with layout_kv BSND", block_table="int32 2 4"),
        "c22_sums": refused("host", "ends with 5", **TND | {SUMS: tensor("int32 2", [3, 5])}),
        "c23_sums": refused("host", "ends with 81", **TND | {LENGTHS: tensor("int32 2", [3, 81])}),
        "c24_block": refused("a3", "size is 24", **keys(9, 24)),
        "c25_table": refused("host", "block_table has 4 columns", **PAGES | {LENGTHS: tensor("int32 2", [65, 1])}),
        "c26_used": refused("host", "asks for 4 rows", **{SUMS: tensor("int32 2", [4, 1])}),
        "c27_used": refused("host", "asks for 41 rows", **{LENGTHS: tensor("int32 2", [41, 1])}),
        "c28_empty": refused("a2", "sparse_indices is empty", sparse_indices="int32 2 3 1 0"),
        "c29_key_heads": refused(
            "host",
            "N2 is 2",
            **{name: BASE[name].replace(" 1 ", " 2 ") for name in ("key", "value", "key_rope", "sparse_indices")},
        ),
    },
)

test_base, test_legal, test_refused, test_complete = suite_of(CASES)


def test_maximum_and_sum_are_returned_when_asked_for():
    for changes, shape in (
        ({}, (0,)),
        ({"return_softmax_lse": True}, (2, 1, 3, 64)),
        (TND | {"return_softmax_lse": True}, (1, 6, 64)),
    ):
        call = make_call(CASES.spec, "host", BASE | changes)
        assert CASES.spec.check(call) == []
        assert CASES.spec.result_facts(call)[1:] == [(shape, "float32")] * 2
