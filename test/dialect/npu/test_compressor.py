"""Every constraint of compressor, and the shapes of its results."""

from npu_cases import Cases, make_call, refused, suite_of, tensor

from sparse_attn.dialect.npu import SPECS
from sparse_attn.dialect.npu.facts import result_facts

BASE = SPECS["compressor"].example
PACKED = {"x": "bfloat16 13 256", "cu_seqlens": "int32 3"}
CHIP, ALL = "ascend950", ("ascend950", "a3", "host")

CASES = Cases(
    "compressor",
    BASE,
    legal={
        "packed": (ALL, PACKED),
        "ratio_128": (ALL, {"cmp_ratio": 128, "coff": 1, "ape": "float32 128 1024"}),
        "any_ratio": (("host",), {"cmp_ratio": 3, "ape": "float32 3 1024"}),
        "lengths": (ALL, {"seqused": "int32 2", "start_pos": "int32 2", "state_block_table": "int32 2 3"}),
    },
    refused={
        "c1_other_chip": refused("a2", "Atlas A2"),
        "c2_hidden": refused("host", "wkv has shape", wkv="bfloat16 1024 128"),
        "c3_state": refused("host", "state_cache is bfloat16", state_cache="bfloat16 5 8 2048"),
        "c4_coff": refused("host", "coff is 3", coff=3),
        "c5_ratio": refused("a3", "cmp_ratio is 8", cmp_ratio=8, ape="float32 8 1024"),
        "c6_width": refused(
            "host",
            "wkv has 1023 rows with coff 2",
            wkv="bfloat16 1023 256",
            wgate="bfloat16 1023 256",
            ape="float32 4 1023",
        ),
        "c7_bias": refused("host", "ape has 8 rows with cmp_ratio 4", ape="float32 8 1024"),
        "c8_sums_missing": refused("host", "cu_seqlens missing", **PACKED | {"cu_seqlens": None}),
        "c8_sums_given": refused("host", "x has 3 axes, cu_seqlens given", cu_seqlens="int32 3"),
        "c9_cache": refused("host", "cache_mode is 0", cache_mode=0),
        "c10_sums": refused("host", "ends with 12", **PACKED | {"cu_seqlens": tensor("int32 3", [0, 5, 12])}),
        "c11_used": refused("host", "seqused[0] asks for 11", seqused=tensor("int32 2", [11, 1])),
        "c12_empty": refused(CHIP, "x is empty", x="bfloat16 2 0 256"),
        "c13_strided": refused(CHIP, "x has strides", x=tensor("bfloat16 2 10 256", strides=(5120, 512, 1))),
    },
)

test_base, test_legal, test_refused, test_complete = suite_of(CASES)


def test_result_shapes():
    """Batched: ceil(10 / 4) rows; packed: min(13, 13 // 4 + 2) rows; both as wide as one half of the projection."""
    for changes, rows in (({}, (2, 3, 512)), (PACKED, (5, 512)), (PACKED | {"x": "bfloat16 ? 256"}, (None, 512))):
        call = make_call(CASES.spec, "host", BASE | changes)
        assert CASES.spec.check(call) == []
        assert result_facts(CASES.spec, call) == [((5, 8, 2048), "f32"), (rows, "bf16")]


def test_few_packed_tokens_are_not_padded_beyond_their_number():
    call = make_call(CASES.spec, "host", BASE | PACKED | {"x": "bfloat16 1 256"})
    assert CASES.spec.check(call) == []
    assert CASES.spec.result_facts(call) == [((1, 512), "bfloat16")]
