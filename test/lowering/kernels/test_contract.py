"""Contracts: the first unmet requirement speaks, a draft must pass the spec's limits, every list is complete."""

import dataclasses

import pytest
from contracts import Case, refusal, v4

from sparse_attn.dialect.npu import SPECS
from sparse_attn.lowering.analysis import ints
from sparse_attn.lowering.kernels import CONTRACTS, PREFERRED, TARGETS, offered
from sparse_attn.lowering.kernels.contract import Contract, Decision, Draft, Refused, Use, refuse, static
from sparse_attn.lowering.kernels.pieces import filled

ATTENTION = "sparse_attn.attention"


@pytest.fixture
def use():
    case = Case(v4("SWA"))
    yield Use(case.ops("attention")[0], "a3", alive=case.alive)


def test_the_first_unmet_requirement_speaks(use):
    contract = Contract("k", ATTENTION, ("a3",), (lambda u: None, lambda u: "second", lambda u: "third"))
    assert contract.decide(use) == "second"
    assert isinstance(dataclasses.replace(contract, requirements=()).decide(use), Decision)


def test_a_layout_may_refuse(use):
    assert Contract("k", ATTENTION, ("a3",), (), lambda u: refuse("no way")).decide(use) == "no way"


def test_a_layout_must_pass_the_limits_of_the_spec(use):
    spec = SPECS["sparse_flash_mla"]
    contract = Contract(
        "k", ATTENTION, ("a3",), (), lambda u: Draft(spec, {"q": filled([1, 2, 3], ints.of(0))}, {}, {})
    )
    assert "[c2] q has shape [1, 2, 3]" in refusal(contract.decide(use))


def test_a_plan_is_taken_for_granted():
    """The limits ask for a plan, which is made with the call."""
    case = Case(v4("SWA"))
    found = case.decide(case.ops("attention")[0], "cann_ops_transformer::sparse_flash_mla", "a3")
    assert "metadata" not in found.draft.tensors and found.draft.problem("a3") is None


def test_sizes_must_be_numbers():
    assert static(ints.of(3), "the batch") == 3
    with pytest.raises(Refused, match="the batch is the dynamic size s0, and the kernel's plan is told sizes only"):
        static(ints.of(ints.Sym("s0")), "the batch")


def test_kernels_are_published_operators():
    published = {v.qualified for spec in SPECS.values() for v in spec.published}
    chips = [c for c in CONTRACTS if c.targets != ("host",)]
    assert {c.kernel for c in chips} <= published
    for contract in chips:
        spec = next(s for s in SPECS.values() if contract.kernel in {v.qualified for v in s.published})
        assert contract.targets == spec.chips


def test_preferences_name_contracts():
    assert {(t, k) for t in TARGETS for k in (c.kernel for c in CONTRACTS)} >= PREFERRED
    for target in TARGETS:
        assert {c.kernel for c in offered(target, ATTENTION)} == {
            c.kernel for c in CONTRACTS if target in c.targets and c.implements == ATTENTION
        }
