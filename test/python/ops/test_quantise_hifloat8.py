"""HIFLOAT8 by integer arithmetic against its table, over all codes and all kinds of floats."""

import numpy as np
import torch

from sparse_attn.dialect.npu.formats import hifloat8
from sparse_attn.ops.quantise_hifloat8 import hif8


def encoded(values: np.ndarray) -> np.ndarray:
    return hif8(torch.from_numpy(np.ascontiguousarray(values, np.float32)))[0].numpy()


def test_every_code_reads_back_as_itself():
    codes = np.setdiff1d(np.arange(256), [hifloat8.NAN, hifloat8.INF, 0x80 | hifloat8.INF]).astype(np.uint8)
    np.testing.assert_array_equal(encoded(hifloat8.TABLE[codes]), codes)


def test_any_bits_as_the_definition_has_them():
    bits = np.random.default_rng(0).integers(0, 2**32, 200_000, np.uint64).astype(np.uint32)
    values = bits.view(np.float32)
    np.testing.assert_array_equal(encoded(values), hifloat8.encode(values, saturate=True))


def test_the_nearest_value_is_chosen_and_ties_go_away_from_zero():
    table = np.unique(hifloat8.TABLE[np.isfinite(hifloat8.TABLE)])
    middle = ((table[:-1].astype(np.float64) + table[1:]) / 2).astype(np.float32)
    away = np.where(middle > 0, table[1:], table[:-1])
    np.testing.assert_array_equal(hifloat8.TABLE[encoded(middle)], away)
    inside = np.nextafter(middle, 0, dtype=np.float32)
    np.testing.assert_array_equal(hifloat8.TABLE[encoded(inside)], np.where(middle > 0, table[:-1], table[1:]))


def test_special_values():
    values = [0.0, -0.0, np.inf, -np.inf, np.nan, 40959.0, 40960.0, -1e38, 2.0**-23, 2.0**-24, -(2.0**-24)]
    wanted = [0, 0, 0x6E, 0xEE, 0, 0x6E, 0x6E, 0xEE, 1, 0, 0]
    assert encoded(np.array(values, np.float32)).tolist() == wanted


def test_the_scale_is_one():
    scale = hif8(torch.full((3, 4), 1e4))[1]
    assert scale.tolist() == [1.0] and scale.dtype == torch.float32
