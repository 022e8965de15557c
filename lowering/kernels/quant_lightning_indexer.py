"""cann_ops_transformer::quant_lightning_indexer: the indexer over quantised queries and keys; it ranks in bf16."""

from __future__ import annotations

from ...dialect.npu import SPECS
from .contract import Contract
from .indexers import ranks
from .quantised import make, quantised

SPEC = SPECS["quant_lightning_indexer"]

CONTRACTS = [
    Contract(
        kernel="cann_ops_transformer::quant_lightning_indexer",
        implements="sparse_attn.lightning_indexer",
        targets=SPEC.chips,
        requirements=(quantised, ranks("bf16")),
        make=make,
    )
]
