from fractions import Fraction

import numpy as np
import pytest

from sparse_attn.dialect.npu.reference._indexer import bf16_round, fused, rank
from sparse_attn.dialect.npu.reference.quant_lightning_indexer import quant_lightning_indexer


@pytest.mark.vectors("quant_lightning_indexer")
def test_matches_the_golden_vectors(vector):
    attrs = {name: value for name, value in vector.attrs.items() if name != "metadata"}
    indices, values = quant_lightning_indexer(**vector.inputs, **attrs)
    assert np.array_equal(indices, vector.outputs["sparse_indices"])
    if not attrs["return_value"]:
        assert values.shape == (0,)
    elif attrs["quant_mode"] == 2:
        # This mode alone returns unrounded fp32 sums, whose order of addition is not published.
        np.testing.assert_allclose(values, vector.outputs["sparse_values"], rtol=1e-6)
    else:
        assert np.array_equal(values, vector.outputs["sparse_values"])


def _nearest(exact: Fraction, bits: int) -> float:
    """The nearest number with `bits` significant bits, ties to even."""
    exponent = 0
    while abs(exact) >= 2 ** (bits + exponent):
        exponent += 1
    while abs(exact) < Fraction(2) ** (bits - 1 + exponent):
        exponent -= 1
    return float(round(exact / Fraction(2) ** exponent) * Fraction(2) ** exponent)


@pytest.mark.parametrize(
    ("bits", "narrow"), [(24, lambda x: float(np.float32(x))), (8, lambda x: float(bf16_round(x)))]
)
def test_fused_steps_round_once(bits, narrow):
    """Addends next to a rounding boundary of the product are where two roundings would differ from one."""
    rng = np.random.default_rng(0)
    for _ in range(500):
        a, b = bf16_round(rng.standard_normal(2) + 1.5)
        c = np.float32(bf16_round(rng.standard_normal()) * 2.0 ** -int(rng.integers(0, 60)))
        exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
        if exact:
            assert narrow(fused(*np.array([[a], [b], [c]], np.float32))[0]) == _nearest(exact, bits)


def test_bf16_rounding_ties_and_range():
    x = np.array([1 + 2.0**-8, 1 + 3 * 2.0**-8, 3.4e38, -3.4e38, 0.0, np.inf], np.float32)
    assert bf16_round(x).tolist() == [1.0, 1 + 2.0**-6, np.inf, -np.inf, 0.0, np.inf]


def test_ties_keep_the_lower_index():
    assert rank(np.array([1, 3, 3, 2, 3], np.float32), 4).tolist() == [1, 2, 4, 3]
