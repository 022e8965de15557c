"""Encoders against the formats' own definitions, bit by bit, special values included."""

import numpy as np
import pytest
import torch

from sparse_attn.dialect.npu.formats import float4_e2m1, float8_e4m3, mx, row640
from sparse_attn.dialect.npu.reference import indexer_quant_cache as cache
from sparse_attn.ops import quantise_formats as formats

FINITE = torch.randn(400, 128, generator=torch.Generator().manual_seed(0)) * torch.exp2(
    torch.randint(-40, 40, (400, 1), generator=torch.Generator().manual_seed(1)).float()
)
SPECIAL = FINITE[:8].clone()
SPECIAL[0] = 0
SPECIAL[1, 5], SPECIAL[2, 6], SPECIAL[3, 7] = float("inf"), float("nan"), -float("nan")
SPECIAL[4], SPECIAL[5], SPECIAL[6, :64] = 1e-40, 3e38, 0
SPECIAL[7, ::2] = -0.0
VALUES = torch.cat([FINITE, SPECIAL])
REFERENCES = {
    "fp8": lambda x: cache.fp8(x, True, float8_e4m3),
    "mxfp8": lambda x: cache.mxfp8(x, float8_e4m3),
    "mxfp4": cache.mxfp4,
}


@pytest.mark.parametrize("name", REFERENCES)
def test_the_same_bits_as_the_cache_writer(name):
    codes, scale = getattr(formats, name)(VALUES)
    wanted, scales = REFERENCES[name](VALUES.numpy())
    np.testing.assert_array_equal(codes.view(torch.uint8).numpy(), wanted)
    np.testing.assert_array_equal(scale.view(torch.uint8).numpy().reshape(len(VALUES), -1), scales.view(np.uint8))


@pytest.mark.parametrize("seed", range(3))
def test_rows_are_those_of_the_row_format(seed):
    made = torch.Generator().manual_seed(seed)
    values = torch.randn(50, 512, generator=made) * torch.exp2(torch.randint(-20, 20, (50, 1), generator=made).float())
    values = values.bfloat16().float()
    values[0, :64], values[1] = 0, 0
    codes, scale = formats.kv_fp8(values)
    np.testing.assert_array_equal(codes.view(torch.uint8).numpy(), row640.pack(values.numpy()))
    assert scale.shape == (0,)


def test_int8_is_the_nearest_step_of_its_fp16_scale():
    codes, scale = formats.int8(FINITE)
    steps = FINITE.double() / scale.double().clamp(min=2.0**-24)
    inside = scale.squeeze(-1) > 0
    error = (steps.clamp(-127, 127) - codes.double()).abs()[inside]
    assert error.max() <= 0.5 and codes.abs().max() == 127
    wanted = (FINITE.abs().amax(-1, keepdim=True) / 127).clamp(max=65504).half()
    assert torch.equal(scale, wanted)


def test_int8_of_special_values():
    codes, scale = formats.int8(SPECIAL)
    assert scale[0] == 0 and not codes[0].any(), "a row of zeros"
    assert codes[1, 5] == 127 and scale[1].isfinite(), "an infinity takes the end of the scale of the finite ones"
    assert codes[2, 6] == codes[3, 7] == 0 and codes[2].any(), "NaN"
    assert not codes[4].any(), "values below what an fp16 scale can say"
    assert (codes[5] == 127).all() and scale[5] == 65504, "values above it"


def test_fp4_ties_go_to_the_even_code():
    midpoints = torch.tensor([0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0, 7.0])
    groups = torch.cat([midpoints, -midpoints, torch.full((48,), 4.0)]).unsqueeze(0)
    codes, scale = formats.mxfp4(groups)
    assert scale.view(torch.uint8).flatten().tolist() == [127, 127]
    expected = [0.0, 1.0, 1.0, 2.0, 2.0, 4.0, 4.0, 6.0]
    assert float4_e2m1.decode(codes.numpy())[0, :16].tolist() == [*expected, *(-v for v in expected)]


@pytest.mark.parametrize(("name", "decode", "bound"), [
    ("mxfp8", float8_e4m3.decode, 2.0**-4), ("mxfp4", float4_e2m1.decode, 2.0**-1),
])  # fmt: skip
def test_what_is_read_back_is_near(name, decode, bound):
    """Largest error over the largest value of a group: half a step of the top binade, and for mxfp4 clipping at 6."""
    codes, scale = getattr(formats, name)(FINITE)
    back = mx.dequantise(decode(codes.view(torch.uint8).numpy()), scale.view(torch.uint8).numpy())
    groups = np.abs(FINITE.numpy()).reshape(-1, 32)
    error = np.abs(back - FINITE.numpy()).reshape(-1, 32).max(-1)
    seen = groups.max(-1) > 1e-3
    assert (error[seen] / groups.max(-1)[seen]).max() <= bound
