"""What a plan must follow."""

import dataclasses

from programs import step

from sparse_attn.lowering.plan.order import behind, must_follow
from sparse_attn.lowering.plan.program import Program, Task


def late_plan(*before: Task) -> tuple[Program, Task]:
    """The step with its plan moved behind `before` and the write."""
    program = step()
    plan, write, attend = program.tasks
    return dataclasses.replace(program, tasks=(write, *before, plan, attend)), plan


def test_a_plan_of_inputs_may_be_first():
    assert behind(*late_plan()) is None


def test_a_plan_follows_what_makes_its_lengths():
    maker = Task("maker", "aten.add", results=("lengths",))
    assert behind(*late_plan(maker, Task("other", "aten.add", results=("x",)))) is maker


def test_a_plan_follows_a_write_into_its_lengths():
    writer = Task("writer", "aten.add_", writes=("lengths",))
    assert behind(*late_plan(writer)) is writer


def test_writes_follow_reads_and_readers_follow_writes():
    read, write = Task("r", "f", reads=("c",)), Task("w", "g", writes=("c",))
    assert must_follow(write, read) and must_follow(read, write) and must_follow(write, write)
    assert not must_follow(read, dataclasses.replace(read, name="r2"))
    assert must_follow(dataclasses.replace(read, reads=(), waits=("w",)), dataclasses.replace(write, writes=()))
