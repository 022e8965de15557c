"""Graphs cut at what may not be captured."""

import torch
from capture import graph

from sparse_attn.aclgraph.captured import Captured, all_captured
from sparse_attn.aclgraph.pieces import cut


def work(cache, x):
    """A write, a host read in the middle, and a read of what was written."""
    cache.add_(x)
    largest = cache.max().item()
    return cache * 2 + 1, (cache - largest).exp()


def pieces(function, *args):
    module = graph(function, *args, mode="symbolic")
    before = set(all_captured())
    made = cut(module, [])
    return made, [c for c in all_captured() if c not in before]


def test_legal_stretches_are_captured_and_the_rest_runs_each_time():
    made, captured = pieces(work, torch.zeros(4), torch.ones(4))
    assert len(captured) == 2 and all(c.plan.legal for c in captured)
    cache, twin = torch.zeros(4), torch.zeros(4)
    for n in range(3):
        x = torch.arange(4.0) + n
        assert all(map(torch.equal, made(cache, x), work(twin, x)))
        assert torch.equal(cache, twin)
    assert sorted((c.statistics.captures, c.statistics.replays) for c in captured)[0][0] >= 1
    assert all(not c.statistics.fallbacks for c in captured)


def test_a_cache_is_written_in_its_own_memory_by_a_piece():
    made, captured = pieces(work, torch.zeros(4), torch.ones(4))
    (writer,) = [c for c in captured if any(b.mutated for b in c.plan.program.buffers.values())]
    cache = torch.zeros(4)
    for n in range(3):
        made(cache, torch.ones(4))
        assert cache.tolist() == [n + 1.0] * 4
    assert writer.statistics.captures == 1 and writer.statistics.replays == 2


def test_a_legal_graph_is_not_cut():
    assert cut(graph(lambda x: (x + 1,), torch.ones(2)), []) is None


def test_sizes_by_data_stay_outside():
    def picked(x):
        return ((x * 2)[x > 0].sum() + x.sum(),)

    made, captured = pieces(picked, torch.ones(4))
    assert captured
    for x in (torch.tensor([1.0, -1.0, 2.0, 0.0]), torch.ones(4), -torch.ones(4)):
        assert torch.equal(made(x)[0], picked(x)[0])


def test_the_whole_graph_would_have_run_eagerly():
    whole = Captured(graph(work, torch.zeros(4), torch.ones(4), mode="symbolic"))
    whole(torch.zeros(4), torch.ones(4))
    ((reason, _),) = whole.statistics.fallbacks.items()
    assert "reads a device value on the host" in reason


def test_a_view_of_a_cache_crosses_a_cut_without_a_copy():
    def views(cache, x):
        tail = cache[1:]
        largest = x.max().item()
        cache.mul_(2)
        return (tail + largest,)

    made, captured = pieces(views, torch.ones(4), torch.ones(4))
    cache, twin = torch.ones(4), torch.ones(4)
    for n in range(3):
        x = torch.arange(4.0) * n
        assert torch.equal(made(cache, x)[0], views(twin, x)[0]), "the view sees the write behind the cut"
    lives = {b.name: b.life for c in captured for b in c.plan.program.buffers.values() if b.life != "scratch"}
    assert "rewritten" not in {life for name, life in lives.items() if name.startswith(("cache", "slice"))}
