"""npu_kv_quant_sparse_attn_sharedkv: bf16 queries over keys packed in rows of 640 bytes, Ascend 950.

The call is that of npu_sparse_attn_sharedkv with rows of 448 E4M3 and 64 bf16 elements and their scales.
"""

from __future__ import annotations

import dataclasses

from ...dialect.npu import SPECS
from . import sparse_attn_sharedkv
from .contract import Contract, Draft, Use
from .quantised import format_of, quantised, quantised_as

SPEC = SPECS["kv_quant_sparse_attn_sharedkv"]
KEYS = ("ori_kv", "cmp_kv")
ROWS = {"kv_quant_mode": 1, "tile_size": 64, "rope_head_dim": 64}


def make(use: Use) -> Draft:
    plain = sparse_attn_sharedkv.make(use)
    given = [name for name in KEYS if name in plain.tensors]
    packed = {name: quantised(plain.tensors[name], format_of(use)).codes for name in given}
    notes = tuple(f"{name} is quantised whole at each call, to rows of kv_fp8" for name in given)
    return dataclasses.replace(
        plain,
        spec=SPEC,
        tensors=dict(plain.tensors) | packed,
        scalars={**plain.scalars, **ROWS},
        notes=(*plain.notes, *notes),
    )


CONTRACTS = [
    Contract(
        kernel="custom::npu_kv_quant_sparse_attn_sharedkv",
        implements="sparse_attn.attention",
        targets=SPEC.chips,
        requirements=(quantised_as("kv_fp8"), *sparse_attn_sharedkv.CONTRACTS[0].requirements),
        make=make,
    )
]
