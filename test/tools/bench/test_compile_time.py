"""The parts of a first call add up."""

import pytest

from sparse_attn import backend
from sparse_attn.tools import tiny_models
from sparse_attn.tools.bench import compile_time


def test_cases():
    assert compile_time.cases("quick") == [("deepseek_v32", 2)]
    assert len(compile_time.cases("standard")) == 6
    assert all(callable(getattr(tiny_models, model)) for model, _ in compile_time.cases("full"))


def test_times_are_added_and_the_inner_backend_is_put_back(monkeypatch):
    monkeypatch.setattr(backend, "_inner", len)
    spent = {"inner": 0.0}
    with compile_time._inner_timed(spent):
        assert backend._inner("abc") == 3 and backend._inner is not len
    assert spent["inner"] > 0 and backend._inner is len
    assert compile_time._sum([{"a": 1.0}, {"a": 2.0, "b": 4.0}]) == {"a": 3.0, "b": 4.0}


@pytest.mark.slow
def test_the_parts_add_up():
    found = compile_time.split("deepseek_v32", 1)
    parts = sum(found[name] for name in ("dynamo", "aot", "ours", "inner", "run"))
    assert parts == pytest.approx(found["total"], rel=0.05) and min(found["aot"], found["ours"]) > 0
    assert found["fused"] == found["candidates"] == 2 and found["graphs"] == 1
