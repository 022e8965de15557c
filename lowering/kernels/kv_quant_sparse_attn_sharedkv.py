"""npu_kv_quant_sparse_attn_sharedkv: bf16 queries over keys packed in rows of 640 bytes, Ascend 950."""

from __future__ import annotations

from ...dialect.npu import SPECS
from .contract import Contract
from .quantised import make, quantised

SPEC = SPECS["kv_quant_sparse_attn_sharedkv"]

CONTRACTS = [
    Contract(
        kernel="custom::npu_kv_quant_sparse_attn_sharedkv",
        implements="sparse_attn.attention",
        targets=SPEC.chips,
        requirements=(quantised,),
        make=make,
    )
]
