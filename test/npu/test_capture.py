"""Every refusal of capture, at the level of acl: the code, the text, and that nothing else is refused."""

import ctypes

import acl
import pytest


@pytest.fixture
def on():
    made = acl.stream()
    yield made
    acl.abandon(made)
    acl.call("aclrtDestroyStream", made)


@pytest.fixture
def data():
    return acl.memory(64)


def refused(name, code):
    return pytest.raises(acl.Refused, match=rf"answered {code}: aclsim {code} \[{name}, ")


def ends_invalid(on):
    with refused("invalidated", 507903):
        acl.end(on)


def test_captured_work_runs_at_replay_and_not_before(on, data):
    acl.begin(on)
    acl.fill(on, data, 5, 64)
    graph = acl.end(on)
    assert acl.read(data, 64) != b"\5" * 64
    acl.replay(graph, on)
    acl.synchronize(on)
    assert acl.read(data, 64) == b"\5" * 64


def test_stream_captured(on):
    acl.begin(on)
    with refused("stream_captured", 107027):
        acl.synchronize(on)
    ends_invalid(on)


def test_stream_captured_by_a_query(on):
    acl.begin(on)
    with refused("stream_captured", 107027):
        acl.call("aclrtStreamQuery", on, ctypes.byref(ctypes.c_int()))
    ends_invalid(on)


def test_device_captured(on):
    acl.begin(on, acl.RELAXED)
    with refused("device_captured", 107027):
        acl.call("aclrtSynchronizeDevice")
    ends_invalid(on)


def test_another_stream_may_be_synchronised(on, data):
    other = acl.stream()
    acl.begin(on)
    acl.fill(other, data, 1, 64)
    acl.synchronize(other)
    acl.end(on)


def test_begin_captured(on):
    acl.begin(on)
    with refused("begin_captured", 107027):
        acl.begin(on)


def test_begin_default_stream():
    with refused("begin_default_stream", 107031):
        acl.begin(None)


def test_default_stream(on, data):
    acl.begin(on)
    with refused("default_stream", 107031):
        acl.fill(None, data, 1, 64)
    ends_invalid(on)
    acl.fill(None, data, 1, 64)
    acl.synchronize(None)


def test_replay_in_capture(on):
    acl.begin(on)
    inner = acl.end(on)
    acl.begin(on)
    with refused("replay_in_capture", 107027):
        acl.replay(inner, on)
    ends_invalid(on)


def test_model_captured(on):
    acl.begin(on)
    graph, status, other = ctypes.c_void_p(), ctypes.c_int(), acl.stream()
    acl.call("aclmdlRICaptureGetInfo", on, ctypes.byref(status), ctypes.byref(graph))
    assert status.value == 1
    with refused("model_captured", 107026):
        acl.replay(graph, other)


def test_not_captured(on):
    with refused("not_captured", 107029):
        acl.end(on)
    with refused("not_captured", 107029):
        acl.call("aclmdlRICaptureTaskGrpBegin", on)


def test_unmatched(on, data):
    side, fork = acl.stream(), acl.event()
    acl.begin(on)
    acl.record(fork, on)
    acl.wait(side, fork)
    with refused("unmatched", 107036):
        acl.end(side)
    ends_invalid(on)


def test_unjoined(on, data):
    side, fork = acl.stream(), acl.event()
    acl.begin(on)
    acl.record(fork, on)
    acl.wait(side, fork)
    acl.fill(side, data, 1, 64)
    with refused("unjoined", 107025):
        acl.end(on)


def test_joined_streams_are_one_graph(on, data, tmp_path):
    side, fork, join = acl.stream(), acl.event(), acl.event()
    acl.begin(on)
    acl.record(fork, on)
    acl.wait(side, fork)
    acl.fill(side, data, 9, 64)
    acl.record(join, side)
    acl.wait(on, join)
    graph = acl.end(on)
    acl.fill(side, data, 1, 64)
    acl.synchronize(side)
    assert acl.read(data, 64) == b"\1" * 64, "the side stream is free again"
    acl.replay(graph, on)
    acl.synchronize(on)
    assert acl.read(data, 64) == b"\x09" * 64
    assert acl.trace(graph, tmp_path / "graph.json")["streams"] == 2


def test_dependency(on):
    other, before = acl.stream(), acl.event()
    acl.record(before, other)
    acl.begin(on)
    with refused("dependency", 107024):
        acl.wait(on, before)
    ends_invalid(on)


def test_conflict(on):
    other, inside = acl.stream(), acl.event()
    acl.begin(on)
    acl.begin(other)
    acl.record(inside, on)
    with refused("conflict", 107032):
        acl.wait(other, inside)
    ends_invalid(other)


def test_event_captured(on):
    inside = acl.event()
    acl.begin(on)
    acl.record(inside, on)
    with refused("event_captured", 107028):
        acl.call("aclrtSynchronizeEvent", inside)
    ends_invalid(on)


def test_wrong_thread(on):
    acl.begin(on)
    assert acl.elsewhere(lambda: acl.end(on)).code == 107038
    ends_invalid(on)


def test_a_relaxed_capture_ends_on_any_thread(on):
    acl.begin(on, acl.RELAXED)
    assert acl.elsewhere(lambda: acl.end(on)) is None


def test_pinned_copies_are_captured_and_read_at_replay(on, data):
    host = acl.pinned(64)
    acl.begin(on)
    acl.copy(on, data, host, 64, acl.HOST_TO_DEVICE)
    graph = acl.end(on)
    for value in (3, 4):
        ctypes.memset(host, value, 64)
        acl.replay(graph, on)
        acl.synchronize(on)
        assert acl.read(data, 64) == bytes([value]) * 64


def test_graphs_hold_streams_and_give_them_back(on):
    before = acl.statistics()["graph_streams"]
    acl.begin(on)
    graph = acl.end(on)
    assert acl.statistics()["graph_streams"] == before + 1
    acl.call("aclmdlRIDestroy", graph)
    assert acl.statistics()["graph_streams"] == before
    with refused("handle", 107017):
        acl.replay(graph, on)


LONG = """
import acl
on, data = acl.stream(), acl.memory(64)
held = []
for graph in range(3):
    acl.begin(on)
    for _ in range(25): acl.fill(on, data, 1, 64)
    try: held.append(acl.end(on))
    except acl.Refused as e: print(graph, e)
"""


def test_long_graphs_take_more_streams_until_there_are_none(child):
    assert "2 aclmdlRICaptureEnd answered 207008" in child(LONG, ACLSIM_STREAMS="8", ACLSIM_TASKS_PER_STREAM="10")
    assert child(LONG, ACLSIM_STREAMS="8") == ""


FREED = """
import acl
on, data, kept = acl.stream(), acl.memory(64), acl.memory(64)
acl.begin(on)
acl.fill(on, kept, 1, 64)
acl.fill(on, data, 1, 64)
graph = acl.end(on)
acl.call("aclrtFree", data)
acl.replay(graph, on)
try: acl.synchronize(on)
except acl.Refused as e: print(e.code, e.text)
"""


def test_a_replay_on_freed_memory_fails_at_its_task(child):
    out = child(FREED)
    assert "507011" in out and "task 1 (stream 0) of graph 1: task memset writes 64 bytes of device block" in out
