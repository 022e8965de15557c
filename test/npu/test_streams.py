"""Streams run beside each other, events order them, budgets end."""

import ctypes
import threading

import acl
import pytest
import torch

CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Gate:
    """A host task that holds its stream until it is opened."""

    def __init__(self, on):
        self.opened, self.reached = threading.Event(), threading.Event()
        self._function = CALLBACK(self._run)
        acl.call("aclrtLaunchCallback", self._function, None, 1, on)

    def _run(self, _):
        self.reached.set()
        assert self.opened.wait(30)

    def open(self):
        self.opened.set()


def test_a_launch_does_not_wait_for_its_task():
    on, data = acl.stream(), acl.memory(4)
    gate = Gate(on)
    acl.fill(on, data, 7, 4)
    assert gate.reached.wait(30)
    assert acl.read(data, 4) != b"\7" * 4, "the task has run before the one ahead of it ended"
    gate.open()
    acl.synchronize(on)
    assert acl.read(data, 4) == b"\7" * 4


def test_streams_do_not_wait_for_each_other():
    first, second, data = acl.stream(), acl.stream(), acl.memory(4)
    gate = Gate(first)
    acl.fill(second, data, 3, 4)
    acl.synchronize(second)
    assert acl.read(data, 4) == b"\3" * 4
    gate.open()
    acl.synchronize(first)


def test_an_event_orders_two_streams():
    first, second, data, done = acl.stream(), acl.stream(), acl.memory(4), acl.event()
    gate = Gate(first)
    acl.fill(first, data, 1, 4)
    acl.record(done, first)
    acl.wait(second, done)
    acl.fill(second, data, 2, 4)
    gate.open()
    acl.synchronize(second)
    assert acl.read(data, 4) == b"\2" * 4


def test_a_wait_is_for_the_record_before_it():
    first, second, done = acl.stream(), acl.stream(), acl.event()
    acl.record(done, first)
    acl.wait(second, done)
    gate = Gate(first)
    acl.record(done, first)
    acl.synchronize(second)
    gate.open()
    acl.synchronize(first)


def test_an_event_and_a_stream_tell_whether_they_are_done():
    on, done = acl.stream(), acl.event()
    gate = Gate(on)
    acl.record(done, on)
    status = ctypes.c_int()
    acl.call("aclrtQueryEventStatus", done, ctypes.byref(status))
    assert status.value == 0
    acl.call("aclrtStreamQuery", on, ctypes.byref(status))
    assert status.value == 1, "not ready"
    gate.open()
    acl.call("aclrtSynchronizeEvent", done)
    acl.call("aclrtQueryEventStatus", done, ctypes.byref(status))
    assert status.value == 1


def test_a_fault_is_carried_by_events_and_named_once(child):
    text = """
import acl
first, second, data, done = acl.stream(), acl.stream(), acl.memory(4), acl.event()
acl.call("aclrtMemsetAsync", data, 8, 1, 8, first)
acl.record(done, first)
acl.wait(second, done)
acl.fill(second, data, 1, 4)
for on in (second, first):
    try: acl.synchronize(on)
    except acl.Refused as e: print(e.code, e.text)
"""
    lines = child(text).splitlines()
    assert len(lines) == 2 and all("task memset writes 8 bytes at offset 0" in line for line in lines)


def test_streams_are_finite(child):
    text = "import acl\nheld = [acl.stream() for _ in range(5)]\ntry: acl.stream()\nexcept acl.Refused as e: print(e)"
    out = child(text, ACLSIM_STREAMS="5")
    assert "207008" in out and "no_stream" in out


def test_events_are_finite(child):
    text = "import acl\nheld = [acl.event() for _ in range(5)]\ntry: acl.event()\nexcept acl.Refused as e: print(e)"
    out = child(text, ACLSIM_EVENTS="5")
    assert "207007" in out and "no_event" in out


def test_a_destroyed_stream_takes_no_work():
    on, data = acl.stream(), acl.memory(4)
    acl.call("aclrtDestroyStream", on)
    with pytest.raises(acl.Refused, match=r"107017 \[handle"):
        acl.fill(on, data, 1, 4)


def test_wait_timeout_ends_a_wait_that_nothing_ends(child):
    text = f"""
import acl
on, never = acl.stream(), acl.event({acl.EXTERNAL})
acl.wait(on, never)
try: acl.synchronize(on)
except acl.Refused as e: print(e)
"""
    assert "107019" in child(text, ACLSIM_WAIT_SECONDS="1")


def test_torch_streams_and_events():
    side, x = torch.npu.Stream(), torch.ones(1000, device="npu")
    start, stop = torch.npu.Event(enable_timing=True), torch.npu.Event(enable_timing=True)
    side.wait_stream(torch.npu.current_stream())
    with torch.npu.stream(side):
        start.record()
        y = x * 3
        stop.record()
    torch.npu.current_stream().wait_stream(side)
    assert (y + 1).cpu().eq(4).all()
    assert start.elapsed_time(stop) >= 0 and stop.query()
