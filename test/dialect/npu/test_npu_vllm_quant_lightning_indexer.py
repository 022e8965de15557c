"""Every constraint of npu_vllm_quant_lightning_indexer: the rules without compression, and those of ratio and plan."""

from npu_cases import make_call, refused, suite_of, tensor
from quantised_indexer_cases import LENGTHS, PAGES, TND, cases

from sparse_attn.dialect.npu import SPECS

BASE = SPECS["npu_vllm_quant_lightning_indexer"].example
CASES = cases(
    "npu_vllm_quant_lightning_indexer",
    c29_ratio=refused("host", "cmp_ratio is 0", cmp_ratio=0),
    c30_no_plan=refused("a2", "metadata missing", metadata=None),
)

test_base, test_legal, test_refused, test_complete = suite_of(CASES)


def test_key_lengths_are_divided_by_the_ratio():
    """160 tokens at ratio 4 fill the 40 stored keys, 164 do not fit; pages and packed sums count alike."""
    for length, number in ((160, None), (164, "c26")):
        found = CASES.findings("host", {"cmp_ratio": 4, LENGTHS: tensor("int32 2", [length, 1])})
        assert [finding.number for finding in found] == ([number] if number else [])
    assert CASES.findings("host", PAGES | {"cmp_ratio": 4, LENGTHS: tensor("int32 2", [259, 1])}) == []
    assert CASES.findings("host", TND | {"cmp_ratio": 4, LENGTHS: tensor("int32 2", [160, 320])}) == []


def test_the_two_namespaces_give_the_layout_other_defaults():
    assert CASES.spec.variant("custom").schema["layout_key"].default == "PA_BSND"
    assert CASES.spec.variant("_C_ascend").schema["layout_key"].default == "BSND"
    assert CASES.spec.variant("custom").schema.name == "npu_quant_lightning_indexer"


def test_values_are_returned_when_asked_for():
    for changes, shape in (({}, (0,)), ({"return_value": True}, (2, 3, 1, 2048))):
        call = make_call(CASES.spec, "host", BASE | changes)
        assert CASES.spec.check(call) == []
        assert CASES.spec.result_facts(call)[1] == (shape, "float32")
