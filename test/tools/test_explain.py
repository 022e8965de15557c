"""The command `explain`: what fuses, what does not and why, and what runs when the chip is not here."""

import argparse

import pytest
import torch

from sparse_attn.tools import cli, explain
from sparse_attn.tools.errors import UserError
from sparse_attn.tools.report_json import from_json

MODEL = """
import torch

def indexer(query, key, weights):
    scores = torch.relu(torch.einsum("bshd,btd->bsht", query, key)) * 0.125
    return (scores * weights[..., None]).sum(2).topk(3, -1)[1]

def plain():
    return torch.add, (torch.ones(3), torch.ones(3)), {}

def example():
    make = torch.Generator().manual_seed(0)
    draw = lambda *shape: torch.randn(shape, generator=make)
    return indexer, (draw(1, 5, 2, 8), draw(1, 6, 8)), {"weights": draw(1, 5, 2)}

def breaks():
    def call(x):
        raise ValueError("no\\x1b[31m luck")
    return call, (torch.ones(2),), {}
"""


@pytest.fixture
def model(tmp_path, monkeypatch):
    (tmp_path / "explained_model.py").write_text(MODEL)
    monkeypatch.chdir(tmp_path)
    torch.compiler.reset()
    return "explained_model.py"


def test_a_candidate_that_fuses(model, tmp_path, capsys):
    assert cli.main(["explain", f"{model}:example", "--json", "found.json"]) == 0
    shown = capsys.readouterr().out
    assert "target host: 1 graph with candidates, 1 of 1 candidates fused" in shown
    assert "indexer at explained_model.py:6: fused: sparse_attn.lightning_indexer" in shown
    (report,) = from_json((tmp_path / "found.json").read_text()).reports
    assert [finding.fused for finding in report] == [True]


def test_a_target_without_its_chip_is_explained_and_not_run(model, capsys, monkeypatch):
    calls = []
    monkeypatch.setattr(explain, "runnable", lambda target: calls.append(target) or False)
    assert cli.main(["explain", f"{model}:example", "--target", "ascend950"]) == 0
    shown = capsys.readouterr().out
    assert calls == ["ascend950"] and "0 of 1 candidates fused" in shown
    assert "lightning_indexer on ascend950: query is f32" in shown


def test_what_runs_without_the_chip_is_what_was_captured(model):
    graph = torch.fx.symbolic_trace(lambda x: (x + 1,))
    assert explain.compiler("a3", run_it=False)(graph, [torch.ones(2)]) == graph.forward
    assert explain.compiler("host", run_it=True)(graph, [torch.ones(2)]) != graph.forward


def test_only_the_host_is_here():
    assert explain.runnable("host") and not explain.runnable("ascend950")


def test_a_call_without_candidates(model, capsys):
    assert cli.main(["explain", f"{model}:plain"]) == 0
    assert "no graph holds a candidate" in capsys.readouterr().out


def test_an_error_of_the_call_is_a_user_error(model, capsys):
    assert cli.main(["explain", f"{model}:breaks"]) == 1
    error = capsys.readouterr().err
    assert error.startswith("sparse-attn explain: error: the call failed with ")
    assert "Traceback" not in error and "\x1b" not in error


def test_the_stack_is_shown_on_request(model, capsys):
    assert cli.main(["explain", f"{model}:breaks", "--traceback"]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_an_unwritable_file_is_a_user_error(model, capsys):
    assert cli.main(["explain", f"{model}:plain", "--json", "absent/found.json"]) == 1
    assert "cannot write absent/found.json" in capsys.readouterr().err


def test_options_reach_the_backend():
    given = ["m:f", "--inner", "inductor", "--accept-ranking", "bf16", "--assume", "contiguous_positions"]
    options = explain.parser().parse_args(given)
    assert isinstance(options, argparse.Namespace)
    made = {"inner": "inductor", "accept_ranking": "bf16", "assume": ("contiguous_positions",)}
    assert explain.chosen(options) == made
    graph = torch.fx.symbolic_trace(lambda x: (x + 1,))
    with pytest.raises(Exception, match="accept_ranking"):
        explain.compiler("host", True, {"accept_ranking": "no"})(graph, [torch.ones(2)])


def test_without_gradients(model):
    seen = []

    @torch.compiler.disable
    def note():
        seen.append(torch.is_grad_enabled())

    def call(x):
        note()
        return x * 2

    explain.explained((call, (torch.ones(2, requires_grad=True),), {}), "host")
    assert seen and not any(seen)


def test_explained_raises_user_errors():
    def call():
        raise ValueError("why")

    with pytest.raises(UserError, match="the call failed with"):
        explain.explained((call, (), {}), "host")
