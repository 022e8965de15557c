"""Every constraint of the plan of quant_sparse_flash_mla."""

from npu_cases import Cases, refused, suite_of, tensor

from sparse_attn.dialect.npu import SPECS

BASE = SPECS["quant_sparse_flash_mla_metadata"].example
TND = {"layout_q": "TND", "layout_kv": "TND", "max_seqlen_q": 3, "max_seqlen_ori_kv": 40, "batch_size": None}
CHIP, ALL = "ascend950", ("ascend950", "host")

CASES = Cases(
    "quant_sparse_flash_mla_metadata",
    BASE,
    legal={
        "packed": (ALL, TND | {"cu_seqlens_q": "int32 3", "cu_seqlens_ori_kv": "int32 3"}),
        "pages": (ALL, {"layout_kv": "PA_BBND", "seqused_ori_kv": "int32 2", "cmp_ratio": 4, "cmp_mask_mode": 3}),
        "no_tensor_at_all": (ALL, {"has_cmp_kv": False}),
    },
    refused={
        "c1_other_chip": refused("a2", "Atlas A2"),
        "c2_batches_differ": refused("host", "where B = 2", seqused_q="int32 2", seqused_ori_kv="int32 3"),
        "c3_long_lengths": refused("host", "seqused_q is int64", seqused_q="int64 2"),
        "c4_heads": refused(CHIP, "num_heads_q is 129", num_heads_q=129),
        "c5_key_heads": refused("host", "num_heads_kv is 2", num_heads_kv=2),
        "c6_head_size": refused(CHIP, "head_dim is 640", head_dim=640),
        "c7_mode": refused("host", "quant_mode is 2", quant_mode=2),
        "c8_layouts": refused("host", "BSND/TND", layout_kv="TND"),
        "c9_mask": refused("host", "ori_mask_mode is 2", ori_mask_mode=2),
        "c10_mask": refused("host", "cmp_mask_mode is 4", cmp_mask_mode=4),
        "c11_ratio": refused("host", "cmp_ratio is 256", cmp_ratio=256),
        "c12_window": refused("host", "ori_win_left is -3", ori_win_left=-3),
        "c13_window": refused("host", "ori_win_right is -3", ori_win_right=-3),
        "c14_no_batch": refused(CHIP, "batch_size is 0 with layout_q BSND", batch_size=None),
        "c14_no_longest": refused(CHIP, "max_seqlen_q and max_seqlen_ori_kv", layout_q="TND", layout_kv="TND"),
        "c15_sums": refused("host", "cu_seqlens_q given without layout_q TND", cu_seqlens_q="int32 3"),
        "c16_width": refused("host", "ori_topk is -1", ori_topk=-1),
        "c17_width": refused("host", "cmp_topk is -1", cmp_topk=-1),
        "c18_residual": refused("host", "cmp_residual_kv[0] is 4", cmp_ratio=4, cmp_residual_kv=tensor("int32 2", 4)),
        "c19_no_batch": refused(CHIP, "batches B is 0", seqused_q="int32 0"),
        "c20_reserved": refused(CHIP, "cmp_topk_length given to a plan: reserved", cmp_topk_length="int32 2 3 1"),
    },
)

test_base, test_legal, test_refused, test_complete = suite_of(CASES)


def test_none_means_the_documented_default():
    scalars = CASES.spec.scalars({})
    assert scalars["cmp_ratio"] == 1 and scalars["layout_kv"] == "BSND" and scalars["has_cmp_kv"] is True
    assert scalars["ori_win_left"] == -1 and scalars["batch_size"] == 0
