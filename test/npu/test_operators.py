"""Every aclnn operator of the table, reached through torch on npu:0, gives what the CPU gives."""

import acl
import npu_operators
import pytest
import torch

from sparse_attn.tools.aclsim.generate import HERE
from sparse_attn.tools.aclsim.operators import parse

TABLE = [operator.name for operator in parse((HERE / "opapi" / "operators.txt").read_text())]


def test_every_line_of_the_table_has_a_case_and_no_other():
    assert set(TABLE) == set(npu_operators.CASES)


@pytest.mark.parametrize("name", TABLE)
def test_equal_to_the_cpu_and_launched(name):
    before = acl.statistics()["launched"].get(f"aclnn{name}", 0)
    there = [result.cpu() for result in npu_operators.results(name, "npu")]
    assert acl.statistics()["launched"].get(f"aclnn{name}", 0) > before, "torch_npu calls another operator"
    for ours, theirs in zip(npu_operators.results(name, "cpu"), there, strict=True):
        torch.testing.assert_close(theirs, ours, rtol=1e-6, atol=1e-6)
