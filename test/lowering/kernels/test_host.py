"""The host's contracts: every meaning-level op is its own kernel, there and nowhere else."""

from contracts import Case, v4

from sparse_attn.dialect import sparse_attn
from sparse_attn.lowering.kernels import host, offered


def test_every_op_has_its_own_kernel():
    names = {op.OPERATION_NAME for op in sparse_attn.OPS}
    assert {c.implements for c in host.CONTRACTS} == names
    assert {c.kernel for c in host.CONTRACTS} == {name.replace(".", "::") for name in names}
    assert {c.targets for c in host.CONTRACTS} == {("host",)} and not any(c.requirements for c in host.CONTRACTS)


def test_it_takes_what_chips_refuse():
    case = Case(v4("SWA", dtype="f32", heads=3, width=40))
    (attention,) = case.ops("attention")
    (contract,) = offered("host", attention.op)
    found = case.decide(attention, contract.kernel, "host")
    assert not isinstance(found, str) and found.draft is None


def test_it_serves_no_chip():
    assert all(
        "sparse_attn::" not in c.kernel for t in ("ascend950", "a3", "a2") for c in offered(t, "sparse_attn.attention")
    )
