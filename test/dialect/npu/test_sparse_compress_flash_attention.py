"""Every constraint of the pypto sparse_compress_flash_attention."""

import math

from npu_cases import Cases, make_call, refused, suite_of, tensor

from sparse_attn.dialect.npu import SPECS

BASE = SPECS["sparse_compress_flash_attention"].example
ALL, HOST = ("ascend950", "a3", "a2", "host"), ("host",)

CASES = Cases(
    "sparse_compress_flash_attention",
    BASE,
    legal={
        "long_table": (ALL, {"ori_block_table_npu": "int32 2 9"}),
        "dynamic": (ALL, {"query_npu": "bfloat16 ? 512", "cmp_sparse_indices_npu": "int32 ? 512"}),
        "other_sizes": (HOST, {"win_size": 16, "cmp_ratio": 2, "cmp_sparse_indices_npu": "int32 3 8"}),
    },
    refused={
        "c1_other_product": refused("atlas_200i_500_a2", "Atlas 200I/500 A2"),
        "c2_batches_differ": refused("host", "where B = 2", seqused_kv_npu="int32 3"),
        "c3_half": refused("host", "query_npu is float16", query_npu="float16 192 512"),
        "c4_empty": refused("a3", "cmp_kv_npu is empty", cmp_kv_npu="bfloat16 0 512"),
        "c5_head_size": refused(
            "a2",
            "head size D is 256",
            query_npu="bfloat16 192 256",
            ori_kv_npu="bfloat16 512 256",
            cmp_kv_npu="bfloat16 256 256",
        ),
        "c6_heads": refused("a3", "query heads N1 is 32", atten_sink_npu="float32 32", query_npu="bfloat16 96 512"),
        "c7_rows": refused(
            "host", "query_npu has 191 rows, 3 tokens of 64 heads have 192", query_npu="bfloat16 191 512"
        ),
        "c8_width": refused("a2", "list width K is 256", cmp_sparse_indices_npu="int32 3 256"),
        "c9_window": refused("ascend950", "win_size is 64", win_size=64),
        "c10_ratio": refused("ascend950", "cmp_ratio is 128", cmp_ratio=128),
        "c11_window": refused("host", "win_size is 0", win_size=0),
        "c12_ratio": refused("host", "cmp_ratio is 0", cmp_ratio=0),
        "c13_blocks": refused("host", "ori_kv_npu has 500 rows", ori_kv_npu="bfloat16 500 512"),
        "c14_blocks": refused("host", "cmp_kv_npu has 200 rows", cmp_kv_npu="bfloat16 200 512"),
        "c15_table": refused("host", "ori_block_table_npu has 2 columns", seqused_kv_npu=tensor("int32 2", [257, 1])),
        "c15_compressed_table": refused(
            "host",
            "cmp_block_table_npu has 1 columns, 129 rows",
            seqused_kv_npu=tensor("int32 2", [516, 1]),
            ori_block_table_npu="int32 2 5",
        ),
        "c16_sums": refused("host", "ends with 4 where T1 is 3", q_act_seqs_npu=tensor("int32 3", [0, 1, 4])),
        "c17_length": refused("host", "seqused_kv_npu[0] is -1", seqused_kv_npu=tensor("int32 2", [-1, 3])),
        "c18_scale": refused("host", "softmax_scale is inf", softmax_scale=math.inf),
        "c19_query": refused("a3", "query_npu has strides", query_npu=tensor("bfloat16 192 512", strides=(1, 192))),
    },
)

test_base, test_legal, test_refused, test_complete = suite_of(CASES)


def test_the_result_has_the_shape_of_the_query():
    """Upstream's meta kernel claims four axes; the operator returns two."""
    call = make_call(CASES.spec, "host", BASE)
    assert CASES.spec.check(call) == []
    assert CASES.spec.result_facts(call) == [((192, 512), "bfloat16")]
