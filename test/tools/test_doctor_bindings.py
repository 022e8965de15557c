"""The facts hold here, and each notices when its fact does not."""

import pytest

from sparse_attn.lowering import passes
from sparse_attn.tools import doctor_bindings as facts


@pytest.mark.parametrize("fact", facts.FACTS, ids=lambda fact: fact.__name__)
def test_the_fact_holds(fact):
    assert fact() is None and fact.__doc__


def test_an_unnoticed_error_is_noticed(monkeypatch):
    monkeypatch.setattr(facts, "GOOD", facts.GOOD.replace("2x8xi1", "2x5xi1").replace("8 :", "5 :"))
    assert facts.verifiers_run() == "a result of the wrong size was accepted"


def test_operations_of_nobody_are_noticed(monkeypatch):
    context = facts.registry.new_context()
    context.allow_unregistered_dialects = True
    monkeypatch.setattr(facts, "GOOD", facts.GOOD.replace("sparse_attn.selection", "nobody.selection"))
    monkeypatch.setattr(facts.registry, "new_context", lambda: context)
    assert facts.operations_are_ours() == "a sparse_attn.selection is seen as OpView"


def test_a_pass_that_swallows_its_failure_is_noticed(monkeypatch):
    quiet = passes.Pass("sparse-attn-select", "", lambda module, options: None)
    monkeypatch.setattr(passes, "all_passes", lambda: {"sparse-attn-select": quiet})
    assert facts.passes_fail_properly() == "an unknown target was accepted"
