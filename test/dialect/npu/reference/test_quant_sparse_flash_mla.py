import numpy as np
import pytest
from attention import bits_changed, out_of_tolerance, recorded, run_reference

NAME = "quant_sparse_flash_mla"


@pytest.mark.vectors(NAME)
def test_matches_the_golden_vectors(vector):
    results = run_reference(NAME, recorded(vector))
    expected = vector.outputs["attn_out"]
    assert results[0].shape == expected.shape and results[0].dtype == expected.dtype
    assert out_of_tolerance(results[0], expected) == 0
    assert bits_changed(results[0], expected) < 2e-4
    if vector.attrs["return_softmax_lse"]:
        np.testing.assert_allclose(results[1], vector.outputs["softmax_lse"], rtol=1e-5, atol=1e-5)


def one_row(keys, **changes):
    """One row of one head that sees all keys; equal scores, so the values are averaged."""
    one = np.ones(1, np.float32)
    call = {
        "q": np.zeros((1, 1, 1, 512), np.uint8),
        "ori_kv": keys[None, :, None],
        "q_descale": one,
        "ori_kv_descale": one,
    }
    return run_reference(NAME, call | {"softmax_scale": 1.0} | changes)


def test_one_key_without_a_sink_is_its_value():
    key = np.full((1, 512), 0x0C, np.uint8)  # 1.5
    out, lse = one_row(key)
    assert (out == 0x3FC0).all() and lse.tolist() == [[[[0.0]]]]


def test_a_sink_takes_its_share():
    key = np.full((3, 512), 0x10, np.uint8)  # 2.0
    out, lse = one_row(key, sinks=np.zeros(1, np.float32))
    assert (out == 0x3FC0).all(), "3 of 4 equal shares of 2.0"
    np.testing.assert_allclose(lse, np.log(4), rtol=1e-6)


def test_probabilities_are_rounded_to_hifloat8():
    """exp(-1) * 16 = 5.886 has three fraction bits at its exponent: 6.0."""
    keys = np.array([[0x08] * 512, [0x00] * 512], np.uint8)
    query = np.zeros((1, 1, 1, 512), np.uint8)
    query[..., 0] = 0x08  # scores 1 and 0
    out, _ = one_row(keys, q=query)
    total = 1 + np.exp(np.float32(-1))
    np.testing.assert_allclose((out.astype(np.uint32) << 16).view(np.float32), 1 / total, rtol=2**-8)
    swapped, _ = one_row(keys[::-1], q=query)
    assert (swapped == out).all()
    values = np.array([[0x00] * 512, [0x08] * 512], np.uint8)
    query[..., 0] = 0x88  # scores 0 and -1: now the rounded probability carries the value
    out, _ = one_row(values, q=query)
    np.testing.assert_allclose((out.astype(np.uint32) << 16).view(np.float32), 6 / 16 / total, rtol=2**-8)
