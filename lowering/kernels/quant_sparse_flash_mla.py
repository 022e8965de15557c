"""cann_ops_transformer::quant_sparse_flash_mla: HIFLOAT8 attention over a window and compressed keys, Ascend 950.

The call is that of sparse_flash_mla with codes for query and keys and a scale for each.
"""

from __future__ import annotations

import dataclasses

from ...dialect.npu import SPECS
from . import sparse_flash_mla
from .contract import Contract, Draft, Use
from .pieces import Piece
from .quantised import Quantised, format_of, quantised, quantised_as
from .quantised_writes import quantised_key

SPEC = SPECS["quant_sparse_flash_mla"]


def make(use: Use) -> Draft:
    plain = sparse_flash_mla.make(use)
    made = {name: _quantised(use, name, plain.tensors[name]) for name in OPERANDS if name in plain.tensors}
    tensors = dict(plain.tensors) | {name: each.codes for name, each in made.items()}
    tensors |= {f"{name}_descale": each.scale for name, each in made.items()}
    notes = ("quantised to hif8", *(each.note for each in made.values() if each.note))
    scalars = {**plain.scalars, "quant_mode": 1}
    return dataclasses.replace(plain, spec=SPEC, tensors=tensors, scalars=scalars, notes=(*plain.notes, *notes))


OPERANDS = ("q", "ori_kv", "cmp_kv")


def _quantised(use: Use, name: str, piece: Piece) -> Quantised:
    if name == "q":
        return quantised(piece, format_of(use))
    axes = use.axes(name, "btgd")
    return quantised_key(use, name, piece, format_of(use), axes, axes)


CONTRACTS = [
    Contract(
        kernel="cann_ops_transformer::quant_sparse_flash_mla",
        implements="sparse_attn.attention",
        targets=SPEC.chips,
        requirements=(quantised_as("hif8"), *sparse_flash_mla.CONTRACTS[0].requirements),
        make=make,
    )
]
