"""The codecs of the host library against the numpy definitions, over all codes and over hard values."""

import numpy as np
import pytest

from sparse_attn.dialect.npu.formats import float4_e2m1, float8_e4m3, float8_e5m2, float8_e8m0, hifloat8, row640
from sparse_attn.lowering.host.library import Dtype, HostKernelError, Tensor, call

CODES = np.arange(256, dtype=np.uint8)
BITS16 = np.arange(65536, dtype=np.uint16)


def _decode(array, dtype, shape=None):
    result = np.empty(shape or array.shape, np.float32)
    call("convert", [Tensor.of(array, dtype), False], [result])
    return result


def _encode(values, dtype, storage, saturate=False):
    result = np.empty(values.shape, storage)
    call("convert", [values, saturate], [Tensor.of(result, dtype)])
    return result


def _hard_values():
    """Every format's values, their midpoints and neighbours, random floats of every size, and the specials."""
    tables = [float8_e4m3.TABLE, float8_e5m2.TABLE, hifloat8.TABLE, float8_e8m0.TABLE, float4_e2m1.TABLE]
    tables += [BITS16.view(np.float16).astype(np.float32)[::7], row640.bf16_values(BITS16)[::7]]
    values = np.unique(np.concatenate([table[np.isfinite(table)] for table in tables]))
    middle = (values[:-1].astype(np.float64) + values[1:]) / 2
    values = np.concatenate([values, middle.astype(np.float32)])
    up, down = np.nextafter(values, np.float32(np.inf)), np.nextafter(values, np.float32(-np.inf))
    random = np.random.default_rng(5).integers(0, 2**32, 100_000, dtype=np.uint32).view(np.float32)
    specials = np.array([np.inf, -np.inf, 0.0, -0.0], np.float32)
    return np.concatenate([values, up, down, random[np.isfinite(random)], specials])


HARD = _hard_values()


@pytest.mark.parametrize(
    ("dtype", "table"),
    [
        (Dtype.FP8_E4M3, float8_e4m3.TABLE),
        (Dtype.FP8_E5M2, float8_e5m2.TABLE),
        (Dtype.FP8_E8M0, float8_e8m0.TABLE),
        (Dtype.HIF8, hifloat8.TABLE),
    ],
)
def test_byte_formats_decode_every_code(dtype, table):
    assert np.array_equal(_decode(CODES, dtype), table, equal_nan=True)


def test_fp4_decodes_every_byte():
    packed = CODES.reshape(8, 32)
    assert np.array_equal(_decode(packed, Dtype.FP4X2, (8, 64)), float4_e2m1.decode(packed))


def test_sixteen_bit_formats_decode_every_code():
    assert np.array_equal(_decode(BITS16, Dtype.BF16), row640.bf16_values(BITS16), equal_nan=True)
    assert np.array_equal(_decode(BITS16, Dtype.FP16), BITS16.view(np.float16).astype(np.float32), equal_nan=True)


@pytest.mark.parametrize(
    ("dtype", "encode", "storage"),
    [
        (Dtype.FP8_E4M3, float8_e4m3.encode, np.uint8),
        (Dtype.FP8_E5M2, float8_e5m2.encode, np.uint8),
        (Dtype.HIF8, hifloat8.encode, np.uint8),
        (Dtype.BF16, row640.bf16_bits, np.uint16),
    ],
)
def test_encoders_equal_the_numpy_definitions(dtype, encode, storage):
    assert np.array_equal(_encode(HARD, dtype, storage), encode(HARD))


def test_fp16_encodes_as_numpy_does():
    with np.errstate(over="ignore"):
        expected = HARD.astype(np.float16).view(np.uint16)
    assert np.array_equal(_encode(HARD, Dtype.FP16, np.uint16), expected)


def test_fp4_encodes_as_the_numpy_definition():
    values = HARD[: len(HARD) // 2 * 2].reshape(1, -1)
    result = np.empty((1, values.shape[1] // 2), np.uint8)
    call("convert", [values, False], [Tensor.of(result, Dtype.FP4X2)])
    assert np.array_equal(result, float4_e2m1.encode(values))


def test_saturation_is_for_hifloat8():
    values = np.array([1e9, -1e9, np.inf, np.nan, 40960.0, 3.0], np.float32)
    assert np.array_equal(_encode(values, Dtype.HIF8, np.uint8, True), hifloat8.encode(values, saturate=True))
    assert _encode(values, Dtype.HIF8, np.uint8).tolist() != _encode(values, Dtype.HIF8, np.uint8, True).tolist()


def test_nan_survives_where_the_format_has_one():
    nan = np.array([np.nan], np.float32)
    for dtype, storage in ((Dtype.FP8_E4M3, np.uint8), (Dtype.HIF8, np.uint8), (Dtype.BF16, np.uint16)):
        assert np.isnan(_decode(_encode(nan, dtype, storage), dtype)).all()


def test_strided_operands():
    source = np.arange(60, dtype=np.float32).reshape(3, 4, 5)[::-1, :, ::2].transpose(1, 0, 2)
    target = np.zeros((4, 3, 6), np.float64)
    call("convert", [source, False], [target[:, :, ::2]])
    assert np.array_equal(target[:, :, ::2], source) and not target[:, :, 1::2].any()


def test_a_shape_that_does_not_fit_is_an_error_and_writes_nothing():
    target = np.full((2, 3), 7, np.float32)
    with pytest.raises(HostKernelError, match=r"shape \[2,3\], must hold the values of source, shape \[2,4\]"):
        call("convert", [np.zeros((2, 4), np.float32), False], [target])
    assert (target == 7).all()


def test_a_dtype_without_numbers_is_an_error():
    with pytest.raises(HostKernelError, match="tensor source is bool, must be fp32 or bf16"):
        call("convert", [np.zeros(2, bool), False], [np.zeros(2, np.float32)])
    with pytest.raises(HostKernelError, match="tensor source is missing"):
        call("convert", [None, False], [np.zeros(2, np.float32)])
