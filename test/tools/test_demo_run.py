"""One generation: tokens, times, memory; the same seed gives the same tokens."""

import pytest

from sparse_attn.tools import demo_cases, demo_run
from sparse_attn.tools.demo_cases import Case


@pytest.fixture
def short(monkeypatch):
    """A case of one layer and a prompt of 40 tokens (more than the 32 that are kept)."""
    cases = [Case(f"short-{cache}", "", "deepseek_v32", 1, cache, 3, 2) for cache in ("dynamic", "static")]
    monkeypatch.setattr(demo_cases, "CASES", cases)
    monkeypatch.setattr(demo_run, "PROMPT", 40)


def test_eager(short):
    notes = []
    found = demo_run.generate(notes.append, "short-dynamic", "eager", 1)
    assert notes == ["eager prompt", "eager token 1", "eager token 2", "eager token 3"]
    assert len(found["tokens"]) == len(found["seconds"]) == len(found["graphs_after"]) == 4
    assert found["graphs"] == [] and found["memory"] >= 0
    assert found["tokens"] == demo_run.generate(notes.append, "short-static", "eager", 1)["tokens"]


def test_the_seed_is_of_weights_and_prompt(short):
    first, second = (demo_run.generate(lambda n: None, "short-dynamic", "eager", seed) for seed in (1, 2))
    assert first["tokens"] != second["tokens"]


@pytest.mark.slow
def test_compiled_gives_the_same_tokens(short):
    eager, ours = (demo_run.generate(lambda n: None, "short-static", who, 1) for who in ("eager", "sparse_attn"))
    assert ours["tokens"] == eager["tokens"]
    assert ours["graphs_after"] == [1, 2, 2, 2] and all(f.fused for graph in ours["graphs"] for f in graph)


@pytest.mark.slow
def test_a_target_that_is_not_here_makes_the_prompts_graph_alone(short):
    found = demo_run.generate(lambda n: None, "short-static", "a3", 1)
    assert len(found["tokens"]) == 1 and len(found["graphs"]) == 1
