"""The plan of lightning_indexer: the rules of quant_lightning_indexer_metadata without a quantisation mode."""

from npu_cases import Cases, refused, suite_of, tensor

from sparse_attn.dialect.npu import SPECS

BASE = SPECS["lightning_indexer_metadata"].example
RATIO = {"cmp_ratio": 4, "mask_mode": 3, "cmp_residual_k": "int32 2"}
NEW, ALL = "ascend950", ("ascend950", "a3", "a2", "host")

CASES = Cases(
    "lightning_indexer_metadata",
    BASE,
    legal={
        "compressed": (ALL, RATIO),
        "packed": (ALL, {"layout_q": "TND", "max_seqlen_q": None, "cu_seqlens_q": "int32 3"}),
    },
    refused={
        "c1_other_product": refused("atlas_inference", "Atlas inference products"),
        "c2_batches_differ": refused("host", "where B = 2", seqused_q="int32 2", seqused_k="int32 3"),
        "c3_long_lengths": refused("host", "seqused_k is int64", seqused_k="int64 2"),
        "c4_heads": refused(NEW, "num_heads_q is 65", num_heads_q=65),
        "c5_heads": refused("a3", "num_heads_q is 32", num_heads_q=32),
        "c6_key_heads": refused("host", "num_heads_k is 2", num_heads_k=2),
        "c7_head_size": refused("a2", "head_dim is 64", head_dim=64),
        "c8_topk": refused("host", "topk is 0", topk=0),
        "c9_longest": refused("a2", "max_seqlen_q is -2", layout_q="TND", max_seqlen_q=-2),
        "c10_topk": refused(NEW, "topk is 8193", topk=8193),
        "c11_topk": refused("a3", "topk is 2049", topk=2049),
        "c12_layouts": refused("host", "BSND/TND", layout_k="TND"),
        "c13_pages": refused("a3", "layout_k is 'BSND'", layout_k="BSND"),
        "c14_mask": refused("host", "mask_mode is 1", mask_mode=1),
        "c15_ratio": refused("host", "cmp_ratio is 0", cmp_ratio=0),
        "c16_ratio": refused("a2", "cmp_ratio is 12", **RATIO | {"cmp_ratio": 12}),
        "c17_no_batch": refused("a3", "batch_size not given with layout_q BSND", batch_size=None),
        "c17_sizes": refused("a2", "max_seqlen_k not given", max_seqlen_k=None),
        "c18_no_residual": refused("host", "cmp_residual_k missing", **RATIO | {"cmp_residual_k": None}),
        "c19_sums": refused("host", "cu_seqlens_q given", cu_seqlens_q="int32 3"),
        "c20_residual": refused(
            "host", "cmp_residual_k[1] is -1", **RATIO | {"cmp_residual_k": tensor("int32 2", [0, -1])}
        ),
        "c21_batches": refused("a3", "batches B is 65536", seqused_k="int32 65536"),
    },
)

test_base, test_legal, test_refused, test_complete = suite_of(CASES)
