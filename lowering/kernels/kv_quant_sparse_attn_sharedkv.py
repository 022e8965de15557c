"""npu_kv_quant_sparse_attn_sharedkv: bf16 queries over keys packed in rows of 640 bytes, Ascend 950.

The call is that of npu_sparse_attn_sharedkv with rows of 448 E4M3 and 64 bf16 elements and their scales.
"""

from __future__ import annotations

import dataclasses

from ...dialect.npu import SPECS
from . import sparse_attn_sharedkv
from .contract import Contract, Draft, Use
from .pages import paged
from .pieces import Piece, arranged, viewed
from .quantised import Quantised, format_of, quantised, quantised_as
from .quantised_writes import quantised_key

SPEC = SPECS["kv_quant_sparse_attn_sharedkv"]
KEYS = ("ori_kv", "cmp_kv")
ROWS = {"kv_quant_mode": 1, "tile_size": 64, "rope_head_dim": 64}


def make(use: Use) -> Draft:
    plain = sparse_attn_sharedkv.make(use)
    made = {name: packed(use, name, plain.tensors[name]) for name in KEYS if name in plain.tensors}
    return dataclasses.replace(
        plain,
        spec=SPEC,
        tensors=dict(plain.tensors) | {name: each.codes for name, each in made.items()},
        scalars={**plain.scalars, **ROWS},
        notes=(*plain.notes, *(each.note for each in made.values())),
    )


def packed(use: Use, name: str, pages: Piece) -> Quantised:
    """The pages of a key as rows of 640 bytes: made where rows are written if the pages are a view of the key."""
    b, t, g, d = use.axes(name, "btgd")
    key = arranged(use.needed(name), (b, t, g, d), (b, t, g, d))
    if paged(name, key).note is not None:
        return quantised(pages, format_of(use), f"{name} is quantised whole at each call: its pages are a copy")
    rows = quantised_key(use, name, key, format_of(use), (b, t, g, d), (b, t, g, d))
    return dataclasses.replace(rows, codes=viewed(rows.codes, (*pages.dims[:-1], rows.codes.dims[-1])))


CONTRACTS = [
    Contract(
        kernel="custom::npu_kv_quant_sparse_attn_sharedkv",
        implements="sparse_attn.attention",
        targets=SPEC.chips,
        requirements=(quantised_as("kv_fp8"), *sparse_attn_sharedkv.CONTRACTS[0].requirements),
        make=make,
    )
]
