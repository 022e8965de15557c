"""Task groups and their updates."""

import ctypes

import acl
import pytest
import torch


@pytest.fixture
def on():
    made = acl.stream()
    yield made
    acl.abandon(made)


def refused(name, code):
    return pytest.raises(acl.Refused, match=rf"answered {code}: aclsim {code} \[{name}, ")


def group_begin(on):
    acl.call("aclmdlRICaptureTaskGrpBegin", on)


def group_end(on):
    handle = ctypes.c_void_p()
    acl.call("aclmdlRICaptureTaskGrpEnd", on, ctypes.byref(handle))
    return handle


def test_group_status(on):
    acl.begin(on)
    group_begin(on)
    with refused("group_status", 107033):
        group_begin(on)


def test_group_status_at_its_end(on):
    acl.begin(on)
    with refused("group_status", 107033):
        group_end(on)


def test_group_open(on):
    acl.begin(on)
    group_begin(on)
    with refused("group_open", 107034):
        acl.end(on)


def test_group_kind(on):
    acl.begin(on)
    group_begin(on)
    with refused("group_kind", 507009):
        acl.fill(on, acl.memory(64), 1, 64)


def test_group_kind_of_a_plan(on):
    """Plans run on the AICPU: they are captured, but not in a task group."""
    acl.begin(on)
    out = acl.plan_of_indexer(on, heads=64)
    acl.replay(acl.end(on), on)
    acl.synchronize(on)
    assert acl.read(out, 4096) != acl.read(acl.memory(4096), 4096)
    acl.begin(on)
    group_begin(on)
    with pytest.raises(acl.Refused, match=r"507009 \[group_kind.*aclnnQuantLightningIndexerV2Metadata of kind aicpu"):
        acl.plan_of_indexer(on, heads=64)


class Scaled:
    """A captured graph out = x * factor whose factor, a number of the host, is frozen; the task can be updated."""

    def __init__(self, on, tasks=1):
        self.on, self.side, self.x, self.out = on, acl.stream(), acl.memory(16), acl.memory(16)
        ones = (ctypes.c_float * 4)(1, 1, 1, 1)
        acl.call("aclrtMemcpy", self.x, 16, ones, 16, acl.HOST_TO_DEVICE)
        acl.begin(on)
        group_begin(on)
        for _ in range(tasks):
            acl.scale(on, self.x, 2.0, self.out)
        self.handle = group_end(on)
        self.graph = acl.end(on)

    def update(self, *works):
        acl.call("aclmdlRICaptureTaskUpdateBegin", self.side, self.handle)
        try:
            for work in works:
                work(self.side)
        finally:
            acl.call("aclmdlRICaptureTaskUpdateEnd", self.side)
        acl.synchronize(self.side)

    def by(self, factor, out=None):
        return lambda on: acl.scale(on, self.x, factor, out or self.out)

    def value(self):
        acl.replay(self.graph, self.on)
        acl.synchronize(self.on)
        return acl.floats(self.out)[0]


def test_a_number_of_the_host_is_frozen_until_its_task_is_updated(on):
    graph = Scaled(on)
    assert graph.value() == 2.0
    graph.update(graph.by(3.0))
    assert graph.value() == 3.0
    assert graph.value() == 3.0, "an update lasts"


def test_update_count_too_many(on):
    graph = Scaled(on)
    with refused("update_count", 107040):
        graph.update(graph.by(3.0), graph.by(4.0))


def test_update_count_too_few(on):
    graph = Scaled(on, tasks=2)
    with pytest.raises(acl.Refused, match=r"107040 \[update_count.*1 tasks for a group of 2"):
        graph.update(graph.by(3.0))
    assert graph.value() == 2.0, "nothing was replaced"


def test_update_kind(on):
    graph = Scaled(on)
    relu = lambda on: acl.aclnn(on, "aclnnRelu", acl.tensor(graph.x, 4), acl.tensor(graph.out, 4))  # noqa: E731
    with pytest.raises(acl.Refused, match=r"update_count") as met:
        graph.update(relu)
    assert "107040 [update_kind" in str(met.value.__context__) and "in the place of aclnnMuls" in str(
        met.value.__context__
    )


def test_update_kind_of_a_copy(on):
    graph = Scaled(on)
    with pytest.raises(acl.Refused, match=r"update_count") as met:
        graph.update(lambda on: acl.fill(on, graph.out, 0, 16))
    assert "memset (set) in the place of aclnnMuls (aicore)" in str(met.value.__context__)


def test_update_status(on):
    graph = Scaled(on)
    with refused("update_status", 107033):
        acl.call("aclmdlRICaptureTaskUpdateEnd", on)
    acl.begin(on)
    with refused("update_status", 107033):
        acl.call("aclmdlRICaptureTaskUpdateBegin", on, graph.handle)


def test_an_update_that_writes_elsewhere_leaves_the_old_buffer_and_is_counted(on):
    graph, other = Scaled(on), acl.memory(16)
    before = acl.statistics()["moved_outputs"]
    graph.value()
    graph.update(graph.by(5.0, other))
    assert graph.value() == 2.0, "readers of the graph see what was there"
    assert acl.floats(other)[0] == 5.0
    assert acl.statistics()["moved_outputs"] == before + 1


def test_a_replay_waits_for_its_update_by_an_external_event(on):
    x, out, ready = acl.memory(16), acl.memory(16), acl.event(acl.EXTERNAL)
    acl.begin(on)
    acl.wait(on, ready)
    acl.call("aclrtResetEvent", ready, on)
    acl.scale(on, x, 2.0, out)
    graph = acl.end(on)
    for value in (0x3F, 0x40):  # bytes of two numbers: 0.748 and 3.004
        acl.replay(graph, on)
        acl.fill(side := acl.stream(), x, value, 16)
        acl.record(ready, side)
        acl.synchronize(on)
        assert acl.floats(out)[0] == 2 * acl.floats(x)[0] > 0


def test_torch_groups_and_updates():
    x, out = torch.ones(4, device="npu"), torch.empty(4, device="npu")
    graph, stream, side = torch.npu.NPUGraph(), torch.npu.Stream(), torch.npu.Stream()
    torch.npu.synchronize()
    with torch.npu.graph(graph, stream=stream):
        torch.npu.graph_task_group_begin(stream)
        torch.mul(x, 2.0, out=out)
        handle = torch.npu.graph_task_group_end(stream)
    with torch.npu.stream(side):
        torch.npu.graph_task_update_begin(side, handle)
        torch.mul(x, 7.0, out=out)
        torch.npu.graph_task_update_end(side)
    side.synchronize()
    graph.replay()
    assert out.cpu().eq(7).all()
