"""Decoding with a static cache is one graph, whatever the lengths; every site in it fuses, and it writes in place."""

import pytest
import torch
from caches import PAD, alone, columns, one_thread, ragged, same, tiny  # noqa: F401  # one_thread is a fixture
from models import tokens
from torch._dynamo.testing import CompileCounterWithBackend

from sparse_attn import StaticSparseCache, backend
from sparse_attn.backend import collecting

SITES = {
    "deepseek_v4": [
        "sparse_attn.attention (cmp_indices, sinks, causal, compressed keys, ratio 4)",
        "sparse_attn.attention (sinks, causal)",
        "sparse_attn.attention (sinks, causal, compressed keys, ratio 16)",
        "sparse_attn.lightning_indexer",
    ],
    "deepseek_v32": ["sparse_attn.attention (ori_indices, causal)"] * 2 + ["sparse_attn.lightning_indexer"] * 2,
}
AFTER_PREFILL = [[1, 1, 1]] * 34  # past the window, past k entries, through every number of pending tokens


def compiled(model, chosen="sparse_attn"):
    torch._dynamo.reset()
    return torch.compile(model, backend=backend.sparse_attn if chosen == "sparse_attn" else chosen, fullgraph=True)


def after_prefill(model, run):
    """`run` for calls of one column, the model itself for longer ones."""
    return lambda ids, **extra: (run if ids.shape[1] == 1 else model)(ids, **extra)


@pytest.fixture
def emitted(monkeypatch):
    """The graphs handed to who runs them."""
    graphs, inner = [], backend._inner

    def spy(graph, inputs, options):
        made = inner(graph, inputs, options)
        graphs.append(graph)
        return made

    monkeypatch.setattr(backend, "_inner", spy)
    return graphs


@pytest.mark.parametrize("name", SITES)
@torch.no_grad()
def test_34_steps_are_one_fused_graph(name, emitted):
    """Three requests of different lengths, left padded at first."""
    model, calls = tiny(name), [[21, 3, 0], [4, 1, 9], *AFTER_PREFILL]
    cache = StaticSparseCache(model, 3, 64)
    with collecting() as reports:
        got = ragged(after_prefill(model, compiled(model)), cache, calls, left=True)
    assert len(emitted) == len(reports) == 1
    assert sorted(f.became for f in reports[0]) == SITES[name] and all(f.fused for f in reports[0])
    same(got, alone(model, calls))
    for a, b in zip(got, alone(model, calls), strict=True):
        assert torch.equal(a.argmax(-1), b.argmax(-1))
    _writes_in_place(emitted[0], len(cache.buffers()))


def _writes_in_place(graph, buffers):
    """Rows are written where they lie, nothing but the logits is returned, and no buffer of keys is copied whole."""
    targets = [node.target for node in graph.graph.nodes]
    (returned,) = next(node for node in graph.graph.nodes if node.op == "output").args
    assert len(returned) == 1, "a graph that returns what a cache holds has addresses that change"
    copied = [node.args[0].meta["val"] for node in graph.graph.nodes if node.target is torch.ops.aten.copy_.default]
    assert all(value.dim() < 2 or value.shape[1] == 4 for value in copied), "only lengths and overlaps are small enough"
    written = len(copied) + targets.count(torch.ops.aten.index_put_.default)
    assert written == buffers, "a buffer is not written, or written twice"


@torch.no_grad()
def test_overflow_in_a_graph_stores_nothing():
    model, ids = tiny("deepseek_v4"), tokens(1, 1)
    cache = StaticSparseCache(model, 1, 3)
    run = compiled(model)
    for _ in range(3):
        run(ids, past_key_values=cache)
    before = {name: buffer.clone() for name, buffer in cache.buffers().items()}
    with pytest.raises(RuntimeError, match=r"more than max_cache_len=3 tokens\. Nothing was stored"):
        run(ids, past_key_values=cache)
    assert all(torch.equal(buffer, before[name]) for name, buffer in cache.buffers().items())
    cache.reset()
    run(ids, past_key_values=cache)
    assert cache.lengths.tolist() == [1]


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2, 4])
@pytest.mark.parametrize("name", SITES)
@torch.no_grad()
def test_each_number_of_query_tokens_is_one_graph(name, count):
    """Idle requests and padded ones are in the same graph; another cache of the same size too."""
    model = tiny(name)
    counter = CompileCounterWithBackend("eager")
    run = compiled(model, counter)
    calls = [[min(count, 1 + (i + b) % 3) * (i % 4 != b) for b in range(3)] for i in range(32)]
    calls = [c if max(c) == count else [count, *c[1:]] for c in calls]
    masked = lambda ids, attention_mask, **extra: run(  # noqa: E731
        ids, attention_mask=torch.ones_like(ids) if attention_mask is None else attention_mask, **extra
    )
    for _ in range(2):
        same(ragged(masked, StaticSparseCache(model, 3, 140), calls), alone(model, calls))
    assert counter.frame_count == 1


@pytest.mark.slow
@pytest.mark.parametrize("chosen", ["eager", "sparse_attn"])
@pytest.mark.parametrize("name", SITES)
@torch.no_grad()
def test_generate_is_a_prefill_and_one_decode_graph(name, chosen):
    model, prompts = tiny(name), [9, 3, 6]
    settings = {"max_new_tokens": 36, "do_sample": False, "eos_token_id": None, "pad_token_id": PAD}
    expected = [model.generate(tokens(3, 300)[b : b + 1, :n], **settings)[0, n:] for b, n in enumerate(prompts)]
    ids, mask = columns(tokens(3, 300), [0, 0, 0], prompts, left=True)
    counter = CompileCounterWithBackend(backend.sparse_attn if chosen == "sparse_attn" else chosen)
    cache = StaticSparseCache(model, 3, 48)
    torch._dynamo.reset()
    model.forward = torch.compile(model.forward, backend=counter, fullgraph=True)
    made = model.generate(ids, attention_mask=mask, past_key_values=cache, **settings)
    assert counter.frame_count == 2
    assert all(torch.equal(made[b, ids.shape[1] :], expected[b]) for b in range(3))


@pytest.mark.slow
@pytest.mark.parametrize("target", ["ascend950", "a3"])
@torch.no_grad()
def test_a_single_token_is_proven_for_the_chips(target):
    """Lengths on the device say how many keys a request sees: V4's kernels need no promise by the user."""
    sizes = {"head_dim": 512, "num_attention_heads": 64, "index_n_heads": 64, "index_head_dim": 128, "index_topk": 512}
    ratios = {"compressed_sparse_attention": 4, "heavily_compressed_attention": 128}
    model = tiny("deepseek_v4", sliding_window=128, compress_rates=ratios, **sizes).bfloat16()
    torch._dynamo.reset()
    run = torch.compile(model, backend=backend.sparse_attn, fullgraph=True, options={"target": target})
    with collecting() as reports:
        logits = run(tokens(2, 1), past_key_values=StaticSparseCache(model, 2, 4096)).logits
    assert len(reports) == 1 and len(list(reports[0])) == 4
    assert all(f.fused and target in f.became for f in reports[0]), reports[0].text()
    assert logits.isfinite().all()
