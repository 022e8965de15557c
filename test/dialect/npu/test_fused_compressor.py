"""Every constraint of fused_compressor, and how its two namespaces differ from the plain operator."""

import math

from npu_cases import Cases, make_call, refused, suite_of, tensor

from sparse_attn.dialect.npu import SPECS

BASE = SPECS["fused_compressor"].example
PACKED = {"x": "bfloat16 13 1024", "cu_seqlens": "int32 3"}
PACKED |= {"rope_sin": "bfloat16 5 64", "rope_cos": "bfloat16 5 64"}
HEAVY = {
    "cmp_ratio": 128,
    "coff": 1,
    "ape": "float32 128 512",
    "wkv": "bfloat16 512 1024",
    "wgate": "bfloat16 512 1024",
}
HEAVY |= {"rope_sin": "bfloat16 2 1 64", "rope_cos": "bfloat16 2 1 64", "state_cache": "float32 5 16 1024"}
CHIP, ALL = "ascend950", ("ascend950", "a3", "host")

CASES = Cases(
    "fused_compressor",
    BASE,
    legal={
        "packed": (ALL, PACKED),
        "heavy": (ALL, HEAVY),
        "halves_on_host": (("host",), {"rotary_mode": 1}),
        "lengths": (ALL, {"seqused": "int32 2", "start_pos": "int32 2", "state_block_table": "int32 2 3"}),
    },
    refused={
        "c1_other_chip": refused("a2", "Atlas A2"),
        "c2_hidden": refused("host", "wkv has shape", wkv="bfloat16 1024 512"),
        "c3_weight": refused("host", "norm_weight is float32", norm_weight="float32 512"),
        "c4_coff": refused("host", "coff is 3", coff=3),
        "c5_ratio": refused("a3", "cmp_ratio is 8", cmp_ratio=8, ape="float32 8 1024"),
        "c6_width": refused(
            "host", "wkv has 1023 rows", wkv="bfloat16 1023 1024", wgate="bfloat16 1023 1024", ape="float32 4 1023"
        ),
        "c7_bias": refused("host", "ape has 8 rows with cmp_ratio 4", ape="float32 8 1024"),
        "c8_sums_missing": refused("host", "cu_seqlens missing", **PACKED | {"cu_seqlens": None}),
        "c9_cache": refused("host", "cache_mode is 0", cache_mode=0),
        "c10_sums": refused("host", "ends with 12", **PACKED | {"cu_seqlens": tensor("int32 3", [0, 5, 12])}),
        "c11_used": refused("host", "seqused[0] asks for 11", seqused=tensor("int32 2", [11, 1])),
        "c12_empty": refused(CHIP, "x is empty", x="bfloat16 2 0 1024"),
        "c13_strided": refused(CHIP, "rope_cos has strides", rope_cos=tensor("bfloat16 2 3 64", strides=(384, 128, 1))),
        "c14_weight": refused("host", "norm_weight has 500 elements", norm_weight="bfloat16 500"),
        "c15_odd": refused("host", "rope_head_dim is 63", rope_head_dim=63),
        "c15_width": refused("host", "rope_sin has 64 columns", rope_head_dim=32),
        "c16_rows": refused("host", "rope_sin has rows [2, 2]", rope_sin="bfloat16 2 2 64"),
        "c17_mode": refused("host", "rotary_mode is 3", rotary_mode=3),
        "c18_halves": refused("a3", "rotary_mode is 1", rotary_mode=1),
        "c19_width": refused(
            CHIP, "rope_head_dim is 32", rope_head_dim=32, rope_sin="bfloat16 2 3 32", rope_cos="bfloat16 2 3 32"
        ),
        "c20_widths": refused(
            CHIP,
            "D, coff, cmp_ratio are 512, 2, 128",
            cmp_ratio=128,
            ape="float32 128 1024",
            rope_sin="bfloat16 2 1 64",
            rope_cos="bfloat16 2 1 64",
        ),
        "c21_hidden": refused(
            CHIP, "hidden size H is 1000", x="bfloat16 2 10 1000", wkv="bfloat16 1024 1000", wgate="bfloat16 1024 1000"
        ),
        "c22_block": refused(CHIP, "size is 8", state_cache="float32 5 8 2048"),
        "c23_eps": refused("host", "norm_eps is inf", norm_eps=math.inf),
    },
)

test_base, test_legal, test_refused, test_complete = suite_of(CASES)


def test_both_namespaces_say_the_same_in_another_order():
    """Everything may be positional in _C_ascend; custom puts lengths behind a star."""
    custom, vllm = (CASES.spec.variant(name).schema for name in ("custom", "_C_ascend"))
    assert {p.name for p in custom.params} == {p.name for p in vllm.params}
    assert [p.name for p in custom.params][8:10] == ["rope_head_dim", "cmp_ratio"]
    assert [p.name for p in vllm.params][8:10] == ["state_block_table", "cu_seqlens"]
    assert not any(p.keyword_only for p in vllm.params)


def test_the_rotary_tensors_have_the_rows_of_the_result():
    call = make_call(CASES.spec, "host", BASE | PACKED)
    assert CASES.spec.check(call) == [] and CASES.spec.result_facts(call) == [((5, 512), "bfloat16")]
