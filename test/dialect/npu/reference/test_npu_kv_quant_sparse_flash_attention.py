import numpy as np
import pytest
from attention import run_reference

from sparse_attn.dialect.npu.formats import float8_e4m3, hifloat8
from sparse_attn.dialect.npu.reference.npu_kv_quant_sparse_flash_attention import unpack

NAME = "npu_kv_quant_sparse_flash_attention"


def row(codes, scales, rope=0.0):
    """A packed row of one repeated code."""
    parts = [
        np.full(512, codes).view(np.uint8),
        np.full(64, rope, np.float16).view(np.uint8),
        np.array(scales, "<f4").view(np.uint8),
    ]
    return np.concatenate(parts)


@pytest.mark.parametrize("kind", ["int8", "e4m3", "hif8"])
def test_rows_hold_elements_rotary_and_scales(kind):
    code = {"int8": np.int8(-3), "e4m3": float8_e4m3.encode(np.float32(-3)), "hif8": hifloat8.encode(np.float32(-3))}[
        kind
    ]
    packed = row(code, [1, 2, 4, 0.5], 7.0)
    stored = packed.view(np.int8) if kind == "int8" else packed
    values = unpack(stored, np.zeros(1, np.float16), kind == "hif8")
    assert values.shape == (576,)
    assert values[[0, 127, 128, 256, 384, 511]].tolist() == [-3, -3, -6, -12, -1.5, -1.5]
    assert (values[512:] == 7).all()


def test_scaled_elements_are_rounded_to_the_type_of_the_query():
    packed = row(np.int8(127), [1 / 3] * 4).view(np.int8)
    assert unpack(packed, np.zeros(1, np.float16), False)[0] == np.float16(np.float32(127) * np.float32(1 / 3))
    assert unpack(packed, np.zeros(1, np.uint16), False)[0] == 42.25, "bfloat16 has eight bits: 42.33 becomes 42.25"


def test_equal_scores_average_the_listed_rows():
    keys = np.stack([row(np.int8(v), [0.5] * 4) for v in (2, 4, 8)]).view(np.int8).reshape(1, 3, 1, 656)
    call = {"query": np.zeros((1, 1, 2, 576), np.float16), "key": keys, "value": keys, "scale_value": 1.0}
    call |= {"sparse_indices": np.array([[[[2, 0, -1]]]], np.int32), "key_quant_mode": 2, "value_quant_mode": 2}
    (out,) = run_reference(NAME, call)
    assert out.shape == (1, 1, 2, 512) and (out == (4 + 1) / 2).all()
