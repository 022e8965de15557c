"""The streams of a device."""

import dataclasses

from programs import step

from sparse_attn.lowering.plan.legality import stream_budget
from sparse_attn.lowering.plan.program import Task


def layers(count: int, graphs: int):
    """A step of `count` layers on two streams, captured for so many buckets."""
    program = step(graphs=graphs)
    tasks = [dataclasses.replace(program.tasks[-1], name=f"t{n}", stream=n % 2) for n in range(count * 60)]
    return dataclasses.replace(program, tasks=tuple(tasks))


def test_many_graphs_of_many_layers_are_predicted_and_the_most_that_fit_are_named():
    program = layers(61, 40 * 20)
    (refusal,) = stream_budget.check(program)
    most = stream_budget.most_graphs(program)
    assert refusal.instead == f"use at most {most} buckets" and "a device has 1984" in refusal.what
    assert list(stream_budget.check(dataclasses.replace(program, graphs=most))) == []
    assert list(stream_budget.check(dataclasses.replace(program, graphs=most + 1))) != []


def test_a_small_step_needs_its_streams_only():
    assert stream_budget.needed(step(graphs=4)) == 4
    assert stream_budget.needed(step(Task("side", "custom.compress", stream=1), graphs=4)) == 8


def test_a_program_of_nothing_needs_nothing_more():
    assert list(stream_budget.check(dataclasses.replace(step(), tasks=()))) == []
