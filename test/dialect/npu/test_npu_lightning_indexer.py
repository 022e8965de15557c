"""Every constraint of npu_lightning_indexer, the torch_npu indexer without compression."""

from npu_cases import Cases, make_call, refused, suite_of, tensor

from sparse_attn.dialect.npu import SPECS

BASE = SPECS["npu_lightning_indexer"].example
PAGES = {
    "layout_key": "PA_BSND",
    "key": "bfloat16 9 16 1 128",
    "block_table": "int32 2 4",
    "actual_seq_lengths_key": "int32 2",
}
TND = {
    "layout_query": "TND",
    "layout_key": "TND",
    "query": "bfloat16 6 64 128",
    "key": "bfloat16 80 1 128",
    "weights": "bfloat16 6 64",
    "actual_seq_lengths_query": "int32 2",
    "actual_seq_lengths_key": "int32 2",
}
ALL = ("ascend950", "a3", "a2", "host")
HALF = {"query": "float16 2 3 64 128", "key": "float16 2 40 1 128", "weights": "float32 2 3 64"}
STRIDED = tensor("bfloat16 2 3 64 128", strides=(24576, 128, 384, 1))

CASES = Cases(
    "npu_lightning_indexer",
    BASE,
    legal={
        "half": (ALL, HALF),
        "pages": (ALL, PAGES),
        "packed": (ALL, TND),
        "unmasked": (ALL, {"sparse_mode": 0}),
        "used_lengths": (ALL, {"actual_seq_lengths_key": tensor("int32 2", [40, 0])}),
    },
    refused={
        "c1_other_product": refused("atlas_training", "Atlas training"),
        "c2_weights": refused("host", "weights has shape", weights="bfloat16 2 3 32"),
        "c3_quantised": refused("host", "query is int8", query="int8 2 3 64 128"),
        "c4_two_dtypes": refused("host", "query is bfloat16 and key is float16", key="float16 2 40 1 128"),
        "c5_head_size": refused("a3", "head size D is 64", query="bfloat16 2 3 64 64", key="bfloat16 2 40 1 64"),
        "c6_heads": refused("a2", "query heads N1 is 65", query="bfloat16 2 3 65 128", weights="bfloat16 2 3 65"),
        "c7_count": refused("host", "sparse_count is 0", sparse_count=0),
        "c8_count": refused("a3", "sparse_count is 4096", sparse_count=4096),
        "c9_query": refused("a3", "query has strides", query=STRIDED),
        "c10_layouts": refused("host", "BSND/PA_BBND", layout_key="PA_BBND"),
        "c11_mode": refused("host", "sparse_mode is 1", sparse_mode=1),
        "c12_tokens": refused("host", "pre_tokens is 128", pre_tokens=128),
        "c13_tokens": refused("host", "next_tokens is 0", next_tokens=0),
        "c14_no_lengths": refused(
            "host", "actual_seq_lengths_query missing", **TND | {"actual_seq_lengths_query": None}
        ),
        "c15_no_lengths": refused("host", "actual_seq_lengths_key missing", **PAGES | {"actual_seq_lengths_key": None}),
        "c16_no_table": refused("host", "block_table missing", **PAGES | {"block_table": None}),
        "c17_table": refused("host", "block_table given with layout_key BSND", block_table="int32 2 4"),
        "c18_sums": refused("host", "ends with 5", **TND | {"actual_seq_lengths_query": tensor("int32 2", [3, 5])}),
        "c18_decreasing": refused("host", "decreases", **TND | {"actual_seq_lengths_query": tensor("int32 2", [7, 6])}),
        "c19_sums": refused("host", "ends with 81", **TND | {"actual_seq_lengths_key": tensor("int32 2", [3, 81])}),
        "c20_block": refused("a3", "size is 24", **PAGES | {"key": "bfloat16 9 24 1 128"}),
        "c21_table": refused(
            "host", "block_table has 4 columns", **PAGES | {"actual_seq_lengths_key": tensor("int32 2", [65, 1])}
        ),
        "c22_used": refused("host", "asks for 4 rows", actual_seq_lengths_query=tensor("int32 2", [4, 1])),
        "c23_used": refused("host", "asks for 41 rows", actual_seq_lengths_key=tensor("int32 2", [41, 1])),
        "c24_empty": refused("a2", "key is empty", key="bfloat16 2 0 1 128"),
        "c25_key_heads": refused("host", "key heads N2 is 2", key="bfloat16 2 40 2 128"),
    },
)

test_base, test_legal, test_refused, test_complete = suite_of(CASES)


def test_values_come_in_the_dtype_of_the_query_when_asked_for():
    for changes, shape in (({}, (0,)), ({"return_value": True}, (2, 3, 1, 2048))):
        call = make_call(CASES.spec, "host", BASE | changes)
        assert CASES.spec.check(call) == []
        assert CASES.spec.result_facts(call) == [((2, 3, 1, 2048), "int32"), (shape, "bfloat16")]
