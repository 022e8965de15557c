"""indexer_compress_epilog_v2 in numpy, from the vendor's kernel: E4M3 with an fp32 scale for 128 elements."""

import numpy as np

from ..formats import float8_e4m3
from ._rows import Array
from .indexer_quant_cache import fp8
from .lightning_indexer import decode

GROUP = 128


def indexer_compress_epilog_v2(cache: Array, x: Array, slot_mapping: Array, layout: int = 2) -> Array:
    """cache uint8 [blocks, size, 1, W], x [n, d] -> the cache afterwards. A block: size * d elements, then scales."""
    assert layout == 2
    values, size = decode(x), cache.shape[1]
    width = values.shape[1]
    parts = [fp8(values[:, first : first + GROUP], False, float8_e4m3) for first in range(0, width, GROUP)]
    elements = np.concatenate([part[0] for part in parts], 1)
    scales = np.concatenate([part[1] for part in parts], 1).astype(np.float32).view(np.uint8)
    result = cache.copy()
    for row, slot in enumerate(slot_mapping):
        if slot < 0:
            continue
        block = result[slot // size].reshape(-1)
        at, wide = slot % size, scales.shape[1]
        block[at * width : (at + 1) * width] = elements[row]
        block[size * width + at * wide : size * width + (at + 1) * wide] = scales[row]
        result[slot // size] = block.reshape(result[slot // size].shape)
    return result
