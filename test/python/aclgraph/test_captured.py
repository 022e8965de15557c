"""Captured functions: what is replayed, what is captured anew, what runs eagerly and why."""

import threading

import pytest
import torch
from capture import decode, graph, step

from sparse_attn import aclgraph
from sparse_attn.aclgraph import Captured, session


def decoder(batch=2, width=64, **settings):
    """(captured decode step, its cache)."""
    cache = torch.zeros(batch, width, 8)
    return Captured(graph(decode, cache, *step(batch, 0, seed=0)), **settings), cache


def test_replays_equal_eager_for_lengths_from_nothing_to_the_end():
    captured, cache = decoder()
    twin = cache.clone()
    for seed, length in enumerate((0, 1, 4, 5, 30, 31, 32, 63)):
        inputs = step(2, [length, max(0, length - 3)], seed)
        (result,), (expected,) = captured(cache, *inputs), decode(twin, *inputs)
        assert torch.equal(result, expected) and torch.equal(cache, twin)
    assert (captured.statistics.captures, captured.statistics.replays) == (1, 7)
    assert not captured.statistics.fallbacks


def test_results_are_the_callers_unless_asked_otherwise():
    for clone in (True, False):
        captured, cache = decoder(clone_outputs=clone)
        (first,) = captured(cache, *step(2, 0, seed=1))
        kept = first.clone()
        (second,) = captured(cache, *step(2, 1, seed=2))
        assert torch.equal(first, kept) == clone and (first.data_ptr() == second.data_ptr()) != clone


def test_inputs_need_no_fixed_place():
    """The step's own tensors are copied in: freeing or reusing them between calls changes nothing."""
    captured, cache = decoder()
    twin = cache.clone()
    for seed in range(4):
        inputs = step(2, seed, seed)
        (expected,) = decode(twin, *inputs)
        (result,) = captured(cache, *inputs)
        assert torch.equal(result, expected)
        for tensor in inputs:
            tensor.zero_()


def test_other_memory_for_a_cache_is_captured_anew_and_never_written_through_the_old_graph():
    captured, cache = decoder()
    captured(cache, *step(2, 0, seed=0))
    old, fresh = cache.clone(), torch.zeros_like(cache)
    (result,) = captured(fresh, *step(2, 0, seed=1))
    assert torch.equal(cache, old), "the old cache is left alone"
    assert torch.equal(result, decode(torch.zeros_like(cache), *step(2, 0, seed=1))[0])
    assert captured.statistics.captures == 2
    assert list(captured.statistics.recaptures) == ["cache_1 is other memory than before"]


def test_a_parameter_is_read_where_it_lies():
    weight = torch.ones(4)
    captured = Captured(graph(lambda weight, x: (weight * x,), weight, torch.ones(4)), static=[0])
    captured(weight, torch.ones(4))
    weight.fill_(5)
    assert captured(weight, torch.ones(4))[0].tolist() == [5.0] * 4
    weight.data = torch.full((4,), 7.0)
    assert captured(weight, torch.ones(4))[0].tolist() == [7.0] * 4
    assert captured.statistics.captures == 2


def test_numbers_are_frozen_so_each_has_its_own_graph():
    def scaled(x, number):
        return (x[:number] * 2,)

    captured = Captured(graph(scaled, torch.ones(6), 3, mode="symbolic"))
    for number in (2, 3, 2, 3, 4):
        assert captured(torch.arange(6.0), number)[0].tolist() == [2.0 * n for n in range(number)]
    assert (captured.statistics.captures, captured.statistics.replays) == (3, 2)
    assert captured.plan.key == ("number_1",)


def test_the_limit_stops_captures_and_says_what_to_do():
    captured, cache = decoder(limit=2)
    for seed in range(4):
        (result,) = captured(torch.zeros_like(cache), *step(2, 0, seed))
        assert torch.equal(result, decode(torch.zeros_like(cache), *step(2, 0, seed))[0])
    assert captured.statistics.captures == 2
    ((reason, count),) = captured.statistics.fallbacks.items()
    assert count == 2 and reason.startswith("2 graphs were captured: pad to fewer sizes")


def test_an_input_of_another_shape_is_refused_before_anything_is_written():
    captured, cache = decoder()
    captured(cache, *step(2, 0, seed=0))
    before = cache.clone()
    query, row, lengths = step(2, 1, seed=1)
    with pytest.raises(ValueError, match=r"input 3 is \[1\] torch.int64 on cpu; .* compile the function for this size"):
        captured(cache, query, row, lengths[:1])
    assert torch.equal(cache, before)


def test_an_illegal_graph_runs_eagerly_every_time_with_the_reason():
    captured = Captured(graph(lambda x: (x + torch.rand_like(x) * 0,), torch.ones(3)))
    assert captured(torch.ones(3))[0].tolist() == captured(torch.ones(3))[0].tolist() == [1.0] * 3
    ((reason, count),) = captured.statistics.fallbacks.items()
    assert count == 2 and "draws random numbers" in reason and captured.statistics.captures == 0


def test_inside_another_capture_it_is_inlined():
    captured, cache = decoder()
    with session.capture():
        (result,) = captured(cache, *step(2, 0, seed=0))
    assert torch.equal(result, decode(torch.zeros_like(cache), *step(2, 0, seed=0))[0])
    assert dict(captured.statistics.fallbacks) == {"another capture is running: inlined into it": 1}


def test_warming_captures_and_leaves_caches_as_they_were():
    captured, cache = decoder()
    cache.normal_()
    before = cache.clone()
    with aclgraph.warming():
        captured(cache, *step(2, 3, seed=0))
    assert torch.equal(cache, before) and captured.statistics.captures == 1
    captured(cache, *step(2, 3, seed=0))
    assert not torch.equal(cache, before) and captured.statistics.captures == 1


def test_a_returned_argument_is_the_callers():
    captured = Captured(graph(lambda x, y: (x, y + 1), torch.ones(2), torch.ones(2)))
    for _ in range(2):
        x = torch.zeros(2)
        assert captured(x, torch.ones(2))[0] is x


def test_reset_forgets_graphs_and_the_next_call_captures():
    captured, cache = decoder()
    captured(cache, *step(2, 0, seed=0))
    captured.reset()
    captured(cache, *step(2, 1, seed=1))
    assert captured.statistics.captures == 2
    assert captured in aclgraph.all_captured() and aclgraph.statistics().captures >= 2
    aclgraph.reset()
    assert captured.statistics.captures == 0


def test_eager_work_between_replays_cannot_reach_the_graphs_memory():
    captured, cache = decoder()
    twin = cache.clone()
    for seed in range(3):
        inputs = step(2, seed, seed)
        assert torch.equal(captured(cache, *inputs)[0], decode(twin, *inputs)[0])
        prefill = [torch.full((2, 64, 8), float("nan")) for _ in range(30)]
        decode(prefill[0], *step(2, 5, seed))
        del prefill


def test_threads_take_turns():
    captured, cache = decoder()
    expected = {seed: decode(torch.zeros_like(cache), *step(2, 0, seed))[0] for seed in range(4)}
    wrong = []

    def work(seed):
        for _ in range(20):
            (result,) = captured(cache, *step(2, 0, seed))
            if not torch.equal(result, expected[seed]):
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in expected]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and captured.statistics.captures == 1


def test_inference_mode_and_no_grad_may_alternate():
    captured, cache = decoder()
    twin = cache.clone()
    for seed, mode in enumerate((torch.inference_mode, torch.no_grad, torch.inference_mode)):
        with mode():
            inputs = step(2, seed, seed)
            assert torch.equal(captured(cache, *inputs)[0], decode(twin, *inputs)[0])
    assert not captured(cache, *step(2, 1, 1))[0].requires_grad


def test_a_returned_view_of_a_cache_is_a_view_of_it():
    captured = Captured(graph(lambda cache, x: (cache.add_(x)[1:], x[1:]), torch.zeros(3), torch.ones(3)))
    cache, x = torch.zeros(3), torch.ones(3)
    for n in (1, 2):
        view, copy = captured(cache, x)
        assert view.untyped_storage().data_ptr() == cache.untyped_storage().data_ptr() and view.tolist() == [n, n]
        assert copy.tolist() == [1.0, 1.0]
