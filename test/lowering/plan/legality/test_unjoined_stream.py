"""Forked streams."""

import dataclasses

from programs import step

from sparse_attn.lowering.plan.legality import unjoined_stream
from sparse_attn.lowering.plan.program import Program, Task

SIDE = Task("side", "custom.compress", "model.py:15", stream=1)


def test_a_stream_that_nobody_waits_for_is_refused():
    (refusal,) = unjoined_stream.check(step(SIDE))
    assert (refusal.task, refusal.place) == ("side", "model.py:15") and "ends stream 1" in refusal.what


def waiting(program: Program, *names: str) -> Program:
    """The program whose last task waits for these."""
    *tasks, last = program.tasks
    return dataclasses.replace(program, tasks=(*tasks, dataclasses.replace(last, waits=names)))


def test_a_stream_that_the_main_stream_waits_for_is_joined():
    assert list(unjoined_stream.check(waiting(step(SIDE), "side"))) == []


def test_joining_an_earlier_task_leaves_the_later_one_loose():
    (refusal,) = unjoined_stream.check(waiting(step(SIDE, dataclasses.replace(SIDE, name="later")), "side"))
    assert refusal.task == "later"


def test_a_stream_joins_through_another():
    second = Task("second", "custom.compress", "model.py:16", stream=2, waits=("side",))
    assert list(unjoined_stream.check(waiting(step(SIDE, second), "second"))) == []
    (refusal,) = unjoined_stream.check(waiting(step(SIDE, dataclasses.replace(second, waits=())), "second"))
    assert refusal.task == "side"


def test_a_wait_on_a_loose_stream_joins_nothing():
    second = Task("second", "custom.compress", "model.py:16", stream=2, waits=("side",))
    assert [refusal.task for refusal in unjoined_stream.check(step(SIDE, second))] == ["side", "second"]
