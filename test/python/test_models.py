"""Unmodified DeepSeek-V3.2 and V4: every site fuses, and the logits stay eager's."""

import models
import pytest
import torch

from sparse_attn.tools import tiny_models

V32, V4 = (2, 2), (1, 3)  # (indexers, attentions) of the tiny models


@pytest.mark.parametrize("length", [16, 32, 33, 61], ids=["below-k", "at-k", "above-k", "odd"])
@pytest.mark.parametrize("batch", [1, 2])
def test_deepseek_v32_prefill(batch, length):
    models.prefill(tiny_models.deepseek_v32(), batch, length).check(*V32)


@pytest.mark.parametrize("attention", ["sdpa", "eager"])
def test_deepseek_v32_left_padding(attention):
    model = tiny_models.deepseek_v32()
    model.set_attn_implementation(attention)
    models.prefill(model, batch=2, length=48, pad=7).check(*V32)


def test_deepseek_v32_dynamic_prefill():
    models.prefill(tiny_models.deepseek_v32(), length=48, dynamic=True).check(*V32)


def test_deepseek_v32_automatic_dynamic_prefill():
    """The second length makes the graph dynamic; both stay equal and fused."""
    model = tiny_models.deepseek_v32()
    from sparse_attn.backend import collecting, sparse_attn

    compiled = torch.compile(model, backend=sparse_attn, fullgraph=True)
    torch._dynamo.reset()
    with torch.no_grad(), collecting() as reports:
        for length in (40, 24, 56):
            ids = models.tokens(1, length)
            torch.testing.assert_close(compiled(ids).logits, model(ids).logits, rtol=1e-5, atol=1e-5)
    assert len(reports) == 2 and all(f.fused for r in reports for f in r)


def test_deepseek_v32_dynamic_cache_decode():
    pair = models.decode(tiny_models.deepseek_v32(), lambda: None, length=40, steps=4)
    pair.check(indexers=6, attentions=6)  # prefill, first step, later steps


@pytest.mark.parametrize("batch", [1, 2])
def test_deepseek_v32_static_cache_decode(batch):
    from transformers import StaticCache

    model = tiny_models.deepseek_v32()
    pair = models.decode(model, lambda: StaticCache(config=model.config, max_cache_len=64), 40, 4, batch)
    pair.check(indexers=4, attentions=4)


@pytest.mark.parametrize("length", [3, 4, 5, 17, 64], ids=lambda n: f"length-{n}")
def test_deepseek_v4_prefill(length):
    """With fewer than two compressed entries there is nothing to choose from, and no indexer site."""
    indexers = 1 if length >= 8 else 0
    models.prefill(tiny_models.deepseek_v4(), 1, length).check(indexers, 3)


@pytest.mark.parametrize("dynamic", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["static", "dynamic"])
def test_deepseek_v4_batches(dynamic):
    models.prefill(tiny_models.deepseek_v4(), 2, 61, dynamic).check(*V4)


def test_deepseek_v4_left_padding():
    """Padding is pooled into compressed entries by the model itself; that is reproduced."""
    models.prefill(tiny_models.deepseek_v4(), 2, 64, pad=7).check(*V4)


def test_deepseek_v4_decode():
    pair = models.decode(tiny_models.deepseek_v4(), lambda: None, length=64, steps=3)
    torch.testing.assert_close(pair.compiled, pair.eager, rtol=1e-5, atol=1e-5)
    assert all(f.fused for r in pair.reports for f in r), [str(f) for r in pair.reports for f in r if not f.fused]
    assert all(len([f for f in r if f.kind == "attention"]) == 3 for r in pair.reports)


def test_windows_ratios_and_sinks_are_read():
    reports = models.prefill(tiny_models.deepseek_v4()).reports
    became = [f.became for r in reports for f in r if f.kind == "attention"]
    assert became == [
        "sparse_attn.attention (sinks, window 16)",
        "sparse_attn.attention (cmp_indices, sinks, window 16, compressed keys, ratio 4)",
        "sparse_attn.attention (sinks, window 16, compressed keys, ratio 16)",
    ]


@pytest.mark.parametrize("name", ["deepseek_v32", "deepseek_v4"])
def test_bf16_fuses_and_is_no_further_from_fp32(name):
    """Whole-model bf16 flips top-k picks; compiled must not stray further from fp32 than eager bf16 does."""
    exact = getattr(tiny_models, name)()
    with torch.no_grad():
        truth = exact(models.tokens(1, 48), use_cache=False).logits
    pair = models.prefill(getattr(tiny_models, name)().bfloat16(), length=48)
    assert all(f.fused for r in pair.reports for f in r)
    eager, compiled = ((x.float() - truth).abs().mean() for x in (pair.eager, pair.compiled))
    assert compiled <= eager * 1.5


@pytest.mark.slow
@pytest.mark.parametrize("name", ["deepseek_v32", "deepseek_v4"])
def test_greedy_tokens_over_32_steps(name):
    pair = models.decode(getattr(tiny_models, name)(), lambda: None, length=64, steps=32)
    assert torch.equal(pair.eager.argmax(-1), pair.compiled.argmax(-1))
    assert all(f.fused for r in pair.reports for f in r), [str(f) for r in pair.reports for f in r if not f.fused]


@pytest.mark.parametrize(("name", "batch", "sites"), [("deepseek_v32", 2, V32), ("deepseek_v4", 1, V4)])
def test_default_decompositions_are_understood(name, batch, sites):
    """Graphs taken apart by AOTAutograd (bmm over flattened batches, attention as softmax) fuse all the same."""
    from torch._functorch.aot_autograd import aot_module_simplified, make_boxed_func

    from sparse_attn import backend
    from sparse_attn.options import Options

    def compile_inference(graph, inputs):
        assert not any("scaled_dot_product" in str(n.target) for n in graph.graph.nodes)
        return make_boxed_func(backend.optimize(graph, Options()).forward)

    def decomposing(module, inputs):
        compiler = {"fw_compiler": compile_inference, "inference_compiler": compile_inference}
        return aot_module_simplified(module, inputs, **compiler)

    torch._dynamo.reset()
    model = getattr(tiny_models, name)()
    ids = models.tokens(batch, 48)
    with torch.no_grad(), backend.collecting() as reports:
        expected = model(ids, use_cache=False).logits
        got = torch.compile(model, backend=decomposing, fullgraph=True)(ids, use_cache=False).logits
    models.Pair(expected, got, reports).check(*sites)
