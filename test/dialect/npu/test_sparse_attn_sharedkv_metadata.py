"""The plan of sparse_attn_sharedkv: the rules of its quantised sibling's plan, on Atlas."""

from npu_cases import Cases, refused, suite_of, tensor

from sparse_attn.dialect.npu import SPECS

BASE = SPECS["sparse_attn_sharedkv_metadata"].example
CHIP, ALL = "a2", ("a3", "a2", "host")

CASES = Cases(
    "sparse_attn_sharedkv_metadata",
    BASE,
    legal={"packed": (ALL, {"layout_q": "TND", "cu_seqlens_q": "int32 3"}), "compressed": (ALL, {"cmp_ratio": 4})},
    refused={
        "c1_other_chip": refused("ascend950", "Ascend 950PR"),
        "c2_batches_differ": refused(
            "host", "where B = 2", cu_seqlens_q="int32 3", seqused_kv="int32 3", layout_q="TND"
        ),
        "c3_long_lengths": refused("host", "seqused_kv is int64", seqused_kv="int64 2"),
        "c4_heads": refused(CHIP, "num_heads_q is 128", num_heads_q=128),
        "c5_key_heads": refused("host", "num_heads_kv is 2", num_heads_kv=2),
        "c6_head_size": refused(CHIP, "head_dim is 640", head_dim=640),
        "c7_width": refused("host", "ori_topk is -1", ori_topk=-1),
        "c8_layout": refused("host", "layout_q is 'SBH'", layout_q="SBH"),
        "c9_layout": refused("host", "layout_kv is 'BSND'", layout_kv="BSND"),
        "c10_mask": refused("host", "ori_mask_mode is 0", ori_mask_mode=0),
        "c11_mask": refused("host", "cmp_mask_mode is 0", cmp_mask_mode=0),
        "c12_window": refused("host", "ori_win_left is -1", ori_win_left=-1),
        "c13_window": refused("host", "ori_win_right is -1", ori_win_right=-1),
        "c14_ratio": refused(CHIP, "cmp_ratio is 8", cmp_ratio=8),
        "c15_no_length": refused(CHIP, "seqused_kv missing", seqused_kv=None),
        "c16_no_sums": refused(CHIP, "cu_seqlens_q missing", layout_q="TND"),
        "c17_sums": refused("host", "cu_seqlens_q given", cu_seqlens_q="int32 3"),
        "c18_reserved": refused("host", "seqused_q given", seqused_q="int32 2"),
        "c19_width": refused("host", "cmp_topk is -1", cmp_topk=-1),
        "c20_length": refused("host", "seqused_kv[0] is -4", seqused_kv=tensor("int32 2", [-4, 0])),
        "c21_batches": refused(CHIP, "batches B is 0", seqused_kv="int32 0"),
    },
)

test_base, test_legal, test_refused, test_complete = suite_of(CASES)
