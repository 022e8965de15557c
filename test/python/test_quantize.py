"""`options={"quantize": ...}` end to end: off changes nothing, on runs quantised kernels, wrong values are named."""

import dataclasses
import pickle

import pytest
import torch
from quantised import attend, inputs, outcome

from sparse_attn import backend
from sparse_attn.errors import BadOption
from sparse_attn.options import QUANTIZE, Options

INDEXER, MLA = (
    "cann_ops_transformer.quant_lightning_indexer.default",
    "cann_ops_transformer.quant_sparse_flash_mla.default",
)
ROWS = "custom.npu_kv_quant_sparse_attn_sharedkv.default"
QUANTISE = "sparse_attn.quantise.default"


def relative(found, wanted):
    return ((found.float() - wanted.float()).norm() / wanted.float().norm()).item()


def test_off_changes_nothing(monkeypatch):
    """The emitted graph is the one without the option, operator by operator."""
    args = inputs()
    plain, _, kernels = outcome(monkeypatch, attend, *args, target="ascend950")
    found, text, same = outcome(monkeypatch, attend, *args, target="ascend950", quantize={})
    assert same == kernels and torch.equal(found, plain)
    assert "quant" not in "".join(kernels) and "quantised to" not in text


@pytest.mark.parametrize("name", QUANTIZE["indexer"])
def test_an_indexer_runs_quantised(monkeypatch, name):
    """With 16 of up to 40 keys picked at random scores, a wrong pick among 128 window keys moves an output little."""
    args = inputs()
    found, text, kernels = outcome(
        monkeypatch, lambda *a: attend(*a, k=16), *args, target="ascend950", quantize={"indexer": name}
    )
    assert kernels.count(INDEXER) == 1 and kernels.count(QUANTISE) == 2
    assert f"note: quantised to {name}, ranked in bf16" in text
    assert relative(found, attend(*args, k=16)) < (0.2 if name == "mxfp4" else 0.1)


def test_attention_runs_in_hif8(monkeypatch):
    args = inputs()
    found, text, kernels = outcome(monkeypatch, attend, *args, target="ascend950", quantize={"attention": "hif8"})
    assert kernels.count(MLA) == 1 and kernels.count(QUANTISE) == 3 and INDEXER not in kernels
    assert "note: ori_kv is quantised whole at each call" in text and found.dtype == torch.bfloat16
    assert 0.01 < relative(found, attend(*args)) < 0.078


def test_decode_over_packed_rows(monkeypatch):
    """One token over 2400 keys: 600 compressed ones, of which 512 are picked."""
    args = inputs(1, 2400)
    found, text, kernels = outcome(monkeypatch, attend, *args, target="ascend950", quantize={"attention": "kv_fp8"})
    assert kernels.count(ROWS) == 1 and kernels.count(QUANTISE) == 2
    assert 0.01 < relative(found, attend(*args)) < 0.056
    assert "fused: custom::npu_kv_quant_sparse_attn_sharedkv on ascend950" in text


def test_the_older_chips_quantise_the_indexer_only(monkeypatch):
    args = inputs(1, 2400)
    found, text, kernels = outcome(
        monkeypatch, attend, *args, target="a3", quantize={"indexer": "int8", "attention": "hif8"}
    )
    assert INDEXER in kernels and MLA not in kernels
    assert "note: not quantised to hif8: a3 has no attention kernel that reads hif8; compile for" in text
    assert relative(found, attend(*args)) < 0.1


def test_the_host_has_no_quantised_kernels(monkeypatch):
    args = inputs()
    found, text, kernels = outcome(monkeypatch, attend, *args, target="host", quantize={"indexer": "fp8"})
    assert kernels == ["sparse_attn.lightning_indexer.default", "sparse_attn.attention.default"]
    assert "note: not quantised to fp8: host has no indexer kernel that reads fp8" in text
    assert relative(found, attend(*args)) < 0.006


def test_new_rows_are_quantised_as_they_are_written(monkeypatch):
    iq, ik, *rest = inputs(1, 2400)

    def step(iq, old, new, *rest):
        return attend(iq, torch.cat([old, new], 1), *rest)

    def keeping(iq, old, new, *rest):
        key = torch.cat([old, new], 1)
        return attend(iq, key, *rest), key

    args = (iq, ik[:, :-4], ik[:, -4:], *rest)
    found, text, kernels = outcome(monkeypatch, step, *args, target="ascend950", quantize={"indexer": "mxfp8"})
    assert kernels.count(QUANTISE) == 3 and "note: key is quantised where its rows are written" in text
    kept, text, kernels = outcome(monkeypatch, keeping, *args, target="ascend950", quantize={"indexer": "mxfp8"})
    assert kernels.count(QUANTISE) == 2 and "note: key is quantised whole at each call: its cache with the new" in text
    assert torch.equal(found, kept[0]) and torch.equal(kept[1], ik)


BAD = {
    "not a dict": ("fp8", "quantize is 'fp8'; give None or a dict of \"indexer\": 'int8' or 'fp8'"),
    "kind": (
        {"cache": "fp8"},
        "quantize holds 'cache'; it can hold \"indexer\": 'int8' or 'fp8' or 'hif8' or 'mxfp8' or",
    ),
    "indexer": (
        {"indexer": "int4"},
        "quantize has 'int4' for 'indexer'; it can be 'int8', 'fp8', 'hif8', 'mxfp8', 'mxfp4'",
    ),
    "attention": ({"attention": "fp8"}, "quantize has 'fp8' for 'attention'; it can be 'hif8', 'kv_fp8'"),
    "type": ({"attention": True}, "quantize has True for 'attention'"),
    "list": ({"indexer": ["int8"]}, "quantize has ['int8'] for 'indexer'"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_value_is_named_with_what_is_allowed(name):
    given, message = BAD[name]
    with pytest.raises(BadOption) as raised:
        Options.of({"quantize": given})
    assert message in str(raised.value)


def test_what_is_asked_for_is_kept_in_one_order_and_can_be_a_key():
    made = Options.of({"quantize": {"attention": "hif8", "indexer": "int8"}})
    assert made.quantize == (("indexer", "int8"), ("attention", "hif8"))
    assert hash(made) == hash(pickle.loads(pickle.dumps(made)))
    assert Options.of({"quantize": None}) == Options() == dataclasses.replace(made, quantize=())


def test_a_graph_without_sites_is_not_touched():
    with torch.no_grad(), backend.collecting() as reports:
        compiled = torch.compile(lambda x: x + 1, backend=backend.sparse_attn, options={"quantize": {"indexer": "fp8"}})
        assert torch.equal(compiled(torch.zeros(3)), torch.ones(3))
    assert not reports
