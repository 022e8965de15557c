"""Branches on tensors."""

from programs import fault

from sparse_attn.lowering.plan.legality import data_branch


def test_a_branch_is_refused():
    refusal = fault(data_branch, branches=True)
    assert "chooses on the host by a tensor's value" in refusal.what and "torch.where" in refusal.instead
