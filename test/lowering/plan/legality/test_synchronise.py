"""Operators that wait for the device."""

from programs import fault, step

from sparse_attn.lowering.plan.legality import synchronise
from sparse_attn.lowering.plan.program import Task


def test_a_copy_between_devices_is_refused():
    refusal = fault(synchronise, crosses_devices=True)
    assert "copies between devices" in refusal.what and "make it on the device" in refusal.instead


def test_a_host_read_is_said_once_and_by_its_own_rule():
    assert list(synchronise.check(step(Task("t", "aten.item", crosses_devices=True, reads_host=True)))) == []
