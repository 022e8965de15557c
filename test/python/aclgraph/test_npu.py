"""Capture on an NPU, against a recorder in the place of `torch.npu`."""

import contextlib
import types

import pytest
import torch

from sparse_attn.aclgraph import npu


class Recorder(types.SimpleNamespace):
    """The few functions of `torch.npu` that a capture calls, writing down the order of the calls."""

    def __init__(self, capturing=False):
        super().__init__(log=[])
        recorder = self

        class NPUGraph:
            def replay(self):
                recorder.log.append("replay")

            def reset(self):
                recorder.log.append("reset")

        @contextlib.contextmanager
        def graph(made, pool):
            assert isinstance(made, NPUGraph) and pool == "pool"
            recorder.log.append("begin")
            yield
            recorder.log.append("end")

        self.NPUGraph, self.graph = NPUGraph, graph
        self.graph_pool_handle = lambda: "pool"
        self.current_device = lambda: 0
        self.synchronize = lambda: self.log.append("synchronize")
        self.is_current_stream_capturing = lambda: capturing


@pytest.fixture
def recorder(monkeypatch):
    made = Recorder()
    monkeypatch.setattr(torch, "npu", made, raising=False)
    monkeypatch.setattr(npu, "_pools", {})
    return made


def test_without_torch_npu_it_says_what_to_import(monkeypatch):
    monkeypatch.delattr(torch, "npu", raising=False)
    assert "import torch_npu" in npu.obstacle()


def test_nothing_stands_against_a_plain_process(recorder):
    assert npu.obstacle() is None


@pytest.mark.parametrize(("name", "value"), [("ASCEND_LAUNCH_BLOCKING", "1"), ("TASK_QUEUE_ENABLE", "2")])
def test_environments_that_no_capture_survives_are_refused_early(recorder, monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    assert npu.obstacle().startswith(f"{name}={value} is set") and npu.obstacle().endswith("unset it")
    monkeypatch.setenv(name, "0")
    assert npu.obstacle() is None


def test_a_running_capture_is_not_nested(monkeypatch):
    monkeypatch.setattr(torch, "npu", Recorder(capturing=True), raising=False)
    assert "capture the outer function only" in npu.obstacle()


def test_warm_up_then_capture_then_the_first_run(recorder):
    cache = torch.zeros(2)

    def module(cache):
        recorder.log.append(f"run at {cache.tolist()}")
        cache.add_(1)
        return (cache * 2,)

    graph = npu.NpuGraph(module, [cache], [cache])
    runs = ["run at [0.0, 0.0]", "run at [1.0, 1.0]", "synchronize", "begin", "run at [0.0, 0.0]", "end", "replay"]
    assert recorder.log == runs, "warming up is undone before the capture"
    graph.replay()
    assert recorder.log[-1] == "replay" and len(graph.outputs) == 1
    del graph
    assert recorder.log[-1] == "reset", "the memory goes back to the pool"
