"""Every constraint of npu_quant_lightning_indexer, the quantised torch_npu indexer without compression."""

from npu_cases import make_call, suite_of
from quantised_indexer_cases import cases

from sparse_attn.dialect.npu import SPECS

BASE = SPECS["npu_quant_lightning_indexer"].example
CASES = cases("npu_quant_lightning_indexer")

test_base, test_legal, test_refused, test_complete = suite_of(CASES)


def test_it_returns_indices_only():
    call = make_call(CASES.spec, "host", BASE)
    assert CASES.spec.check(call) == []
    assert CASES.spec.result_facts(call) == [((2, 3, 1, 2048), "int32")]


def test_c12_is_a_rule_of_memory_that_a_type_does_not_show():
    """The IR files hold every other number; this one needs strides."""
    (case,) = [name for name in CASES.refused if name.startswith("c12_")]
    CASES.check_refused(case)
