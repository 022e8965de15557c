"""A run of everything: results of peers, reasons where there are none."""

import json

import pytest
import torch

from sparse_attn.tools.bench import attention, indexer, output, suite
from sparse_attn.tools.bench.limit import Machine
from sparse_attn.tools.bench.peers import Cost, Peer
from sparse_attn.tools.bench.shapes import Attention, Indexer

SMALL = Attention("attention x", 1, 8, 2, 1, 8, 8, 8, window=3, compressed=2, ratio=4, picks=2, sinks=True)
SCORES = Indexer("indexer x", 1, 8, 2, 8, 8, 3)

MACHINE = Machine({"fp32": 1e10, "bf16": 1e9, "fp16": 1e9, "int8": 1e9}, 1e9)
FACT = {"name": "size of x", "value": 2.0, "unit": "MB", "goal": "<= 3"}


@pytest.fixture
def small(monkeypatch):
    """Small shapes, and peers that need no compiler."""
    monkeypatch.setattr(suite, "shapes", lambda level: [SMALL, SCORES])
    for room in (attention, indexer):
        monkeypatch.setattr(room, "PEERS", [peer for peer in room.PEERS if peer.name.startswith("eager")])
    monkeypatch.setattr(suite.limit, "machine", lambda level: MACHINE)
    monkeypatch.setattr(suite.facts, "every", lambda level: [("facts x", lambda: [FACT])])
    monkeypatch.setattr(suite.compile_time, "cases", lambda level: [])
    monkeypatch.setitem(suite.BUDGET, "quick", 0.0)


def test_a_run(small):
    said = []
    results = suite.run("quick", "", (torch.float32,), said.append)
    assert [found["name"] for found in results["measurements"]] == ["attention x fp32", "indexer x fp32"]
    for found in results["measurements"]:
        assert found["peers"] and all(peer["ratio"] > 0 and peer["difference"] < 1e-5 for peer in found["peers"])
        assert 0 < found["share"] == found["least"] / found["seconds"]
    assert len(said) == 4 and "1 Gflop/s in bf16" in said[0] and "size of x" in said[3]
    assert results["facts"] == [FACT]
    assert json.loads(output.to_json(results))["level"] == "quick"


def test_only(small):
    results = suite.run("quick", "indexer x bf16", (torch.float32, torch.bfloat16), print)
    assert [found["name"] for found in results["measurements"]] == ["indexer x bf16"]
    assert results["facts"] == []


def test_only_facts(small):
    results = suite.run("quick", "facts x", (torch.float32,), print)
    assert results["measurements"] == [] and results["facts"] == [FACT]


def broken(shape, inputs):
    raise RuntimeError("no compiler\nsecond line")


def other(shape, inputs):
    return lambda: torch.zeros(1)


@pytest.mark.parametrize(
    ("make", "cost", "reason"),
    [
        (broken, Cost(1, 1), "does not run here: RuntimeError: no compiler"),
        (other, Cost(1, 1), "does not run here: ValueError: its result has sizes (1,) instead of (1, 8, 2, 8)"),
        (broken, Cost(1, 1e12), "needs about 1000 GB at once, more than 8 GB"),
    ],
)
def test_a_peer_that_cannot_run_says_why(make, cost, reason, small, monkeypatch):
    monkeypatch.setattr(attention, "PEERS", [Peer("p", make, lambda shape, size: cost)])
    (peer,) = suite.compared(SMALL, torch.float32, MACHINE, 0.0)["peers"]
    assert peer == {"name": "p", "skipped": reason}


def test_inputs_that_do_not_fit_are_not_made():
    huge = Attention("x", 32, 1, 128, 128, 192, 128, 32768, picks=2048, shared=False)
    assert "its inputs alone need 172 GB" in suite.compared(huge, torch.float32, MACHINE, 0.0)["skipped"]


def test_differences():
    assert suite.difference(torch.tensor([2.0, 4.0]), torch.tensor([2.0, 5.0])) == 0.25
    ours, theirs = torch.tensor([[3, 1, -1]]), torch.tensor([[1, 7, -1]])
    assert suite.difference(ours, theirs) == pytest.approx(1 / 3)
    assert suite.difference(ours, ours.flip(-1)) == 0
