"""The plan as an object and as text."""

from programs import step

from sparse_attn.lowering.plan.capture_plan import CapturePlan
from sparse_attn.lowering.plan.legality import RULES, refusals
from sparse_attn.lowering.plan.program import Task


def test_a_legal_step():
    plan = CapturePlan.of(step())
    assert plan.legal and plan.refused == () and plan.plans == 1
    assert plan.updates == {}, "lengths are device tensors: nothing to update"
    assert plan.text().splitlines() == [
        "graph of 3 tasks, 1 of them plans, on 1 stream(s)",
        "  key: none, sizes are static",
        "  streams: 1 of 1984 for 1 graph(s)",
        "  initialised once: 1 buffer(s)",
        "    cache (4x64x8xfloat32, mutated)",
        "  rewritten each step: 2 buffer(s)",
        "    row (4x8xfloat32)",
        "    lengths (4xint32)",
        "  scratch: 2 buffer(s)",
        "  dummy rows: row=0, lengths=0",
        "  updates between replays: none",
    ]


def test_a_host_list_with_an_update_is_in_the_update_plan():
    fia = Task("fia", "npu.npu_fused_infer_attention_score", host_lists=("actual_seq_lengths",), updatable=True)
    plan = CapturePlan.of(step(fia), key=("s0",))
    assert plan.legal and plan.updates == {"fia": ("actual_seq_lengths",)}
    assert "updates between replays: fia: actual_seq_lengths" in plan.text() and "key: s0" in plan.text()


def test_an_illegal_step_says_everything_that_is_wrong():
    bad = Task("bad", "aten.item", "model.py:15", reads_host=True)
    loose = Task("loose", "aten.add", "model.py:16", stream=3)
    plan = CapturePlan.of(step(bad, loose))
    assert not plan.legal
    assert [refusal.rule for refusal in plan.refused] == ["host_read", "unjoined_stream"]
    assert "model.py:15: cannot be captured" in plan.text()


def test_every_rule_is_asked_and_names_itself():
    assert refusals(step()) == []
    everything = Task(
        "all", "aten.all", host_lists=("lens",), reads_host=True, sized_by_data=True, random=True, branches=True,
        captures=True, stream=1,
    )  # fmt: skip
    named = {refusal.rule for refusal in refusals(step(everything, Task("x", "aten.to", crosses_devices=True)))}
    rules = {rule.__name__.rpartition(".")[2] for rule in RULES}
    assert named == rules - {"stream_budget", "weak_buffer"}
