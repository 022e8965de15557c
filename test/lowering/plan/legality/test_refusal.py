"""What a refusal says."""

from programs import step

from sparse_attn.lowering.plan.legality.refusal import Refusal, of_tasks


def test_the_text_says_where_what_and_what_to_do():
    refusal = Refusal("rule", "model.py:3", "f does what it must not", "do g", "task")
    assert str(refusal) == "model.py:3: cannot be captured: f does what it must not; do g [rule]"


def test_tasks_at_fault_in_their_order():
    found = of_tasks("r", step(), lambda task: bool(task.results), lambda task: task.operator, "stop")
    assert [(refusal.task, refusal.what) for refusal in found] == [
        ("plan", "custom.attention_metadata"),
        ("attend", "custom.attention"),
    ]
