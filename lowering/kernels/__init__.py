"""What each target offers: contract files, in the order they are tried."""

from . import (
    contract,
    host,
    kv_quant_sparse_attn_sharedkv,
    lightning_indexer,
    npu_lightning_indexer,
    npu_sparse_flash_attention,
    quant_lightning_indexer,
    quant_sparse_flash_mla,
    sparse_attn_sharedkv,
    sparse_compress_flash_attention,
    sparse_flash_mla,
)

CONTRACT_FILES = [
    host,
    lightning_indexer,
    npu_lightning_indexer,
    quant_lightning_indexer,
    sparse_flash_mla,
    sparse_attn_sharedkv,
    sparse_compress_flash_attention,
    npu_sparse_flash_attention,
    quant_sparse_flash_mla,
    kv_quant_sparse_attn_sharedkv,
]

CONTRACTS = [contract for file in CONTRACT_FILES for contract in file.CONTRACTS]
TARGETS = ("host", "ascend950", "a3", "a2")

PREFERRED = {("a3", "npu::npu_lightning_indexer"), ("a2", "npu::npu_lightning_indexer")}  # without pages and plan


def offered(target: str, op: str) -> list[contract.Contract]:
    """The kernels of a target for an op, best first."""
    found = [c for c in CONTRACTS if target in c.targets and c.implements == op]
    return sorted(found, key=lambda c: (target, c.kernel) not in PREFERRED)
