"""Every constraint of indexer_compress_epilog, and its published forms."""

import math

from npu_cases import Cases, refused, suite_of, tensor

from sparse_attn.dialect.npu import SPECS

BASE = SPECS["indexer_compress_epilog"].example
CHIP, ALL = "ascend950", ("ascend950", "host")

CASES = Cases(
    "indexer_compress_epilog",
    BASE,
    legal={
        "mx": (ALL, {"quant_mode": 0, "indexer_compress_scale": "float8_e8m0fnu 144 4"}),
        "hifloat8": (ALL, {"quant_mode": 2, "indexer_compress_cache": "uint8 144 128"}),
        "long_slots": (ALL, {"slot_mapping": "int64 5"}),
    },
    refused={
        "c1_other_chip": refused("a3", "Atlas A3"),
        "c2_rows_differ": refused("host", "where slots = 144", indexer_compress_scale="float32 100 1"),
        "c3_scale": refused(
            "host", "indexer_compress_scale is float8_e8m0fnu", indexer_compress_scale="float8_e8m0fnu 144 1"
        ),
        "c4_mode": refused("host", "quant_mode is 3", quant_mode=3),
        "c5_scale": refused("host", "scale is inf", scale=math.inf),
        "c6_narrow": refused("host", "rows of 64, keys need 128", indexer_compress_cache="float8_e4m3fn 144 64"),
        "c7_slot": refused("host", "slot_mapping holds 144", slot_mapping=tensor("int32 5", 144)),
        "c8_empty": refused(CHIP, "x is empty", x="bfloat16 0 128", slot_mapping="int32 0"),
        "c9_strided": refused(CHIP, "x has strides", x=tensor("bfloat16 5 128", strides=(256, 1))),
    },
)

test_base, test_legal, test_refused, test_complete = suite_of(CASES)


def test_vllm_names_the_scale_cache_otherwise_and_has_no_fixed_scale():
    spec = CASES.spec
    variant = spec.variant("_C_ascend")
    ours = spec.from_variant(variant, {"indexer_compress_cache_scale": 1, "quant_mode": 1})
    assert ours == {"indexer_compress_scale": 1, "quant_mode": 1, "scale": 1.0}
    assert spec.to_variant(variant, ours) == {"indexer_compress_cache_scale": 1, "quant_mode": 1}
