"""HIFLOAT8 by integer arithmetic on float32 bits: sign, a prefix that says how wide exponent and fraction are, both.

The farther an exponent is from 0 the fewer fraction bits there are: 3 up to distance 3, 2 up to 7, 1 up to 15, then
bare powers of two down to 2^-22. Ties round away from zero; magnitudes from 1.25 * 2^15 on saturate at 2^15.
Source: the CPU references of ops-transformer.
"""

import torch

SATURATED, OVERFLOW, LEAST = 0x6E, 40960.0, 2.0**-23


def hif8(values: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Codes uint8 of float32 values, and the scale [1], which is 1. NaN has code 0, infinities saturate."""
    bits = values.view(torch.int32)
    exponent = (bits >> 23 & 0xFF) - 127
    tiny = exponent == -23  # half of the smallest value: it rounds up to it
    mantissa = bits & 0x7FFFFF | 0x800000
    dropped = torch.where(tiny, 24, 23 - _fraction_bits(exponent))
    steps = (mantissa >> dropped) + (mantissa >> (dropped - 1) & 1)
    carry = steps >> (24 - dropped) > 0
    exponent = exponent + carry
    fraction = torch.where(carry, 0, steps & (1 << _fraction_bits(exponent)) - 1)
    code = _assembled(exponent.clamp(-22, 15), fraction)
    code = torch.where(values.abs() >= OVERFLOW, SATURATED, code)
    code = code | values.signbit().to(torch.int32) << 7
    code = torch.where((values.abs() < LEAST) | values.isnan(), 0, code)
    return code.to(torch.uint8), values.new_ones(1)


def _fraction_bits(exponent: torch.Tensor) -> torch.Tensor:
    distance = exponent.abs()
    bits = torch.where(distance < 4, 3, torch.where(distance < 8, 2, 1))
    return torch.where(exponent < -15, 0, bits)


def _assembled(exponent: torch.Tensor, fraction: torch.Tensor) -> torch.Tensor:
    """The code without its sign of 2^exponent * (1 + fraction / 2^bits), exponent in -22..15."""
    distance, negative = exponent.abs(), (exponent < 0).to(torch.int32)
    code = 0x60 | negative << 4 | (distance & 7) << 1 | fraction
    code = torch.where(distance < 8, 0x40 | negative << 4 | (distance & 3) << 2 | fraction, code)
    code = torch.where(distance < 4, 0x20 | negative << 4 | (distance & 1) << 3 | fraction, code)
    code = torch.where(distance == 1, 0x10 | negative << 3 | fraction, code)
    code = torch.where(distance == 0, 0x08 | fraction, code)
    return torch.where(exponent < -15, exponent + 23, code)
