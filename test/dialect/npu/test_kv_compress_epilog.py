"""Every constraint of kv_compress_epilog, its row sizes, and its three published forms."""

import pytest
from npu_cases import Cases, make_call, refused, suite_of, tensor

from sparse_attn.dialect.npu import SPECS
from sparse_attn.dialect.npu.facts import result_facts
from sparse_attn.dialect.npu.kv_compress_epilog import row_bytes

BASE = SPECS["kv_compress_epilog"].example
CHIP, ALL = "ascend950", ("ascend950", "host")

CASES = Cases(
    "kv_compress_epilog",
    BASE,
    legal={
        "exactly_the_row": (ALL, {"cache": "uint8 9 16 1 583"}),
        "fp8_bf16": (ALL, {"quant_mode": "fp8_bf16", "cache": "uint8 9 16 1 608"}),
        "hifloat8_fp4": (ALL, {"quant_mode": "hifloat8_fp4", "cache": "uint8 9 16 1 512"}),
        "two_axes": (ALL, {"cache": "float8_e4m3fn 144 640"}),
        "three_axes": (ALL, {"cache": "float8_e4m3fn 144 1 640"}),
        "groups_of_fp4": (
            ALL,
            {"quant_mode": "hifloat8_fp4", "quant_group_size": 16, "cache": "uint8 9 16 1 352", "x": "bfloat16 5 512"},
        ),
        "columns_in_a_broken_group": (("host",), {"x": "bfloat16 5 500"}),
        "long_slots": (ALL, {"slot_mapping": tensor("int64 5", [-1, 0, 143, 7, -1])}),
    },
    refused={
        "c1_other_chip": refused("a3", "Atlas A3"),
        "c2_slots": refused("host", "slot_mapping has shape [4]", slot_mapping="int32 4"),
        "c3_rows": refused("host", "x is float16", x="float16 5 512"),
        "c3_other_bytes": refused("host", "cache is float8_e5m2", cache="float8_e5m2 9 16 1 640"),
        "c4_mode": refused("host", "quant_mode is 'mxfp8'", quant_mode="mxfp8"),
        "c5_group": refused(
            "host", "quant_group_size is 48, not 16 or 32 or 64", quant_group_size=48, quant_mode="hifloat8_fp4"
        ),
        "c5_group_of_fp8": refused("host", "quant_group_size is 32, in fp8_e8m0 it is 64", quant_group_size=32),
        "c6_no_rotary": refused("host", "x has 64 columns", x="bfloat16 5 64"),
        "c7_narrow": refused("host", "rows of 582 bytes, fp8_e8m0 of 512 columns needs 583", cache="uint8 9 16 1 582"),
        "c8_groups": refused("host", "d - 64 = 440 is no multiple", x="bfloat16 5 504", quant_mode="hifloat8_fp4"),
        "c9_slot": refused("host", "slot_mapping holds 144", slot_mapping=tensor("int32 5", [0, 1, 144, -1, 2])),
        "c9_negative": refused("host", "slot_mapping holds -2", slot_mapping=tensor("int32 5", -2)),
        "c10_empty": refused(CHIP, "x is empty", x="bfloat16 0 512", slot_mapping="int32 0"),
        "c11_strided": refused(CHIP, "x has strides", x=tensor("bfloat16 5 512", strides=(1024, 1))),
        "c12_columns": refused(CHIP, "columns d is 500, not 128 to 8192 in steps of 64", x="bfloat16 5 500"),
    },
)

test_base, test_legal, test_refused, test_complete = suite_of(CASES)


@pytest.mark.parametrize(("mode", "size"), [("fp8_e8m0", 583), ("fp8_bf16", 608), ("hifloat8_fp4", 320)])
def test_row_sizes_of_512_columns(mode, size):
    assert row_bytes(512, mode, 64) == size


def test_the_ir_form_returns_the_new_cache():
    call = make_call(CASES.spec, "host", BASE)
    assert CASES.spec.check(call) == []
    assert result_facts(CASES.spec, call) == [((9, 16, 1, 640), "ui8")]


def test_the_earlier_forms_translate_names_and_mode_numbers():
    spec = CASES.spec
    for namespace in ("custom", "_C_ascend"):
        variant = spec.variant(namespace)
        theirs = {
            "kv_compress_cache": 1,
            "x": 2,
            "slot_mapping": 3,
            "quant_mode": 2,
            "round_scale_flag": False,
            **variant.only,
        }
        ours = {"cache": 1, "x": 2, "slot_mapping": 3, "quant_mode": "fp8_e8m0", "round_scale": False, "x_scale": 1.0}
        assert spec.from_variant(variant, theirs) == ours
        assert spec.to_variant(variant, ours) == theirs
        with pytest.raises(ValueError, match="has no argument for x_scale"):
            spec.to_variant(variant, ours | {"x_scale": 2.0})


def test_an_undocumented_mode_number_is_refused_by_the_mode_rule():
    spec = CASES.spec
    ours = spec.from_variant(spec.variant("custom"), {"quant_mode": 4})
    found = spec.check(make_call(spec, "host", BASE | ours | {"x_scale": None}))
    assert "[c4] quant_mode is 'number 4'" in found[0].message
