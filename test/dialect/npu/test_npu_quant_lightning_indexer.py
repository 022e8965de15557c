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
