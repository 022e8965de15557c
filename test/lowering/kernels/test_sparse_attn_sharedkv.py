"""npu_sparse_attn_sharedkv: keys in pages, one uncompressed length for both segments, and what it does not take."""

import pytest
from contracts import decided, draft, refusal, v4

KERNEL = "custom::npu_sparse_attn_sharedkv"


def sharedkv(target="a3", **changes):
    return decided(v4(**changes), KERNEL, target)


@pytest.mark.parametrize("mode, keys, ratio", [("SWA", 256, 1), ("CSA", 256, 4), ("HCA", 256, 128)])
def test_pages_and_one_length(mode, keys, ratio):
    found = draft(sharedkv(mode=mode, keys=keys))
    assert found.scalars["cmp_ratio"] == ratio and found.scalars["ori_mask_mode"] == 4
    assert [d.const for d in found.tensors["ori_kv"].dims] == [2, 128, 1, 512]
    assert [d.const for d in found.tensors["ori_block_table"].dims] == [1, 2]
    assert "seqused_kv" in found.tensors and ("cmp_kv" in found.tensors) == (mode != "SWA")


def test_copies_are_named():
    assert "the window's key is copied to pages: 130 rows" in " ".join(draft(sharedkv(mode="SWA", keys=130)).notes)
    assert not draft(sharedkv(mode="SWA", keys=256)).notes


REFUSED = {
    "a trimmed window": (
        {"keys": 128, "compressed": 64, "start": 255, "tokens": 3},
        "the uncompressed length 128 is not proven to be 258",
    ),
    "compressed keys of another length": (
        {"mode": "HCA", "keys": 128, "compressed": 2, "start": 255, "tokens": 1},
        "the uncompressed length 128 is not",
    ),
    "ratio": ({"mode": "HCA", "keys": 256, "ratio": 8}, "cmp_ratio is 8 with cmp_kv, not 4 or 128"),
    "list": ({"keys": 256, "k": 16}, "list width K2 is 16, not 512"),
    "window": ({"mode": "SWA", "keys": 256, "left": 63}, "ori_win_left is 63, not 127"),
    "heads": ({"mode": "SWA", "heads": 32}, "query heads N1 is 32, not 64"),
    "dtype": ({"mode": "SWA", "dtype": "f32"}, "query is f32"),
    "sinks": ({"mode": "SWA", "drop": ("sinks",)}, "it has no sinks"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name):
    changes, reason = REFUSED[name]
    assert reason in refusal(sharedkv(**changes))


def test_the_first_decode_step_of_whole_caches():
    """One token that sees all compressed keys there are: the ratio of the mode must give that many."""
    seen = {"attributes": {"cmp_mask": "none", "cmp_ratio": 1}, "drop": ("cmp_visible",), "tokens": 1}
    assert draft(sharedkv(mode="HCA", keys=256, compressed=2, **seen))
    assert "have not the 3 compressed keys" in refusal(sharedkv(mode="HCA", keys=256, compressed=3, **seen))
