"""The page of the dialect says everything a spec holds. (That README.md is this page is tested with docgen.)"""

import pytest

from sparse_attn.dialect.npu import SPECS, markdown
from sparse_attn.dialect.npu.docs import section
from sparse_attn.dialect.npu.target import PRODUCTS, UNSUPPORTED_PRODUCTS


@pytest.mark.parametrize("name", SPECS)
def test_a_section_says_what_the_spec_holds(name):
    spec = SPECS[name]
    text = section(spec)
    for number, constraint in spec.constraints.items():
        assert f"- **{number}** {constraint.says}" in text
        assert constraint.note in text
    for argument in spec.schema.by_name:
        assert f"| `{argument}`" in text
    for words in (*spec.disagreements, *spec.facts, *(row.about for row in spec.tensors.values())):
        assert words in text
    flat = " ".join(text.split())
    for variant in spec.published:
        assert f"{variant.namespace}::{variant.schema.text}" in flat


def test_every_product_is_named():
    text = markdown()
    for product in (*PRODUCTS.values(), *UNSUPPORTED_PRODUCTS.values()):
        assert product in text


def test_limits_of_some_chips_are_marked_and_warnings_too():
    text = section(SPECS["quant_lightning_indexer"])
    assert "- **c13** `topk` is 1 to 2048. On a3, a2." in text
    assert "stays within 400000000. On ascend950. Warning." in text
    assert "- **c11** `topk` is at least 1. (" in text, "a rule of all targets names none"
