"""npu_kv_quant_sparse_attn_sharedkv: pages of 640-byte rows, its fixed window, ratios and list widths."""

import contracts
import pytest
import torch
from contracts import draft, refusal, v4
from quantised_ir import lowered
from run_ir import inputs

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
    assert "ori_kv is quantised whole at each call" in found.notes


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


CACHE, ROWS = "!torch.vtensor<[1,250,1,512],bf16>", "!torch.vtensor<[1,6,1,512],bf16>"
WHOLE, BUILT = "!torch.vtensor<[1,256,1,512],bf16>", "tensor<1x256x1x512xbf16>"
MADE = f"""%one = torch.constant.int 1
  %all = torch.prim.ListConstruct %cache, %rows : ({CACHE}, {ROWS}) -> !torch.list<vtensor>
  %key = torch.aten.cat %all, %one : !torch.list<vtensor>, !torch.int -> {WHOLE}
  %kv = torch_c.to_builtin_tensor %key : {WHOLE} -> {BUILT}"""


def written(returned=False):
    """A window over a key that older rows and new ones make; the key is returned too if asked."""
    text = v4("SWA", keys=256).replace(f"%kv: {BUILT}", f"%cache: {CACHE}, %rows: {ROWS}")
    head, body = text.split("{\n", 1)
    text = f"{head}{{\n  {MADE}\n{body}"
    out = "tensor<1x3x64x512xbf16>"
    if returned:
        text = text.replace(f"-> {out} {{", f"-> ({out}, {WHOLE}) {{")
        text = text.replace(f"return %a#0 : {out}", f"return %a#0, %key : {out}, {WHOLE}")
    return text


def test_rows_are_packed_where_they_are_written():
    """Whole pages are a view of the key: the same bits as with the whole key packed, which is never made."""
    options = {"quantize": "attention=kv_fp8", "target": "ascend950"}
    found, whole = (lowered(written(returned), **options) for returned in (False, True))
    assert "ori_kv is quantised where its rows are written" in found.notes
    assert len(found.values("torch.sparse_attn.quantise")) == 2 and len(whole.values("torch.sparse_attn.quantise")) == 1
    values = inputs(found.module)
    assert torch.equal(found.results(values)[0], whole.results(values)[0])


def test_pages_that_are_a_copy_are_packed_whole():
    assert "ori_kv is quantised whole at each call: its pages are a copy" in draft(decided(v4("SWA", keys=130))).notes
