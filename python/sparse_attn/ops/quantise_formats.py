"""Encoders: float32 values [..., D] to codes and scales, in torch operations on any device.

The scales of fp8, mxfp8 and mxfp4 are those that the cache writer indexer_quant_cache makes by default, and a kv_fp8
row is what kv_compress_epilog writes in mode fp8_e8m0, so rows of ours and of theirs may share a cache.
Sources: the documents and CPU references of these two operators in ops-transformer. int8 is symmetric with the nearest
fp16 scale of amax / 127.
"""

import torch

GROUP, LEAST = 32, 1e-4
E4M3_LARGEST, FP16_LARGEST = 448.0, 65504.0
ROPE, NOPE, TILE, ROW_BYTES = 64, 448, 64, 640
Codes = tuple[torch.Tensor, torch.Tensor]


def int8(values: torch.Tensor) -> Codes:
    """Codes int8 in -127..127 (ties to even), scale fp16 a row; a row of zeros has scale 0. NaN has code 0."""
    finite = values.isfinite()
    amax = torch.where(finite, values, 0.0).abs().amax(-1, keepdim=True)
    scale = (amax / 127.0).clamp(max=FP16_LARGEST).to(torch.float16)
    wide = scale.float()
    steps = torch.where(wide > 0, values / torch.where(wide > 0, wide, 1.0), 0.0)
    return steps.nan_to_num(nan=0.0).round().clamp(-127, 127).to(torch.int8), scale


def fp8(values: torch.Tensor) -> Codes:
    """Codes E4M3, scale fp32 a row: the power of two not below amax / 448. Infinities and NaN have the code of NaN."""
    finite = values.isfinite()
    amax = torch.where(finite, values, 0.0).abs().amax(-1, keepdim=True)
    scale = torch.where(amax > 0, _power_of_two(amax * (1.0 / E4M3_LARGEST)), 0.0)
    divided = torch.where(finite & (amax > 0), values / torch.where(amax > 0, scale, 1.0), values)
    return e4m3(torch.where(divided.isinf(), float("nan"), divided)), scale


def mxfp8(values: torch.Tensor) -> Codes:
    """Codes E4M3, scale E8M0 for 32 elements: the power of two not below amax / 448, amax at least 1e-4."""
    groups = values.unflatten(-1, (-1, GROUP))
    amax = groups.abs().amax(-1).clamp(min=LEAST) * (1.0 / E4M3_LARGEST)
    exponents = torch.where(amax.isfinite(), _exponent_above(amax), 255)
    divided = groups / _power(exponents).unsqueeze(-1)
    return e4m3(torch.where(divided.isinf(), float("nan"), divided)).flatten(-2), _e8m0(exponents)


def mxfp4(values: torch.Tensor) -> Codes:
    """Codes E2M1, two a byte with the even element low, scale E8M0 for 32 elements: the largest exponent less 2.

    A group with an infinity or NaN has scale NaN and codes 0.
    """
    groups = values.unflatten(-1, (-1, GROUP))
    largest = (groups.view(torch.int32) >> 23 & 0xFF).amax(-1)
    special = largest == 255
    exponents = torch.where(special, 255, (largest - 2).clamp(min=0))
    inverse = torch.where(special | (largest == 0), 0.0, torch.exp2(127.0 - exponents.double())).float()
    scaled = torch.where(special.unsqueeze(-1), 0.0, groups * inverse.unsqueeze(-1))
    codes = _e2m1(scaled).flatten(-2)
    return codes[..., 0::2] | codes[..., 1::2] << 4, _e8m0(exponents)


def kv_fp8(values: torch.Tensor) -> Codes:
    """Rows of 640 bytes from 512 values: the last 64 as bf16, the first 448 as E4M3, 7 scales E8M0, 57 bytes of 0."""
    tiles = values[..., :NOPE].unflatten(-1, (-1, TILE))
    exponents = _exponent_above(tiles.abs().amax(-1).clamp(min=LEAST) * (1.0 / E4M3_LARGEST))
    elements = e4m3((tiles / _power(exponents).unsqueeze(-1)).clamp(-E4M3_LARGEST, E4M3_LARGEST)).flatten(-2)
    rope = values[..., NOPE:].to(torch.bfloat16).contiguous().view(torch.uint8)
    parts = [rope, elements.view(torch.uint8), exponents.to(torch.uint8)]
    used = sum(part.shape[-1] for part in parts)
    parts.append(parts[0].new_zeros((*values.shape[:-1], ROW_BYTES - used)))
    return torch.cat(parts, -1).view(torch.float8_e4m3fn), values.new_empty(0)


def e4m3(values: torch.Tensor) -> torch.Tensor:
    """Nearest E4M3, ties to even, clipped to the largest finite value; every NaN has the one code without a sign."""
    one_nan = torch.where(values.isnan(), float("nan"), values)
    return one_nan.clamp(-E4M3_LARGEST, E4M3_LARGEST).to(torch.float8_e4m3fn)


def _exponent_above(scales: torch.Tensor) -> torch.Tensor:
    """Codes 0..254 of the smallest E8M0 not below each positive scale; 255 for NaN."""
    fraction, exponent = torch.frexp(scales)
    codes = (exponent - (fraction == 0.5).to(exponent.dtype) + 127).clamp(0, 254)
    codes = torch.where(scales.isinf(), 254, codes)
    return torch.where(scales.isnan(), 255, codes)


def _power_of_two(scales: torch.Tensor) -> torch.Tensor:
    """The smallest power of two not below each positive scale, float32 (subnormal ones included)."""
    fraction, exponent = torch.frexp(scales)
    return torch.ldexp(
        torch.ones_like(scales, dtype=torch.float64), exponent - (fraction == 0.5).to(exponent.dtype)
    ).float()


def _power(codes: torch.Tensor) -> torch.Tensor:
    """The value of E8M0 codes, NaN for 255."""
    return torch.where(codes == 255, float("nan"), torch.exp2(codes.double() - 127.0)).float()


def _e8m0(codes: torch.Tensor) -> torch.Tensor:
    """Codes as an E8M0 tensor [..., D/64, 2]."""
    return codes.to(torch.uint8).unflatten(-1, (-1, 2)).view(torch.float8_e8m0fnu)


def _e2m1(values: torch.Tensor) -> torch.Tensor:
    """4-bit codes in uint8: nearest, ties to the even code, clipped to +-6."""
    magnitude = values.abs()
    # Codes 0..7 are 0, .5, 1, 1.5, 2, 3, 4, 6: steps of a half up to 2, of one up to 4, of two up to 6.
    code = torch.where(
        magnitude <= 2.0,
        (magnitude * 2).round(),
        torch.where(magnitude <= 4.0, magnitude.round() + 2, (magnitude / 2).round() + 4),
    ).clamp(max=7)
    return code.to(torch.uint8) | values.signbit().to(torch.uint8) << 3
