"""The kernel dialect `npu`: one op for each published operator, described by its spec file; one line each below."""

from importlib import import_module
from typing import Any

from . import (
    compressor,
    fused_compressor,
    indexer_compress_epilog,
    indexer_compress_epilog_v2,
    indexer_quant_cache,
    kv_compress_epilog,
    kv_quant_sparse_attn_sharedkv,
    kv_quant_sparse_attn_sharedkv_metadata,
    lightning_indexer,
    lightning_indexer_metadata,
    npu_kv_quant_sparse_flash_attention,
    npu_lightning_indexer,
    npu_quant_lightning_indexer,
    npu_sparse_flash_attention,
    npu_vllm_quant_lightning_indexer,
    npu_vllm_quant_lightning_indexer_metadata,
    quant_lightning_indexer,
    quant_lightning_indexer_metadata,
    quant_sparse_flash_mla,
    quant_sparse_flash_mla_metadata,
    sparse_attn_sharedkv,
    sparse_attn_sharedkv_metadata,
    sparse_compress_flash_attention,
    sparse_flash_mla,
    sparse_flash_mla_metadata,
)
from .spec import Spec

_MODULES = (
    quant_lightning_indexer,
    quant_lightning_indexer_metadata,
    quant_sparse_flash_mla,
    quant_sparse_flash_mla_metadata,
    kv_quant_sparse_attn_sharedkv,
    kv_quant_sparse_attn_sharedkv_metadata,
    sparse_compress_flash_attention,
    lightning_indexer,
    lightning_indexer_metadata,
    sparse_flash_mla,
    sparse_flash_mla_metadata,
    sparse_attn_sharedkv,
    sparse_attn_sharedkv_metadata,
    npu_lightning_indexer,
    npu_quant_lightning_indexer,
    npu_vllm_quant_lightning_indexer,
    npu_vllm_quant_lightning_indexer_metadata,
    npu_sparse_flash_attention,
    npu_kv_quant_sparse_flash_attention,
    kv_compress_epilog,
    indexer_quant_cache,
    indexer_compress_epilog,
    indexer_compress_epilog_v2,
    compressor,
    fused_compressor,
)

SPECS: dict[str, Spec] = {module.SPEC.name: module.SPEC for module in _MODULES}
"""Every kernel operator by name, in the order of the documentation."""


_WITH_MLIR = {
    "DIALECT": ("ops", "Npu"),
    "OPS": ("ops", "OPS"),
    "markdown": ("docs", "markdown"),
    "build_op": ("build", "build_op"),
    "refusals": ("build", "refusals"),
}
"""What needs MLIR, by name: its module and attribute. Specs are read without MLIR, so these are made on first use."""


def __getattr__(name: str) -> Any:
    if name not in _WITH_MLIR:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _WITH_MLIR[name]
    return getattr(import_module(f".{module}", __name__), attribute)
