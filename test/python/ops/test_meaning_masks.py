"""Visible counts and masks as operands of the meaning-level operators."""

import pytest
import torch
from meaning_cases import FLOATS, close, draw, integers, numpy_reference, operator, picks

from sparse_attn.ops import meaning_masks as masks

attention = operator("attention")

B, S, T, C, N, G, D = 2, 7, 19, 9, 6, 2, 16


def segments(heads=N):
    return draw(B, S, heads, D), draw(B, T, G, D, seed=1), draw(B, C, G, D, seed=2)


def test_counts_without_the_operand_end_at_the_last_key():
    assert masks.visible_counts(None, 3, 5, torch.device("cpu")).tolist() == [[3, 4, 5]]
    assert masks.visible_counts(None, 3, 1, torch.device("cpu")).tolist() == [[-1, 0, 1]]


def test_a_prefix_of_a_negative_or_large_count():
    shown = masks.prefix(torch.tensor([[-2, 0, 1, 9]]), 3)
    assert shown.int().tolist() == [[[0, 0, 0], [0, 0, 0], [1, 0, 0], [1, 1, 1]]]


@pytest.mark.parametrize(
    ("left", "right", "row"), [(1, 0, "00110"), (-1, 0, "11110"), (0, 0, "00010"), (1, -1, "00111"), (-1, -1, "11111")]
)
def test_a_band_around_the_fourth_key(left, right, row):
    assert masks.band(torch.tensor([[4]]), 5, left, right)[0, 0].int().tolist() == [int(c) for c in row]


def test_a_band_far_before_or_after_the_keys_is_empty():
    assert not masks.band(torch.tensor([[-3, 12]]), 5, 2, 1).any()


SHAPES = [(B, N, S, T + C), (B, 1, S, T + C), (S, T + C), (B, N, 1, T + C), (T + C,), (N, S, 1), (B, 1, 1, T + C), ()]


@pytest.mark.usefixtures("implementation")
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", ["bool", "float", "infinite"])
@pytest.mark.parametrize("lists", [False, True])
def test_masks_broadcast_over_both_segments(shape, kind, lists):
    query, key, compressed = segments()
    mask = draw(*shape, seed=3)
    mask = {"bool": mask > -0.5, "float": mask, "infinite": torch.where(mask > -0.5, mask, -torch.inf)}[kind]
    call = {"ori_kv": key, "cmp_kv": compressed, "mask": mask, "scale": 0.3, "ori_mask": "causal", "return_lse": True}
    if lists:
        call |= {"ori_indices": picks(B, S, 6, T, seed=4), "cmp_indices": picks(1, S, 4, C, seed=5)}
    for found, wanted in zip(attention(query, **call), numpy_reference("attention", query, **call), strict=True):
        torch.testing.assert_close(found, wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.usefixtures("implementation")
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("heads", [2, 32])
def test_sixteen_bit_masks_and_strided_masks(dtype, heads):
    query, key, compressed = segments(heads)
    mask = draw(B, S, heads, T + C, dtype=dtype, seed=6).transpose(1, 2)
    call = {"ori_kv": key, "cmp_kv": compressed, "mask": mask, "scale": 0.3}
    close(attention(query, **call)[0], numpy_reference("attention", query, **call)[0])


@pytest.mark.usefixtures("implementation")
@pytest.mark.parametrize("batch", [1, B])
@pytest.mark.parametrize("heads", [2, 16])
def test_counts_of_original_and_compressed_keys(batch, heads):
    query, key, compressed = segments(heads)
    visible, counts = integers(-2, T + 3, batch, S, seed=7), integers(-2, C + 3, batch, S, seed=8)
    call = {"ori_kv": key, "cmp_kv": compressed, "scale": 0.3, "ori_mask": "causal", "cmp_mask": "prefix"}
    for extra in ({"cmp_ratio": 4}, {"visible": visible, "cmp_ratio": 3}, {"visible": visible, "cmp_visible": counts}):
        wanted = numpy_reference("attention", query, **call, **extra)[0]
        close(attention(query, **call, **extra)[0], wanted)


@pytest.mark.usefixtures("implementation")
@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"empty_rows": "drop"}, r"\[c1\].*empty_rows"),
        ({"visible": torch.zeros(B, S)}, r"\[c2\].*visible"),
        ({"cmp_kv": torch.zeros(B, C, G, D + 1)}, r"\[c3\].*cmp_kv"),
        ({"ori_kv": None, "cmp_kv": None}, r"\[c5\].*ori_kv"),
        ({"query": torch.zeros(B, S, 5, D)}, r"\[c6\].*5 query heads"),
        ({"value_width": D + 1}, r"\[c7\].*width"),
        ({"ori_kv": None, "ori_mask": "causal"}, r"\[c8\].*ori_"),
        ({"ori_left": 3}, r"\[c9\].*band"),
        ({"visible": torch.zeros(B, S, dtype=torch.int32)}, r"\[c10\].*visible"),
        ({"ori_kv": None, "cmp_mask": "prefix"}, r"\[c10\].*cmp_visible"),
        ({"mask": torch.zeros(S, T)}, r"\[c11\].*mask"),
    ],
)
def test_refusals_name_the_constraint(change, text):
    query, key, compressed = segments()
    with pytest.raises(ValueError, match=text):
        attention(**({"query": query, "ori_kv": key, "cmp_kv": compressed} | change))
