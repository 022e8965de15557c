"""Latent attention of whole models with absorbed projections: equal to eager, and on chips the kernels that need it."""

import pytest
import torch
from models import decode, prefill

from sparse_attn.tools.tiny_families import EAGER_ONLY, FAMILIES
from sparse_attn.tools.tiny_models import deepseek_v32

LAYERS = 2
KERNEL_SIZES = {  # the widths the chips' kernels know; few heads, so that it stays small
    "kv_lora_rank": 512, "qk_rope_head_dim": 64, "index_head_dim": 128, "index_n_heads": 64,
}  # fmt: skip


def static(model, length=44):
    from transformers import StaticCache

    return lambda: StaticCache(config=model.config, max_cache_len=length)


def runs(model, mode, **options):
    if mode == "prefill":
        return prefill(model, batch=2, **options)
    if mode == "dynamic prefill":
        return prefill(model, dynamic=True, **options)
    return decode(model, static(model) if mode == "static decode" else lambda: None, 40, 3, **options)


def notes(pair):
    return [[n for n in f.notes if n.startswith("projections are")] for f in pair.findings("attention")]


def check_all_absorbed(pair):
    torch.testing.assert_close(pair.compiled, pair.eager, rtol=1e-5, atol=1e-5)
    assert all(f.fused for f in pair.findings("attention"))
    assert notes(pair) and all(len(n) == 1 and "projections are absorbed" in n[0] for n in notes(pair)), notes(pair)


def family(name):
    model = FAMILIES[name]()
    if name in EAGER_ONLY:
        model.set_attn_implementation("eager")
    return model


def test_decoding_absorbs_by_itself_and_prefill_does_not():
    pair = runs(deepseek_v32(layers=1), "decode")
    torch.testing.assert_close(pair.compiled, pair.eager, rtol=1e-5, atol=1e-5)
    first, *steps = notes(pair)
    assert "projections are not absorbed: it costs more" in first[0]
    assert steps and all("projections are absorbed, it costs less" in n[0] for n in steps), steps


@pytest.mark.parametrize("mode", ["dynamic prefill", "static decode"])
def test_deepseek_v32(mode):
    check_all_absorbed(runs(deepseek_v32(layers=1), mode, absorb="on"))


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["prefill", "dynamic prefill", "decode", "static decode"])
@pytest.mark.parametrize("name", ["deepseek_v32", "glm_moe_dsa", "axk2", "hy_v4"])
def test_families(name, mode):
    check_all_absorbed(runs(family(name), mode, absorb="on"))


@pytest.mark.slow
def test_layers_that_share_keys_and_lists():
    check_all_absorbed(prefill(family("mistral_large4"), absorb="on"))


@pytest.mark.slow
def test_a_window_of_latent_keys_without_an_indexer():
    pair = prefill(family("dots3_note"), absorb="on")
    check_all_absorbed(pair)
    assert sorted("window" in f.became for f in pair.findings("attention")) == [False, True]


def on_chip(target, mode):
    model = deepseek_v32(layers=1, **KERNEL_SIZES).to(torch.bfloat16)
    pair = runs(model, mode, target=target)
    text = "\n".join(r.text() for r in pair.reports)
    became = {kind: {f.became for f in pair.findings(kind)} for kind in ("indexer", "attention")}
    assert became["attention"] == {f"npu::npu_sparse_flash_attention on {target}"}, text
    (indexer,) = became["indexer"]
    assert indexer.endswith(f"lightning_indexer on {target}"), text
    assert all("for a kernel of the chip" in n[0] for n in notes(pair))
    scale = pair.eager.float().abs().max()
    assert (pair.compiled.float() - pair.eager.float()).abs().max() <= 2**-6 * scale


@pytest.mark.parametrize(("target", "mode"), [("a3", "static decode"), ("ascend950", "prefill")])
def test_both_operators_of_a_chip_are_called(target, mode):
    on_chip(target, mode)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["prefill", "static decode"])
@pytest.mark.parametrize("target", ["ascend950", "a3", "a2"])
def test_every_chip(target, mode):
    on_chip(target, mode)


def test_a_chip_without_a_kernel_of_these_widths_returns_to_torch():
    model = deepseek_v32(layers=1).to(torch.bfloat16)
    pair = prefill(model, target="a3")
    (found,) = pair.findings("attention")
    assert not found.fused and "its key rows are 80 channels with 64 of value" in str(found)
    assert torch.equal(pair.eager, pair.compiled)
