"""Keys that the graph puts together: quantised row by row where only the op reads them, whole where others do."""

import pytest
import torch
from contracts import attention, function, indexer
from quantised_ir import lowered
from run_ir import inputs

from sparse_attn.lowering import kernels
from sparse_attn.lowering.kernels.contract import Contract
from sparse_attn.lowering.quantize.formats import READERS

QUANTISE, WRITE = "torch.sparse_attn.quantise", "torch.sparse_attn.write_codes"
CACHE, ROWS, INDEX = "!torch.vtensor<[2,30,128],bf16>", "!torch.vtensor<[2,3,128],bf16>", "!torch.vtensor<[3],si64>"
WHOLE = "!torch.vtensor<[2,33,128],bf16>"
WRITES = {
    "cat": f"""%all = torch.prim.ListConstruct %cache, %rows : ({CACHE}, {ROWS}) -> !torch.list<vtensor>
  %key = torch.aten.cat %all, %one : !torch.list<vtensor>, !torch.int -> {WHOLE}""",
    "cat, dim from the end": f"""%minus = torch.constant.int -2
  %all = torch.prim.ListConstruct %cache, %rows : ({CACHE}, {ROWS}) -> !torch.list<vtensor>
  %key = torch.aten.cat %all, %minus : !torch.list<vtensor>, !torch.int -> {WHOLE}""",
    "index_copy": f"""%key = torch.operator "torch.aten.index_copy"(%cache, %one, %index, %rows)
    : ({CACHE}, !torch.int, {INDEX}, {ROWS}) -> {CACHE}""",
    "index_put": f"""%none = torch.constant.none
  %false = torch.constant.bool false
  %at = torch.prim.ListConstruct %none, %index : (!torch.none, {INDEX}) -> !torch.list<optional<vtensor>>
  %key = torch.aten.index_put %cache, %at, %rows, %false
    : {CACHE}, !torch.list<optional<vtensor>>, {ROWS}, !torch.bool -> {CACHE}""",
}
NOT_PLAIN = {
    "added, not written": WRITES["index_put"].replace("bool false", "bool true"),
    "along the channels": """%two = torch.constant.int 2
  %part = torch.constant.int 0
  %all = torch.prim.ListConstruct %left, %right : (!torch.vtensor<[2,30,64],bf16>, !torch.vtensor<[2,30,64],bf16>)
    -> !torch.list<vtensor>
  %key = torch.aten.cat %all, %two : !torch.list<vtensor>, !torch.int -> !torch.vtensor<[2,30,128],bf16>""",
}  # fmt: skip


def module(write, returned="", k=8):
    """An indexer over a key that `write` makes, whose list an attention uses; the key is returned too if asked."""
    kind = WHOLE if "aten.cat" in write and "left" not in write else CACHE
    keys = 33 if kind == WHOLE else 30
    arguments = {
        "iq": "tensor<2x4x64x128xbf16>", "iw": "tensor<2x4x64xf32>", "cache": CACHE, "rows": ROWS, "index": INDEX,
        "left": "!torch.vtensor<[2,30,64],bf16>", "right": "!torch.vtensor<[2,30,64],bf16>",
        "q": "tensor<2x4x1x64xbf16>", "kv": f"tensor<2x{keys}x1x64xbf16>",
    }  # fmt: skip
    built = f"tensor<2x{keys}x128xbf16>"
    given = {"query": f"%iq : {arguments['iq']}", "key": f"%built : {built}", "weights": f"%iw : {arguments['iw']}"}
    lines = ["%one = torch.constant.int 1", write, f"%built = torch_c.to_builtin_tensor %key : {kind} -> {built}"]
    lines.append(indexer(given, {"k": k}, f"2x4x{k}"))
    lines.append(_attention(arguments, f"tensor<2x4x{k}xi32>"))
    text = function(arguments, "\n  ".join(lines), "%a#0", arguments["q"])
    if returned:
        text = text.replace(f"-> {arguments['q']} {{", f"-> ({arguments['q']}, {kind}) {{")
        text = text.replace(f"return %a#0 : {arguments['q']}", f"return %a#0, %key : {arguments['q']}, {kind}")
    return text


def _attention(arguments, listed):
    tensors = {
        "query": f"%q : {arguments['q']}",
        "ori_kv": f"%kv : {arguments['kv']}",
        "ori_indices": f"%i#0 : {listed}",
    }
    return attention(tensors, {}, arguments["q"][7:-1])


@pytest.fixture
def quantised(monkeypatch):
    """Lowers a module's indexer to a format; its attention is taken as it is, so that selection keeps both."""
    any_attention = Contract(
        kernel="sparse_attn::attention", implements="sparse_attn.attention", targets=("ascend950",)
    )
    monkeypatch.setattr(kernels, "CONTRACTS", [*kernels.CONTRACTS, any_attention])
    return lambda text, name: lowered(text, quantize=f"indexer={name}", target="ascend950")


def given(made, seed=0):
    """Inputs, with rows 4, 11 and 2 written."""
    index = torch.tensor([4, 11, 2])
    return inputs(made.module, seed, arg4=index)


@pytest.mark.parametrize("name", READERS["indexer"])
@pytest.mark.parametrize("write", WRITES)
def test_rows_are_quantised_where_they_are_written(write, name, quantised):
    """The same picks as with the whole key quantised, bit for bit; the whole key itself is not made."""
    found, whole = quantised(module(WRITES[write]), name), quantised(module(WRITES[write], returned="key"), name)
    assert "key is quantised where its rows are written" in found.notes
    assert len(found.values(QUANTISE)) == 3, "the query, the older rows, the new ones"
    assert not [
        op for op in ("cat", "index_copy", "index_put") for v in found.values(f"torch.aten.{op}") if v.dtype == "bf16"
    ]
    assert bool(found.values(WRITE)) == ("index" in write)
    assert len(whole.values(QUANTISE)) == 2
    values = given(found)
    assert torch.equal(found.results(values)[0], whole.results(values)[0])


@pytest.mark.parametrize("write", WRITES)
def test_a_key_that_is_returned_is_quantised_whole(write, quantised):
    found = quantised(module(WRITES[write], returned="key"), "fp8")
    wanted = "key is quantised whole at each call: its cache with the new rows is also returned or read elsewhere"
    assert wanted in found.notes and len(found.values(QUANTISE)) == 2 and not found.values(WRITE)


@pytest.mark.parametrize("write", NOT_PLAIN)
def test_a_write_of_another_kind_is_quantised_whole(write, quantised):
    found = quantised(module(NOT_PLAIN[write]), "fp8")
    assert len(found.values(QUANTISE)) == 2 and not found.values(WRITE)
    (note,) = [n for n in found.notes if n.startswith("key is quantised")]
    assert note == "key is quantised whole at each call: its rows are not written by one index along the keys"


def test_a_key_that_is_an_input_is_quantised_whole(quantised):
    found = quantised(module("%key = torch.aten.relu %cache : " + f"{CACHE} -> {CACHE}"), "int8")
    assert "key is quantised whole at each call" in found.notes and len(found.values(QUANTISE)) == 2
