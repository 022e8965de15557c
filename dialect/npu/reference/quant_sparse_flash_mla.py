"""quant_sparse_flash_mla in numpy: HIFLOAT8 in, bfloat16 out. Source: the CPU reference of ops-transformer.

Where the device differs, this follows the CPU reference: a batch without original keys still attends its compressed
ones, and a list ends at its first negative entry (undefined on the device). Where the reference falls back to the whole
window, for a row whose list of original keys is empty, this attends no original key.
"""

from typing import Any

import numpy as np

from ..formats import hifloat8
from ..formats.row640 import bf16_bits
from ._mla import Scales
from ._rows import Array
from .sparse_flash_mla import Numbers, sparse_flash_mla

GAIN = np.float32(16)
"""Probabilities are at most 1; times 16 they use more of the format."""


def round_probability(probability: Array) -> Array:
    """Probabilities times 16 as HIFLOAT8, ties away from zero."""
    return hifloat8.decode(hifloat8.encode(probability * GAIN))


def quant_sparse_flash_mla(
    q: Array,
    *,
    q_descale: Array,
    ori_kv_descale: Array,
    cmp_kv_descale: Array | None = None,
    quant_mode: int = 1,
    softmax_scale: float = 1.0,
    **plain: Any,
) -> tuple[Array, Array]:
    """The arguments of sparse_flash_mla and the three scales -> (attn_out as bfloat16 bits, softmax_lse float32)."""

    def scales(descale: Array | None) -> Scales:
        factor = 1.0 if descale is None else float(descale[0])
        return Scales(softmax_scale * float(q_descale[0]) * factor, factor)

    both = (scales(ori_kv_descale), scales(cmp_kv_descale))
    numbers = Numbers(hifloat8.decode, both, round_probability, lambda out: bf16_bits(out / GAIN), False)
    return sparse_flash_mla(q, **plain, numbers=numbers)
