"""Every constraint of indexer_quant_cache in its four modes."""

import math

from npu_cases import Cases, make_call, refused, suite_of, tensor

from sparse_attn.dialect.npu import SPECS
from sparse_attn.dialect.npu.facts import result_facts

BASE = SPECS["indexer_quant_cache"].example
MX8 = {"quant_mode": "mxfp8", "cache_scale": "float8_e8m0fnu 9 16 1 2 2"}
MX4 = {"quant_mode": "mxfp4", "cache": "float4_e2m1fn_x2 9 16 1 64", "cache_scale": "float8_e8m0fnu 9 16 1 4"}
HIF8 = {"quant_mode": "hifloat8", "cache": "uint8 9 16 1 128"}
CHIP, ALL = "ascend950", ("ascend950", "host")

CASES = Cases(
    "indexer_quant_cache",
    BASE,
    legal={
        "mxfp8": (ALL, MX8),
        "mxfp8_flat_scales": (ALL, MX8 | {"cache_scale": "float8_e8m0fnu 9 16 1 4"}),
        "mxfp4": (ALL, MX4),
        "hifloat8": (ALL, HIF8),
        "half": (ALL, {"x": "float16 5 128"}),
    },
    refused={
        "c1_other_chip": refused("a2", "Atlas A2"),
        "c2_slots": refused("host", "slot_mapping has shape", slot_mapping="int32 4"),
        "c3_long_slots": refused("host", "slot_mapping is int64", slot_mapping="int64 5"),
        "c3_mode_scale": refused(
            "host", "cache_scale is float32 where float8_e8m0fnu", **MX8 | {"cache_scale": "float32 9 16 1 4"}
        ),
        "c4_mode": refused("host", "quant_mode is 'fp4'", quant_mode="fp4"),
        "c5_scale": refused("host", "x_scale is inf", x_scale=math.inf),
        "c6_narrow": refused("host", "cache has rows of 64, keys need 128", cache="float8_e4m3fn 9 16 1 64"),
        "c7_scales": refused("host", "cache_scale has 2 columns", **MX8 | {"cache_scale": "float8_e8m0fnu 9 16 1 1 2"}),
        "c8_slot": refused("host", "slot_mapping holds 200", slot_mapping=tensor("int32 5", 200)),
        "c9_empty": refused(CHIP, "x is empty", x="bfloat16 0 128", slot_mapping="int32 0"),
        "c10_strided": refused(CHIP, "x has strides", x=tensor("bfloat16 5 128", strides=(256, 1))),
    },
)

test_base, test_legal, test_refused, test_complete = suite_of(CASES)


def test_the_ir_form_returns_both_caches():
    call = make_call(CASES.spec, "host", BASE | MX4)
    assert CASES.spec.check(call) == []
    assert result_facts(CASES.spec, call) == [((9, 16, 1, 64), "!npu.fp4x2"), ((9, 16, 1, 4), "f8E8M0FNU")]
