"""The reference against one row and head at a time, in Python floats."""

import math

import numpy as np
import pytest

from sparse_attn.dialect.sparse_attn import AttentionOp

B, S, N, D, T, TC = 2, 3, 4, 6, 7, 5
RANDOM = np.random.default_rng(11)
attend = AttentionOp.reference


def draw(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


QUERY, ORI, CMP, SINKS = draw(B, S, N, D), draw(B, T, 2, D), draw(B, TC, 2, D), draw(N)


def one_row(query, pairs, sink=None, scale=1.0, bias=None):
    """(out, lse) of one row over (key, value) pairs."""
    logits = [scale * float(query @ key) for key, _ in pairs]
    logits = [logit + extra for logit, extra in zip(logits, bias or [0.0] * len(pairs), strict=True)]
    total = sum(math.exp(logit) for logit in logits) + (0.0 if sink is None else math.exp(sink))
    out = sum(math.exp(logit) * value for logit, (_, value) in zip(logits, pairs, strict=True)) / total
    return out, math.log(total)


def compare(found, keys_of, scale=1.0, sinks=None, width=D):
    out, lse = found
    assert out.shape == (B, S, N, width) and lse.shape == (B, S, N)
    for b, s, n in np.ndindex(B, S, N):
        ori, cmp = keys_of(b, s)
        pairs = [(ORI[b, j, n // 2], ORI[b, j, n // 2, :width]) for j in ori]
        pairs += [(CMP[b, c, n // 2], CMP[b, c, n // 2, :width]) for c in cmp]
        wanted, wanted_lse = one_row(QUERY[b, s, n], pairs, None if sinks is None else sinks[n], scale)
        np.testing.assert_allclose(out[b, s, n], wanted, rtol=1e-4, atol=1e-5)
        assert lse[b, s, n] == pytest.approx(wanted_lse, rel=1e-4)


def test_two_segments_with_sinks():
    found = attend(QUERY, ori_kv=ORI, cmp_kv=CMP, sinks=SINKS, scale=0.5, return_lse=True)
    compare(found, lambda b, s: (range(T), range(TC)), 0.5, SINKS)


def test_causal_without_counts_ends_at_the_last_key():
    found = attend(QUERY, ori_kv=ORI, ori_mask="causal", return_lse=True)
    compare(found, lambda b, s: (range(T - S + s + 1), ()))


@pytest.mark.parametrize(("left", "right"), [(2, 0), (-1, 1), (1, -1), (0, 0)])
def test_band(left, right):
    visible = np.array([[2, 4, 7]], np.int32)
    options = {"ori_mask": "band", "ori_left": left, "ori_right": right}
    found = attend(QUERY, ori_kv=ORI, visible=visible, return_lse=True, **options)

    def keys(b, s):
        own = visible[0, s] - 1
        first = 0 if left == -1 else max(own - left, 0)
        return range(first, T if right == -1 else min(own + right + 1, T)), ()

    compare(found, keys)


def test_prefix_follows_the_visible_tokens():
    visible = np.array([[4, 5, 99], [8, 11, 12]], np.int32)
    options = {"ori_mask": "causal", "cmp_mask": "prefix", "cmp_ratio": 4}
    found = attend(QUERY, ori_kv=ORI, cmp_kv=CMP, visible=visible, return_lse=True, **options)
    compare(found, lambda b, s: (range(min(visible[b, s], T)), range(min(visible[b, s] // 4, TC))))


def test_own_counts_of_compressed_keys():
    counts = np.array([[1, 2, 99]], np.int32)
    found = attend(QUERY, cmp_kv=CMP, cmp_visible=counts, cmp_mask="prefix", return_lse=True)
    compare(found, lambda b, s: ((), range(min(counts[0, s], TC))))


def test_lists_and_masks_restrict_together():
    ori = np.array([[[0, 5, -1], [6, 2, 1], [3, -1, -1]]])
    cmp = np.array([[[4, 0], [-1, 2], [1, -1]]] * B)
    found = attend(QUERY, ori_kv=ORI, cmp_kv=CMP, ori_indices=ori, cmp_indices=cmp, ori_mask="causal", return_lse=True)
    compare(found, lambda b, s: ([j for j in ori[0, s] if 0 <= j <= T - S + s], [c for c in cmp[b, s] if c >= 0]))


def test_order_of_a_list_does_not_matter():
    indices = np.stack([[RANDOM.permutation(T)[:4] for _ in range(S)] for _ in range(B)])
    found, _ = attend(QUERY, ori_kv=ORI, ori_indices=indices)
    shuffled, _ = attend(QUERY, ori_kv=ORI, ori_indices=indices[..., ::-1])
    np.testing.assert_allclose(found, shuffled, rtol=1e-5)


def test_value_is_a_part_of_the_row():
    found = attend(QUERY, ori_kv=ORI, cmp_kv=CMP, value_width=4, return_lse=True)
    compare(found, lambda b, s: (range(T), range(TC)), width=4)


def test_separate_values():
    values = draw(B, T, 2, 3)
    out, _ = attend(QUERY, ori_kv=ORI, ori_value=values)
    for b, s, n in np.ndindex(B, S, N):
        pairs = [(ORI[b, j, n // 2], values[b, j, n // 2]) for j in range(T)]
        np.testing.assert_allclose(out[b, s, n], one_row(QUERY[b, s, n], pairs)[0], rtol=1e-4, atol=1e-5)


def test_float_mask_is_added_after_the_scale():
    mask = draw(S, T + TC)
    out, _ = attend(QUERY, ori_kv=ORI, cmp_kv=CMP, mask=mask, scale=0.25)
    for b, s, n in np.ndindex(B, S, N):
        rows = [*ORI[b, :, n // 2], *CMP[b, :, n // 2]]
        wanted, _ = one_row(QUERY[b, s, n], [(row, row) for row in rows], None, 0.25, [float(m) for m in mask[s]])
        np.testing.assert_allclose(out[b, s, n], wanted, rtol=1e-4, atol=1e-5)


def test_bool_mask_spans_both_segments():
    mask = RANDOM.random((B, 1, S, T + TC)) < 0.6
    mask[..., 0] = True
    found = attend(QUERY, ori_kv=ORI, cmp_kv=CMP, mask=mask, return_lse=True)
    compare(found, lambda b, s: (np.flatnonzero(mask[b, 0, s, :T]), np.flatnonzero(mask[b, 0, s, T:])))


NOTHING = {"ori_kv": ORI, "visible": np.zeros((1, S), np.int32), "ori_mask": "causal", "return_lse": True}


def test_empty_rows_are_zero():
    out, lse = attend(QUERY, **NOTHING)
    assert (out == 0).all() and (lse == -np.inf).all()


def test_empty_rows_are_the_mean():
    out, _ = attend(QUERY, cmp_kv=CMP, empty_rows="mean", **NOTHING, mask=np.zeros(T + TC, bool))
    wanted = np.concatenate([ORI, CMP], axis=1).mean(axis=1)
    np.testing.assert_allclose(out[:, 0, ::2], wanted, rtol=1e-4, atol=1e-6)
    lowest = np.full((1, T + TC), np.finfo(np.float32).min, np.float32)
    eager, _ = attend(QUERY, ori_kv=ORI, cmp_kv=CMP, mask=lowest)
    np.testing.assert_allclose(out, eager, rtol=1e-3, atol=1e-5)


def test_empty_rows_are_nan():
    assert np.isnan(attend(QUERY, empty_rows="nan", **NOTHING)[0]).all()


@pytest.mark.parametrize("rule", ["zero", "mean", "nan"])
def test_sinks_make_empty_rows_zero(rule):
    out, lse = attend(QUERY, sinks=SINKS, empty_rows=rule, **NOTHING)
    assert (out == 0).all()
    np.testing.assert_allclose(lse, np.broadcast_to(SINKS, (B, S, N)), rtol=1e-6)


def test_more_queries_than_keys():
    out, _ = attend(QUERY, ori_kv=ORI[:, :1], ori_mask="causal")
    assert (out[:, :2] == 0).all()
    np.testing.assert_allclose(out[:, 2, :2], ORI[:, [0, 0], 0], rtol=1e-6)


def test_an_index_beyond_its_segment_is_an_error():
    with pytest.raises(ValueError, match=f"index {T} is beyond the {T} keys"):
        attend(QUERY, ori_kv=ORI, ori_indices=np.full((1, S, 1), T))


def test_lse_only_when_asked_for():
    assert attend(QUERY, ori_kv=ORI)[1].shape == (0,)
