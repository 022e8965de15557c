"""Every constraint of the plan of kv_quant_sparse_attn_sharedkv."""

from npu_cases import Cases, refused, suite_of, tensor

from sparse_attn.dialect.npu import SPECS

BASE = SPECS["kv_quant_sparse_attn_sharedkv_metadata"].example
TND = {"layout_q": "TND", "cu_seqlens_q": "int32 3"}
CHIP, ALL = "ascend950", ("ascend950", "host")

CASES = Cases(
    "kv_quant_sparse_attn_sharedkv_metadata",
    BASE,
    legal={
        "packed": (ALL, TND),
        "compressed": (ALL, {"cmp_ratio": 4, "cmp_topk": 512, "num_heads_q": 128}),
        "spelled_out": (ALL, {"tile_size": 64, "rope_head_dim": 64, "device": "npu:1"}),
    },
    refused={
        "c1_other_chip": refused("a2", "Atlas A2"),
        "c2_batches_differ": refused(
            "host", "where B = 2", cu_seqlens_q="int32 3", seqused_kv="int32 3", layout_q="TND"
        ),
        "c3_long_lengths": refused("host", "seqused_kv is int64", seqused_kv="int64 2"),
        "c4_heads": refused(CHIP, "num_heads_q is 32", num_heads_q=32),
        "c5_key_heads": refused("host", "num_heads_kv is 2", num_heads_kv=2),
        "c6_head_size": refused(CHIP, "head_dim is 640", head_dim=640),
        "c7_mode": refused("host", "kv_quant_mode is 10", kv_quant_mode=10),
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


def test_the_two_namespaces_differ_in_keywords_and_device_only():
    custom, vllm = (CASES.spec.variant(name).schema for name in ("custom", "_C_ascend"))
    assert [p.name for p in custom.params] == [p.name for p in vllm.params]
    assert custom["seqused_kv"].keyword_only and not vllm["seqused_kv"].keyword_only
    differing = [p.name for p in custom.params if p.has_default and p.default != vllm[p.name].default]
    assert differing == ["device"]
