"""The reference against one softmax at a time."""

import math

import numpy as np
import pytest

from sparse_attn.dialect.sparse_attn import CompressOp

RANDOM = np.random.default_rng(3)


def draw(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def gated_mean(pairs):
    """The softmax-weighted mean of (logit, value) pairs."""
    total = sum(math.exp(logit) for logit, _ in pairs)
    return sum(math.exp(logit) * value for logit, value in pairs) / total


def positions(window, channel, ratio, width, overlap):
    """(token, channel of the row) of everything a window gathers for one output channel."""
    own = [(window * ratio + p, channel + (width // 2 if overlap else 0)) for p in range(ratio)]
    previous = [((window - 1) * ratio + p, channel) for p in range(ratio)] if overlap and window else []
    return previous + own


@pytest.mark.parametrize("overlap", [False, True])
@pytest.mark.parametrize("tokens", [3, 4, 5, 8, 13])
@pytest.mark.parametrize("biased", [False, True])
def test_each_channel_is_a_gated_mean(overlap, tokens, biased):
    ratio, width = 4, 6
    kv, gate, bias = draw(2, tokens, width), draw(2, tokens, width), draw(ratio, width) if biased else None
    rows = CompressOp.reference(kv, gate, bias, ratio=ratio, overlap=overlap)
    assert rows.shape == (2, tokens // ratio, width // 2 if overlap else width)
    for b, window, channel in np.ndindex(rows.shape):
        pairs = [
            (gate[b, t, c] + (bias[t % ratio, c] if biased else 0.0), kv[b, t, c])
            for t, c in positions(window, channel, ratio, width, overlap)
        ]
        assert rows[b, window, channel] == pytest.approx(gated_mean(pairs), rel=1e-4, abs=1e-5)


def test_incomplete_window_changes_nothing():
    kv, gate = draw(1, 7, 4), draw(1, 7, 4)
    rows = CompressOp.reference(kv, gate, ratio=4)
    np.testing.assert_array_equal(rows, CompressOp.reference(kv[:, :4], gate[:, :4], ratio=4))


def test_large_gates_do_not_overflow():
    rows = CompressOp.reference(draw(1, 4, 2), np.full((1, 4, 2), 1e4, np.float32), ratio=2)
    assert np.isfinite(rows).all()


def test_result_has_the_type_of_kv():
    assert CompressOp.reference(draw(1, 4, 2).astype(np.float16), draw(1, 4, 2), ratio=2).dtype == np.float16
