"""Every constraint of the plan of npu_vllm_quant_lightning_indexer."""

from npu_cases import Cases, refused, suite_of, tensor

from sparse_attn.dialect.npu import SPECS

BASE = SPECS["npu_vllm_quant_lightning_indexer_metadata"].example
ALL = ("ascend950", "a3", "a2", "host")

CASES = Cases(
    "npu_vllm_quant_lightning_indexer_metadata",
    BASE,
    legal={"device": (ALL, {"device": "npu:3"}), "batched": (ALL, {"layout_query": "BSND", "batch_size": 2})},
    refused={
        "c1_other_product": refused("atlas_training", "Atlas training"),
        "c2_batches_differ": refused("host", "where B = 2", actual_seq_lengths_key="int32 3"),
        "c3_long_lengths": refused("host", "is int64", actual_seq_lengths_key="int64 2"),
        "c4_heads": refused("a3", "num_heads_q is 128", num_heads_q=128),
        "c5_key_heads": refused("host", "num_heads_k is 2", num_heads_k=2),
        "c6_head_size": refused("a3", "head_dim is 64", head_dim=64),
        "c7_mode": refused("host", "query_quant_mode is 1", query_quant_mode=1),
        "c8_mode": refused("host", "key_quant_mode is 1", key_quant_mode=1),
        "c9_layouts": refused("host", "TND/PA_BBND", layout_key="PA_BBND"),
        "c10_count": refused("a2", "sparse_count is 4096", sparse_count=4096),
        "c11_mode": refused("host", "sparse_mode is 4", sparse_mode=4),
        "c12_tokens": refused("host", "pre_tokens is 1", pre_tokens=1),
        "c13_tokens": refused("host", "next_tokens is 1", next_tokens=1),
        "c14_ratio": refused("host", "cmp_ratio is 129", cmp_ratio=129),
        "c15_length": refused("host", "is -1", actual_seq_lengths_key=tensor("int32 2", [-1, 0])),
    },
)

test_base, test_legal, test_refused, test_complete = suite_of(CASES)
