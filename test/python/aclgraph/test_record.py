"""The host graph against running the graph again."""

import gc

import pytest
import torch
from capture import decode, graph, step

from sparse_attn.aclgraph.record import HostGraph


def recorded(function, *inputs):
    return HostGraph(graph(function, *inputs), inputs)


def test_a_replay_sees_the_new_inputs_and_writes_the_same_memory():
    x = torch.randn(3, 4)
    host = recorded(lambda x: (x.t().matmul(x).softmax(-1), x.sum()), x)
    places = [out.data_ptr() for out in host.outputs]
    for seed in range(3):
        x.copy_(torch.randn(3, 4, generator=torch.Generator().manual_seed(seed)))
        host.replay()
        torch.testing.assert_close(host.outputs[0], x.t().matmul(x).softmax(-1), rtol=0, atol=0)
        assert torch.equal(host.outputs[1], x.sum())
        assert [out.data_ptr() for out in host.outputs] == places


def test_recording_is_the_first_run_and_happens_once():
    counter = torch.zeros(())
    host = recorded(lambda counter: (counter.add_(1),), counter)
    assert counter == 1
    host.replay()
    assert counter == 2


def test_views_are_not_taken_again():
    x = torch.randn(2, 6)
    host = recorded(lambda x: (x.view(3, 4).transpose(0, 1)[1:].unsqueeze(0) + 1,), x)
    assert len(host) == 1
    x.mul_(2)
    host.replay()
    assert torch.equal(host.outputs[0], x.view(3, 4).t()[1:][None] + 1)


def test_a_reshape_that_copies_is_no_view():
    x = torch.randn(4, 6)
    host = recorded(lambda x: (x.t().reshape(-1).mul(2),), x)
    x.copy_(torch.randn(4, 6))
    host.replay()
    assert torch.equal(host.outputs[0], x.t().reshape(-1) * 2)


def test_writes_keep_their_place_among_reads():
    """A read in front of a write must see the old value at every replay, one behind it the new one."""
    cache, row = torch.zeros(4), torch.ones(4)

    def work(cache, row):
        before = cache + 0
        cache.add_(row)
        return before, cache * 1

    host = recorded(work, cache, row)
    for done in (1, 2, 3):
        assert host.outputs[0].tolist() == [done - 1.0] * 4 and host.outputs[1].tolist() == [float(done)] * 4
        host.replay()


def test_results_with_several_tensors_and_lists():
    x = torch.randn(4, 6)
    host = recorded(lambda x: (*x.topk(2), *x.split(2), x.max(1).values), x)
    x.copy_(torch.randn(4, 6))
    host.replay()
    for out, expected in zip(host.outputs, (*x.topk(2), *x.split(2), x.max(1).values), strict=True):
        assert torch.equal(out, expected)


def test_nothing_a_replay_addresses_is_freed():
    """Freed memory is handed out again and scribbled on: a graph that held its tensors weakly would read it."""
    host = recorded(lambda x: ((x.exp() + 1).sin().cos(), x.exp().sum(0)), torch.full((257, 33), 0.5))
    expected = [out.clone() for out in host.outputs]
    gc.collect()
    scribbles = [torch.full((257, 33), float("nan")) for _ in range(20)]
    host.replay()
    assert all(map(torch.equal, host.outputs, expected))
    del scribbles


def test_a_decode_step_from_short_to_beyond():
    cache, twin = torch.zeros(2, 64, 8), torch.zeros(2, 64, 8)
    inputs = (cache, *step(2, 0, seed=0))
    host = recorded(decode, *inputs)
    for seed, length in enumerate((0, 4, 5, 31, 63)):
        for target, source in zip(inputs[1:], step(2, length, seed), strict=True):
            target.copy_(source)
        host.replay()
        (expected,) = decode(twin, *step(2, length, seed))
        if seed == 0:
            assert torch.equal(cache, twin)
        torch.testing.assert_close(host.outputs[0], expected, rtol=0, atol=0)


def test_an_error_inside_a_replay_is_raised_at_its_call():
    index = torch.zeros(1, dtype=torch.long)
    host = recorded(lambda x, index: (x.index_select(0, index),), torch.randn(3, 2), index)
    index.fill_(7)
    with pytest.raises((IndexError, RuntimeError), match="index"):
        host.replay()


def test_an_assertion_is_asserted_at_every_replay():
    def work(x):
        torch.ops.aten._assert_async.msg((x < 3).all(), "too long: make room")
        return (x + 1,)

    x = torch.ones(2)
    host = recorded(work, x)
    host.replay()
    x.fill_(3)
    with pytest.raises(RuntimeError, match="too long: make room"):
        host.replay()
