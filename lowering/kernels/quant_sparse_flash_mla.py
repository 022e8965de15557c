"""cann_ops_transformer::quant_sparse_flash_mla: HIFLOAT8 attention over a window and compressed keys, Ascend 950."""

from __future__ import annotations

from ...dialect.npu import SPECS
from .contract import Contract
from .quantised import make, quantised

SPEC = SPECS["quant_sparse_flash_mla"]

CONTRACTS = [
    Contract(
        kernel="cann_ops_transformer::quant_sparse_flash_mla",
        implements="sparse_attn.attention",
        targets=SPEC.chips,
        requirements=(quantised,),
        make=make,
    )
]
