"""The option `aclgraph` through torch.compile."""

import pytest
import torch

from sparse_attn import StaticSparseCache, aclgraph
from sparse_attn.backend import sparse_attn
from sparse_attn.tools.tiny_models import deepseek_v32


class Step(torch.nn.Module):
    """A decode step with a cache of its own and an indexer: scores, top-k, attention over the picked keys."""

    def __init__(self, width=64, k=8):
        super().__init__()
        self.k = k
        self.register_buffer("keys", torch.zeros(4, width, 16), persistent=False)

    def forward(self, query, row, lengths):
        self.keys.index_put_((torch.arange(query.shape[0]), lengths), row)
        scores = torch.einsum("bhd,btd->bht", query, self.keys).relu().sum(1)
        hidden = torch.arange(self.keys.shape[1])[None] > lengths[:, None]
        picked = scores.masked_fill(hidden, float("-inf")).topk(self.k).indices
        chosen = torch.zeros_like(hidden).scatter(1, picked, True) & ~hidden
        logits = torch.einsum("bhd,btd->bht", query, self.keys) * 0.25
        return torch.einsum("bht,btd->bhd", logits.masked_fill(~chosen[:, None], float("-inf")).softmax(-1), self.keys)


def inputs(length, seed):
    draw = torch.Generator().manual_seed(seed)
    lengths = torch.tensor([length, max(0, length - 2), 0, length // 2])
    return torch.randn(4, 2, 16, generator=draw), torch.randn(4, 16, generator=draw), lengths


def compiled(function, **options):
    torch._dynamo.reset()
    aclgraph.reset()
    return torch.compile(function, backend=sparse_attn, fullgraph=True, options={"aclgraph": True, **options})


def test_lengths_from_nothing_to_far_beyond_k_replay_one_graph():
    model, twin = Step(), Step()
    run = compiled(model)
    with torch.inference_mode():
        for seed, length in enumerate((0, 4, 7, 8, 9, 30, 63)):
            torch.testing.assert_close(run(*inputs(length, seed)), twin(*inputs(length, seed)), rtol=1e-5, atol=1e-5)
            assert torch.equal(model.keys, twin.keys)
    total = aclgraph.statistics()
    assert (total.captures, total.replays, total.fallbacks.total()) == (1, 6, 0)


def test_explaining_prints_the_plan(capsys, tmp_path):
    with torch.no_grad():
        compiled(Step(), explain=True)(*inputs(3, 0))
        text = capsys.readouterr().out
        compiled(Step(), explain=str(tmp_path / "out"))(*inputs(3, 0))
    assert "initialised once: 1 buffer(s)" in text and "updates between replays: none" in text
    assert "initialised once: 1 buffer(s)" in (tmp_path / "out").read_text()


def reading(x):
    longest = x.long().max().item()
    return x.exp() + torch.full((3,), longest)


def test_an_illegal_graph_runs_eagerly_or_in_pieces_and_names_the_users_line():
    with torch.no_grad(), torch._dynamo.config.patch(capture_scalar_outputs=True):
        for piecewise in (False, True):
            run = compiled(reading, piecewise=piecewise)
            for n in range(3):
                x = torch.arange(3.0) + n
                torch.testing.assert_close(run(x), reading(x))
            total = aclgraph.statistics()
            assert bool(total.replays) == piecewise
            if not piecewise:
                ((reason, count),) = total.fallbacks.items()
                assert count == 3 and reason.startswith("test_compile.py:") and "reads a device value" in reason


def greedy(run, cache, steps):
    ids = torch.randint(3, 500, (2, 5), generator=torch.Generator().manual_seed(1))
    out = []
    for _ in range(steps):
        logits = run(ids, past_key_values=cache, use_cache=True).logits[:, -1:]
        out.append(logits)
        ids = logits.argmax(-1)
    return torch.cat(out, 1)


@pytest.mark.slow
def test_decoding_with_a_static_cache_replays_every_step():
    """Experts as batched products: other implementations choose tokens by value, which has no fixed size."""
    model = deepseek_v32(layers=1)
    model.set_experts_implementation("batched_mm")
    run = compiled(model)
    with torch.no_grad():
        expected = greedy(model, StaticSparseCache(model, 2, 16), 6)
        result = greedy(run, StaticSparseCache(model, 2, 16), 6)
    torch.testing.assert_close(result, expected, rtol=1e-5, atol=1e-5)
    total = aclgraph.statistics()
    assert (total.captures, total.replays, total.fallbacks.total()) == (2, 4, 0)
