"""The host implements every meaning-level operator there is, and asks for nothing."""

from sparse_attn.dialect import sparse_attn
from sparse_attn.lowering.kernels import host


def test_every_operator_is_offered_without_requirements():
    assert {c.implements for c in host.CONTRACTS} == {op.OPERATION_NAME for op in sparse_attn.OPS}
    for contract in host.CONTRACTS:
        assert contract.targets == ("host",) and not contract.requirements
        assert contract.kernel == contract.implements.replace("sparse_attn.", "sparse_attn::")
