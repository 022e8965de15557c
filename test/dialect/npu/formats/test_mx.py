import numpy as np
import pytest

from sparse_attn.dialect.npu.formats import float4_e2m1, float8_e4m3, float8_e8m0, mx


def test_scale_j_covers_elements_32j_to_32j_plus_31():
    scales = np.array([[[127, 128], [129, 130]]], np.uint8)
    factors = mx.expand_scales(scales, (1, 128))
    assert factors[0, [0, 31, 32, 63, 64, 95, 96, 127]].tolist() == [1, 1, 2, 2, 4, 4, 8, 8]


def test_dequantise_multiplies_by_the_group_scale():
    elements = np.ones((2, 64), np.float32)
    scales = np.array([[[126, 127]], [[255, 0]]], np.uint8)
    result = mx.dequantise(elements, scales)
    assert result[0, 31] == 0.5 and result[0, 32] == 1 and np.isnan(result[1, 0]) and result[1, 32] == 2.0**-127


@pytest.mark.parametrize(("codec", "largest"), [(float8_e4m3, 448.0), (float4_e2m1, 6.0)])
def test_group_scales_keep_every_element_in_range(codec, largest):
    x = (np.random.default_rng(0).standard_normal((3, 5, 128)) * 10.0 ** np.arange(-2, 3)[:, None]).astype(np.float32)
    factors = mx.expand_scales(mx.group_scales(x, largest), x.shape)
    scaled = np.abs(x / factors).reshape(3, 5, 4, 32).max(-1)
    assert (scaled <= largest).all() and (scaled > largest / 2).all()
    back = codec.decode(codec.encode(x / factors)) * factors
    assert np.abs(back - x).max() <= np.abs(x).max() / 4


def test_a_zero_group_has_a_finite_scale():
    scales = mx.group_scales(np.zeros((1, 64), np.float32), 448.0)
    assert scales.shape == (1, 1, 2) and np.isfinite(float8_e8m0.decode(scales)).all()


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="multiple of 64"):
        mx.scale_shape((2, 96))
    with pytest.raises(ValueError, match=r"must be \(2, 2, 2\)"):
        mx.expand_scales(np.zeros((2, 4), np.uint8), (2, 128))
