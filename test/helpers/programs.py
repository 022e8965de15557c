"""Small programs for the planner's tests, and what the legality rules say of them."""

from __future__ import annotations

from typing import Any

from sparse_attn.lowering.plan.legality.refusal import Refusal
from sparse_attn.lowering.plan.program import Buffer, Program, Task


def step(*extra: Task, **settings: Any) -> Program:
    """A legal decode step (a plan, a cache write, an attention) with `extra` tasks in front of the attention."""
    tasks = (
        Task("plan", "custom.attention_metadata", "model.py:10", reads=("lengths",), results=("plan_out",), plans=True),
        Task("write", "aten.index_copy_", "model.py:11", reads=("row", "cache"), writes=("cache",)),
        *extra,
        Task("attend", "custom.attention", "model.py:20", reads=("row", "cache", "plan_out"), results=("out",)),
    )
    buffers = {
        "row": Buffer("row", "rewritten", (4, 8), "float32"),
        "lengths": Buffer("lengths", "rewritten", (4,), "int32"),
        "cache": Buffer("cache", "init_once", (4, 64, 8), "float32", mutated=True),
        "plan_out": Buffer("plan_out", "scratch", (1024,), "int32"),
        "out": Buffer("out", "scratch", (4, 8), "float32"),
    }
    return Program(tasks, {**buffers, **settings.pop("buffers", {})}, ("out",), **settings)


def fault(rule: Any, **traits: Any) -> Refusal:
    """The one refusal of a rule for a step with one further task, which stands at model.py:15."""
    (refusal,) = rule.check(step(Task("extra", "aten.extra", "model.py:15", **traits)))
    assert (refusal.task, refusal.place) == ("extra", "model.py:15")
    assert list(rule.check(step(Task("extra", "aten.extra", "model.py:15")))) == [], "a plain task is no fault"
    return refusal
