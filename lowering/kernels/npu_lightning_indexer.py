"""npu::npu_lightning_indexer: the indexer of DeepSeek-V3.2, over uncompressed keys, on Ascend 950, A3 and A2.

Its published kernel for Ascend 950 keeps scores in 16 bits before it picks; those for A3 and A2 pick in fp32.
"""

from __future__ import annotations

from ...dialect.npu import SPECS
from .contract import Contract, Draft, Use
from .indexers import COMMON, ranks, read

SPEC = SPECS["npu_lightning_indexer"]


def uncompressed(use: Use) -> str | None:
    if use.attribute("ratio") != 1:
        return f"its keys stand for {use.attribute('ratio')} tokens each; the kernel knows uncompressed keys only"
    return None


def make(use: Use) -> Draft:
    found = read(use)
    tensors = {"query": found.query, "key": found.key, "weights": found.weights}
    if found.used is not None:
        tensors["actual_seq_lengths_key"] = found.lengths(found.used)
    scalars = {"sparse_count": found.picks, "sparse_mode": 0 if found.rule is None else 3}
    return Draft(SPEC, tensors, scalars, {0: found.taken}, found.notes)


CONTRACTS = [
    Contract(
        kernel="npu::npu_lightning_indexer",
        implements="sparse_attn.lightning_indexer",
        targets=SPEC.chips,
        requirements=(*COMMON, uncompressed, ranks("bf16", "ascend950")),
        make=make,
    )
]
