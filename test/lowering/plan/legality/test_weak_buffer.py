"""Memory that may be freed."""

from programs import step

from sparse_attn.lowering.plan.legality import weak_buffer
from sparse_attn.lowering.plan.program import Buffer


def test_a_buffer_that_nobody_holds_is_refused_where_it_is_used():
    (refusal,) = weak_buffer.check(step(buffers={"plan_out": Buffer("plan_out", "scratch", held=False)}))
    assert (refusal.task, refusal.place) == ("plan", "model.py:10") and "plan_out may be freed" in refusal.what


def test_held_buffers_are_legal():
    assert list(weak_buffer.check(step())) == []


def test_an_unused_buffer_has_no_place():
    (refusal,) = weak_buffer.check(step(buffers={"idle": Buffer("idle", "scratch", held=False)}))
    assert refusal.place == "unknown place"
