"""Lengths as lists of host numbers."""

from programs import fault, step

from sparse_attn.lowering.plan.legality import host_list
from sparse_attn.lowering.plan.program import Task


def test_a_host_list_without_an_update_is_refused_by_the_name_of_the_argument():
    refusal = fault(host_list, host_lists=("actual_seq_lengths",))
    assert "takes actual_seq_lengths as a list of host numbers" in refusal.what
    assert refusal.instead == "use an operator that takes lengths as a device tensor"


def test_a_list_that_can_be_updated_is_legal():
    task = Task("fia", "npu.attention", host_lists=("actual_seq_lengths",), updatable=True)
    assert list(host_list.check(step(task))) == []
