"""The command `demo`: exit code 1 when something is wrong; the whole of it is a slow test."""

import importlib.util

import pytest
from reports import fused, refused, report

from sparse_attn.tools import cli, demo


def answering(monkeypatch, tokens, *graphs):
    def outcome(name, who, seed, step):
        step("prompt")
        mine = [] if who == "eager" else list(graphs)
        made = [1] * 2 if who == "eager" else tokens
        return {"tokens": made, "seconds": [1.0, 1.0], "graphs_after": [1, 1], "memory": 1.0, "graphs": mine}

    from sparse_attn.tools import demo_processes

    monkeypatch.setattr(demo_processes, "outcome", outcome)


GOOD = report(*(fused(name) for name in "abcd"))


def test_all_well(monkeypatch, capsys):
    answering(monkeypatch, [1, 1], GOOD)
    assert cli.main(["demo", "--case", "v32-static"]) == 0
    shown = capsys.readouterr().out
    assert "StaticCache" in shown and "DynamicCache" not in shown and "All tokens are eager's" in shown


@pytest.mark.parametrize(
    ("tokens", "graph"),
    [([1, 2], GOOD), ([1, 1], report(*(fused(name) for name in "abc"), refused("d")))],
    ids=["tokens", "candidates"],
)
def test_a_difference_is_exit_code_1(tokens, graph, monkeypatch, capsys):
    answering(monkeypatch, tokens, graph)
    assert cli.main(["demo", "--case", "v32-static"]) == 1
    assert "1 problems" in capsys.readouterr().out


def test_without_transformers_it_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert cli.main(["demo"]) == 1
    assert "pip install" in capsys.readouterr().err


def test_the_excerpt_is_for_a_target_of_the_backend():
    from sparse_attn.options import TARGETS

    assert demo.NPU in TARGETS


@pytest.mark.slow
def test_a_whole_case(capsys):
    assert cli.main(["demo", "--case", "v32-static"]) == 0, capsys.readouterr().out
    shown = capsys.readouterr().out
    assert "33 greedy tokens equal to eager's" in shown and "4 of 4 candidates fused" in shown
    assert "not fused: cann_ops_transformer::lightning_indexer on ascend950" in shown
