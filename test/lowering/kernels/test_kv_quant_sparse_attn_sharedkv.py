"""npu_kv_quant_sparse_attn_sharedkv: pages of 640-byte rows, its fixed window, ratios and list widths."""

import contracts
import pytest
from contracts import draft, refusal, v4

from sparse_attn.lowering.quantize.mark import MARK

KERNEL = "custom::npu_kv_quant_sparse_attn_sharedkv"


def decided(text, mark="kv_fp8", **options):
    attribute = f'{MARK} = "{mark}", ori_mask' if mark else "ori_mask"
    return contracts.decided(text.replace("ori_mask", attribute), KERNEL, "ascend950", **options)


def sizes(piece):
    return tuple(d.const for d in piece.dims)


@pytest.mark.parametrize(("mode", "ratio"), [("SWA", 1), ("HCA", 128), ("CSA", 4)])
def test_pages_of_packed_rows(mode, ratio):
    found = draft(decided(v4(mode, keys=384)))
    assert sizes(found.tensors["ori_kv"]) == (3, 128, 1, 640) and found.tensors["ori_kv"].dtype == "f8E4M3FN"
    assert ("cmp_kv" in found.tensors) == (mode != "SWA") and found.scalars["cmp_ratio"] == ratio
    rows = {"kv_quant_mode": 1, "tile_size": 64, "rope_head_dim": 64}
    assert rows.items() <= found.scalars.items()
    assert found.tensors["q"].dtype == "bf16"
    assert "ori_kv is quantised whole at each call, to rows of kv_fp8" in found.notes


def test_rows_that_are_no_whole_pages_are_copied_first():
    found = draft(decided(v4("SWA", keys=130)))
    assert sizes(found.tensors["ori_kv"])[-1] == 640
    assert any("copied to pages: 130 rows" in note for note in found.notes)


REFUSED = {
    "heads": ({"heads": 32}, "query heads N1 is 32, not 64 or 128"),
    "window": ({"keys": 300, "left": 99}, "ori_win_left is 99"),
    "sinks": ({"drop": ("sinks",)}, "it has no sinks; the kernel requires them"),
    "list": ({"mode": "CSA", "keys": 300, "k": 20}, "list width K2 is 20, not 512 or 1024"),
    "ratio": ({"mode": "HCA", "keys": 300, "ratio": 8}, "cmp_ratio is 8 with cmp_kv, not 4 or 128"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_limits_are_those_of_the_spec(name):
    changes, reason = REFUSED[name]
    assert reason in refusal(decided(v4(**{"mode": "SWA", **changes})))


def test_not_without_the_mark_and_not_for_another():
    assert refusal(decided(v4("SWA"), mark="")) == "the graph is not quantised: pass options={'quantize': ...}"
    assert refusal(decided(v4("SWA"), mark="hif8")) == "it is to be quantised to hif8; the kernel reads kv_fp8"
