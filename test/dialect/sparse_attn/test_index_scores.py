"""The reference against one sum at a time, in Python floats."""

import itertools

import numpy as np
import pytest

from sparse_attn.dialect.sparse_attn import IndexScoresOp

B, S, T, H, D = 2, 3, 5, 4, 6


def draw(*shape):
    return np.random.default_rng(sum(shape)).standard_normal(shape).astype(np.float32)


QUERY, KEY, WEIGHTS = draw(B, S, H, D), draw(B, T, D) + 0.1, draw(B, S, H) * 2
QUERY_SCALE, KEY_SCALE = draw(B, S, H) + 3, draw(B, T) + 3


def one_head(b, s, h, t, scale, activation):
    product = scale * sum(float(QUERY[b, s, h, i]) * float(KEY[b, t, i]) for i in range(D))
    return max(product, 0.0) if activation == "relu" else product


@pytest.mark.parametrize("activation", ["relu", "none"])
def test_weighted_with_all_scales(activation):
    scores = IndexScoresOp.reference(
        QUERY, KEY, WEIGHTS, query_scale=QUERY_SCALE, key_scale=KEY_SCALE, scale=0.5, activation=activation
    )
    assert scores.shape == (B, S, T) and scores.dtype == np.float32
    for b, s, t in itertools.product(range(B), range(S), range(T)):
        heads = [
            float(WEIGHTS[b, s, h]) * float(QUERY_SCALE[b, s, h]) * one_head(b, s, h, t, 0.5, activation)
            for h in range(H)
        ]
        assert scores[b, s, t] == pytest.approx(float(KEY_SCALE[b, t]) * sum(heads), rel=1e-4, abs=1e-4)


def test_sum_leaves_weights_out():
    scores = IndexScoresOp.reference(QUERY, KEY, reduce="sum")
    ones = IndexScoresOp.reference(QUERY, KEY, np.ones((B, S, H), np.float32))
    np.testing.assert_allclose(scores, ones, rtol=1e-6)


def test_none_keeps_heads_apart():
    scores = IndexScoresOp.reference(QUERY, KEY, key_scale=KEY_SCALE, reduce="none")
    assert scores.shape == (B, S, H, T)
    wanted = [
        KEY_SCALE[b, t] * one_head(b, s, h, t, 1.0, "relu")
        for b, s, h, t in itertools.product(range(B), range(S), range(H), range(T))
    ]
    np.testing.assert_allclose(scores.ravel(), wanted, rtol=1e-4, atol=1e-5)


def test_scale_is_inside_the_activation():
    flipped = IndexScoresOp.reference(QUERY, KEY, reduce="sum", scale=-1.0)
    assert not np.allclose(flipped, -IndexScoresOp.reference(QUERY, KEY, reduce="sum"))


def test_half_precision_inputs_are_summed_in_fp32():
    ones = np.ones((1, 1, 1, 4096), np.float16)
    assert IndexScoresOp.reference(ones, ones[0], reduce="sum")[0, 0, 0] == 4096
    assert IndexScoresOp.reference(ones * 16, ones[0] * 16, reduce="sum")[0, 0, 0] == 1048576  # beyond fp16
