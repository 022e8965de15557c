"""Facts: of which level, and what their numbers mean."""

import pytest
import torch

import sparse_attn.ops  # noqa: F401
from sparse_attn.ops import meaning_host, meaning_shim
from sparse_attn.tools.bench import LEVELS, facts


def test_names_are_unique_and_long_ones_are_not_of_the_quick_level():
    quick, standard, full = ([name for name, _ in facts.every(level)] for level in LEVELS)
    assert set(quick) < set(standard) == set(full) and len(set(full)) == len(full)
    assert "memory of a long prompt" not in quick


def test_overhead_is_of_both_ways_and_small(monkeypatch):
    monkeypatch.setattr(facts, "CALLS", 20)
    found = {fact["name"].rpartition(" ")[2]: fact for fact in facts.overhead()}
    assert set(found) == {"ctypes"} | ({"shim"} if meaning_shim.find()[0] else set())
    assert all(0 < fact["value"] < 5000 and fact["unit"] == "us" for fact in found.values())


def test_without_a_shim_only_ctypes_is_measured(monkeypatch):
    monkeypatch.setattr(facts, "CALLS", 2)
    monkeypatch.setattr(meaning_shim, "find", lambda: (None, "not built"))
    assert [fact["name"] for fact in facts.overhead()] == ["overhead of a call through ctypes"]


def test_the_types_of_a_call_stay_those_of_the_operator(monkeypatch):
    monkeypatch.setattr(facts, "CALLS", 1)
    before = meaning_host.signature("attention")
    facts.overhead()
    query = torch.ones(1, 1, 1, 4)
    assert meaning_host.signature("attention") == before
    assert torch.ops.sparse_attn.attention(query, ori_kv=query)[0].equal(query)


def test_int8_is_a_ratio(monkeypatch):
    (fact,) = facts.int8(rows=4, keys=16)
    assert fact["value"] > 0 and fact["unit"] == "x" and "prompt 4" in fact["name"]


def test_growth_is_one_when_the_cost_is_flat(monkeypatch):
    cost = iter([2.0, 8192.0, 2.0, 16384.0, 3.0, 3 * 32768.0])
    monkeypatch.setattr(facts, "_best", lambda call: next(cost))
    by_name = {fact["name"]: fact["value"] for fact in facts.growth((8192, 16384, 32768))}
    assert sorted(by_name.values()) == [1.5, 3.0]


def test_growth_on_small_contexts(monkeypatch):
    monkeypatch.setattr(facts, "ROUNDS", 1)
    assert all(fact["value"] >= 1 for fact in facts.growth((128, 256)))


def test_a_long_prompt_takes_little_beside_its_result():
    fact = facts.long_prompt(256)
    assert 0 <= fact["value"] < 256 and "256 bf16" in fact["name"]


@pytest.mark.parametrize("level", LEVELS)
def test_every_group_has_a_function(level):
    assert all(callable(measured) for _, measured in facts.every(level))
