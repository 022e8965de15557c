"""Few heads to each key: a token or two, and keys that are read where they lie, against the numpy reference."""

import pytest
import torch
from meaning_cases import FLOATS, NONE, close, draw, integers, numpy_reference, operator, picks

attention = operator("attention")
pytestmark = pytest.mark.usefixtures("implementation")


def agrees(query, **call):
    out, lse = attention(query, return_lse=True, **call)
    wanted, total = numpy_reference("attention", query, return_lse=True, **call)
    close(out, wanted)
    torch.testing.assert_close(lse, total, rtol=1e-5, atol=1e-5)
    return out


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("width", [1, 7, 16, 61, 128])
@pytest.mark.parametrize(("heads", "groups"), [(1, 1), (3, 3), (5, 1), (8, 1), (12, 4), (70, 35)])
def test_widths_heads_and_groups(dtype, width, heads, groups):
    query, key = draw(2, 1, heads, width, dtype=dtype), draw(2, 75, groups, width, dtype=dtype, seed=1)
    agrees(query, ori_kv=key, scale=0.3)


@pytest.mark.parametrize("keys", [1, 2, 3, 5, 63, 64, 65, 130])
def test_numbers_of_keys(keys):
    query, key, value = draw(1, 1, 6, 24), draw(1, keys, 6, 24, seed=1), draw(1, keys, 6, 9, seed=2)
    agrees(query, ori_kv=key, ori_value=value, scale=0.3)


@pytest.mark.parametrize("first", FLOATS)
@pytest.mark.parametrize("second", FLOATS)
def test_two_segments_of_different_dtypes(first, second):
    query, key = draw(1, 2, 4, 20), draw(1, 31, 2, 20, dtype=first, seed=1)
    compressed, sinks = draw(1, 23, 2, 20, dtype=second, seed=2), draw(4, seed=3)
    agrees(
        query, ori_kv=key, cmp_kv=compressed, cmp_indices=picks(1, 2, 9, 23), sinks=sinks, ori_mask="causal", scale=0.3
    )


@pytest.mark.parametrize("value", FLOATS)
def test_values_apart_of_another_dtype(value):
    query, key = draw(1, 1, 4, 20), draw(1, 31, 4, 20, dtype=torch.bfloat16, seed=1)
    agrees(
        query, ori_kv=key, ori_value=draw(1, 31, 4, 5, dtype=value, seed=2), ori_indices=picks(1, 1, 17, 31), scale=0.3
    )


@pytest.mark.parametrize("by_head", [False, True])
def test_masks(by_head):
    query, key = draw(2, 2, 4, 16), draw(2, 90, 2, 16, seed=1)
    mask = draw(2, 4 if by_head else 1, 2, 90, seed=2)
    agrees(query, ori_kv=key, mask=mask.masked_fill(mask > 1, NONE), ori_mask="causal", scale=0.3)


@pytest.mark.parametrize("rule", ["zero", "mean", "nan"])
def test_a_row_without_a_key_beside_one_with(rule):
    query, key = draw(2, 1, 9, 16), draw(2, 40, 3, 16, seed=1)
    visible = torch.tensor([[0], [40]], dtype=torch.int32)
    out, lse = attention(query, ori_kv=key, visible=visible, ori_mask="causal", empty_rows=rule, return_lse=True)
    wanted, _ = numpy_reference("attention", query, ori_kv=key, visible=visible, ori_mask="causal", empty_rows=rule)
    close(out, wanted)
    assert (lse[0] == NONE).all() and lse[1].isfinite().all()


@pytest.mark.parametrize("axes", [(1, 2), (1, 3), (2, 3)])
def test_keys_in_any_order_of_memory(axes):
    """Rows whose elements are neighbours are read in place, others are copied first."""
    query, key = draw(2, 1, 4, 24), draw(2, 70, 4, 24, seed=1)
    turned = key.transpose(*axes).contiguous().transpose(*axes)
    assert turned.stride() != key.stride()
    close(agrees(query, ori_kv=turned, scale=0.3), attention(query, ori_kv=key, scale=0.3)[0])


def test_nothing_beside_the_listed_keys_is_read():
    query, key = draw(1, 1, 4, 16), draw(1, 200, 4, 16, seed=1)
    listed = picks(1, 1, 50, 200)
    hidden = torch.ones(200, dtype=torch.bool)
    hidden[listed[listed >= 0].long()] = False
    spoiled = key.clone()
    spoiled[:, hidden] = 1e30
    assert torch.equal(
        attention(query, ori_kv=spoiled, ori_indices=listed)[0], attention(query, ori_kv=key, ori_indices=listed)[0]
    )


def test_one_row_of_many_equals_the_row_alone():
    """A row alone streams its keys, many rows share panels of them: the same numbers, sums in another order."""
    query, key = draw(1, 30, 4, 32), draw(1, 300, 2, 32, seed=1)
    many, _ = attention(query, ori_kv=key, scale=0.2, ori_mask="causal")
    visible = integers(271, 272, 1, 1)
    close(attention(query[:, :1], ori_kv=key, scale=0.2, ori_mask="causal", visible=visible)[0], many[:, :1])
