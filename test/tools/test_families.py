"""The table of families: what it counts, and what it must not forgive."""

import pytest
import torch

from sparse_attn.tools import families
from sparse_attn.tools.tiny_families import FAMILIES, HARD_TO_CAPTURE, WHY_HARD

WHOLE = ("deepseek_v32", "deepseek_v4", "glm_moe_dsa", "axk2", "hy_v4", "mistral_large4", "doge")


def test_a_row_prints_its_reasons_once():
    row = families.Row("some", "decode", 3, 1, 2e-7, ("too wide", "too wide"))
    assert str(row) == "| some | decode | 3 | 1 | 2.0e-07 | too wide |"


def test_one_family_is_measured():
    row = families.measure("glm_moe_dsa", "prefill", length=40)
    assert (row.found, row.fused, row.reasons) == (3, 3, ())
    assert row.error <= 1e-5


def test_a_difference_fails_the_command(monkeypatch, capsys):
    wrong = families.Row("axk2", "prefill", 4, 4, 1e-2, ())
    monkeypatch.setattr(families, "measure", lambda *args, **kwargs: wrong)
    options = families.parser().parse_args(["--families", "axk2", "--modes", "prefill"])
    assert families.run(options) == 1
    assert "1.0e-02" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["decode", "static decode"])  # both start with a prefill
@pytest.mark.parametrize("family", FAMILIES)
def test_families_stay_equal_to_eager(family, mode):
    if (family, mode) == ("deepseek_v4", "static decode"):
        pytest.skip("transformers has no static cache for DeepSeek-V4")
    row = families.measure(family, mode)
    assert row.error <= 1e-5
    if family in WHOLE:
        assert row.fused == row.found > 0, row.reasons


@pytest.mark.slow
@pytest.mark.parametrize("family", HARD_TO_CAPTURE)
def test_families_that_are_hard_to_capture_stay_equal_and_say_why(family):
    before = torch._dynamo.config.capture_dynamic_output_shape_ops
    row = families.measure(family, "prefill")
    assert row.error <= 1e-5 and WHY_HARD[family] in row.reasons and len(row.reasons) > 1
    assert torch._dynamo.config.capture_dynamic_output_shape_ops == before


def test_every_family_that_is_hard_to_capture_says_why_and_can_be_asked_for():
    assert set(HARD_TO_CAPTURE) == set(WHY_HARD) and not set(HARD_TO_CAPTURE) & set(FAMILIES)
    options = families.parser().parse_args(["--families", *HARD_TO_CAPTURE])
    assert options.families == list(HARD_TO_CAPTURE)
