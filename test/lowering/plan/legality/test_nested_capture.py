"""Captures inside a capture."""

from programs import fault, step

from sparse_attn.lowering.plan.legality import nested_capture


def test_a_task_that_captures_is_refused():
    assert "captures or replays a graph of its own" in fault(nested_capture, captures=True).what


def test_a_program_inside_a_capture_is_refused():
    (refusal,) = nested_capture.check(step(inside_capture=True))
    assert refusal.place == "model.py:10" and "a capture is running already" in refusal.what
    assert refusal.instead == "capture the outer function only"
