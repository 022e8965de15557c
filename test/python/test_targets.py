"""Attention in plain torch, compiled for each chip: published operators are called, results are as good as eager's."""

import pytest
import torch
from chips import CHIPS, INDEXED, PLANNED, as_good_as_eager, compiled, csa, draws, hca, swa


@pytest.mark.parametrize("target", CHIPS)
def test_a_window(target):
    given = draws()
    found, report, called = compiled(swa, given, target=target)
    assert called == PLANNED, report.text()
    as_good_as_eager(found, swa, given)


@pytest.mark.parametrize("target", CHIPS)
def test_a_list_of_compressed_keys(target):
    given = draws(batch=2)
    found, report, called = compiled(csa, given, target=target)
    assert called == INDEXED + PLANNED, report.text()
    as_good_as_eager(found, csa, given)


def test_fewer_picks_than_keys():
    given = draws(seed=1) | {"k": 4}
    found, report, called = compiled(csa, given, target="ascend950")
    assert called == INDEXED + PLANNED, report.text()
    as_good_as_eager(found, csa, given)


@pytest.mark.parametrize("target", CHIPS)
def test_a_compressed_prefix(target):
    """A ratio of ten: the 950 takes any, the others are told what each row sees."""
    given = draws()
    found, report, called = compiled(hca, given, target=target)
    assert called == PLANNED, report.text()
    assert ("as a list with a length for each row" in report.text()) == (target != "ascend950")
    as_good_as_eager(found, hca, given)


@pytest.mark.parametrize("function", [swa, csa])
def test_full_precision_stays_in_torch(function):
    given = draws(dtype=torch.float32)
    found, report, called = compiled(function, given, target="a2")
    assert not called and "query is f32; the kernel takes bf16 or fp16" in report.text()
    assert torch.equal(found, function(**given))


def test_the_host_is_not_asked_for_kernels_of_chips():
    found, report, called = compiled(swa, draws(), target="host")
    assert called == ["sparse_attn.attention.default"], report.text()
    as_good_as_eager(found, swa, draws())
