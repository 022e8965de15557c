"""Every constraint of indexer_compress_epilog_v2."""

from npu_cases import Cases, refused, suite_of, tensor

from sparse_attn.dialect.npu import SPECS

BASE = SPECS["indexer_compress_epilog_v2"].example
CHIP, ALL = "ascend950", ("ascend950", "host")
CACHE = "indexer_compress_cache"

CASES = Cases(
    "indexer_compress_epilog_v2",
    BASE,
    legal={
        "two_groups": (ALL, {CACHE: "uint8 9 16 1 200", "x": "float16 5 192"}),
        "blocks_apart": (ALL, {CACHE: tensor("uint8 9 16 1 132", strides=(4224, 132, 132, 1))}),
    },
    refused={
        "c1_other_chip": refused("a2", "Atlas A2"),
        "c2_slots": refused("host", "slot_mapping has shape", slot_mapping="int32 4"),
        "c3_slots": refused("host", "slot_mapping is int64", slot_mapping="int64 5"),
        "c4_layout": refused("host", "layout is 1", layout=1),
        "c5_no_room_for_scales": refused(
            "host", "rows of 128 bytes, keys need 132", indexer_compress_cache="uint8 9 16 1 128"
        ),
        "c6_heads": refused("host", "indexer_compress_cache has 2 heads", indexer_compress_cache="uint8 9 16 2 132"),
        "c7_slot": refused("host", "slot_mapping holds 144", slot_mapping=tensor("int32 5", 144)),
        "c8_empty": refused(CHIP, "x is empty", x="bfloat16 0 128", slot_mapping="int32 0"),
        "c9_rows_apart": refused(
            CHIP, "has strides", indexer_compress_cache=tensor("uint8 9 16 1 132", strides=(4224, 264, 132, 1))
        ),
    },
)

test_base, test_legal, test_refused, test_complete = suite_of(CASES)


def test_it_returns_nothing_but_the_cache():
    assert CASES.spec.schema.mutated == ("indexer_compress_cache",) and CASES.spec.results == ()
