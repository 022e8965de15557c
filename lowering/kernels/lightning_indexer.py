"""cann_ops_transformer::lightning_indexer: the un-quantised indexer of Ascend 950, A3 and A2.

It scores bf16 or fp16 with ReLU and fp32 weights, and ranks in fp32. A2 and A3 read paged keys only.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from ...dialect.npu import SPECS
from .contract import Contract, Draft, Use
from .indexers import COMMON, Indexed, ranks, read
from .pages import paged
from .pieces import Piece

SPEC = SPECS["lightning_indexer"]
CAUSAL = 3


def make(use: Use) -> Draft:
    found = read(use)
    tensors: dict[str, Piece] = {"q": found.query, "k": found.key, "w": found.weights}
    scalars: dict[str, Any] = {"topk": found.picks, "max_seqlen_q": found.longest}
    if found.rule is not None:
        scalars |= {"mask_mode": CAUSAL, "cmp_ratio": found.rule.ratio}
        if found.rule.ratio != 1:
            tensors["cmp_residual_k"] = found.lengths(found.rule.residual)
    if found.used is not None:
        tensors["seqused_k"] = found.lengths(found.used)
    draft = Draft(SPEC, tensors, scalars, {0: found.taken}, found.notes)
    if use.target != "ascend950":
        draft = in_pages(found, tensors, scalars)
    return found.packed(draft, ("q", "w"), ("k",)) if found.dynamic else draft


def in_pages(found: Indexed, tensors: dict[str, Piece], scalars: dict[str, Any]) -> Draft:
    """The same call over paged keys."""
    pages = paged("the indexer's key", found.key)
    used = {} if "seqused_k" in tensors else {"seqused_k": found.lengths(found.key.dims[1])}
    draft = Draft(
        SPEC,
        tensors | used | {"k": pages.keys, "block_table": pages.table},
        scalars | {"layout_k": "PA_BBND"},
        {0: found.taken},
        found.notes,
    )
    return dataclasses.replace(draft, notes=(*draft.notes, pages.note)) if pages.note else draft


CONTRACTS = [
    Contract(
        kernel="cann_ops_transformer::lightning_indexer",
        implements="sparse_attn.lightning_indexer",
        targets=SPEC.chips,
        requirements=(*COMMON, ranks("f32")),
        make=make,
    )
]
