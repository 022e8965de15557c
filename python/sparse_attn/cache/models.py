"""Which models the cache is for, and the layers each needs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import torch

from ..errors import CacheRefused
from .layers import CompressedLayer, LatentLayer, StaticSparseLayer, WindowLayer
from .pooling import Pool
from .requests import Requests

Make = Callable[[Any, Requests, torch.dtype, torch.device], Iterator[StaticSparseLayer]]


def latent(base: Any, requests: Requests, dtype: torch.dtype, device: torch.device) -> Iterator[LatentLayer]:
    """Layers of DeepSeek-V3.2 and the models after it."""
    config = base.config
    for layer in base.layers:
        has_indexer = getattr(layer.self_attn, "indexer", None) is not None
        widths = (config.kv_lora_rank, config.qk_rope_head_dim)
        yield LatentLayer(requests, widths, config.index_head_dim if has_indexer else None, dtype, device)


def compressed(base: Any, requests: Requests, dtype: torch.dtype, device: torch.device) -> Iterator[WindowLayer]:
    """Layers of DeepSeek-V4: window only, with compressed entries, with an indexer over them."""
    config = base.config
    rotation = sys.modules[type(base).__module__].apply_rotary_pos_emb
    for layer in base.layers:
        compressor = layer.self_attn.compressor
        if compressor is None:
            yield WindowLayer(requests, config.sliding_window, config.head_dim, dtype, device)
            continue
        sources = {"compressor": compressor}
        if hasattr(compressor, "indexer"):
            sources["indexer"] = compressor.indexer
        pools = {name: _pool(source, rotation, requests, dtype, device) for name, source in sources.items()}
        yield CompressedLayer(requests, config.sliding_window, config.head_dim, pools, dtype, device)


def _pool(source: Any, rotation: Any, requests: Requests, dtype: torch.dtype, device: torch.device) -> Pool:
    def rotate(entries: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        cos, sin = source.rotary_emb(entries, position_ids=positions, layer_type=source.rope_layer_type)
        return rotation(entries.unsqueeze(1), cos, sin).squeeze(1)

    ratio, channels = source.position_bias.shape
    gate_dtype = torch.promote_types(dtype, source.position_bias.dtype)
    return Pool(requests, ratio, source.head_dim, channels, rotate, dtype, gate_dtype, device)


MODELS: dict[str, Make] = {
    "deepseek_v32": latent, "glm_moe_dsa": latent, "axk2": latent, "hy_v4": latent, "deepseek_v4": compressed,
}  # fmt: skip
ATTENTION = ("eager", "sdpa")  # implementations whose masks are understood


def base_of(model: Any) -> Any:
    """The transformer without its head, of a model or a compiled one; raises CacheRefused for one not in MODELS."""
    model = getattr(model, "_orig_mod", model)
    kind = getattr(getattr(model, "config", None), "model_type", None)
    if kind not in MODELS:
        raise CacheRefused(
            f"{type(model).__name__} is no model that the cache knows; it is for {', '.join(MODELS)}, as transformers "
            "has them"
        )
    if model.config._attn_implementation not in ATTENTION:
        raise CacheRefused(
            f"the attention implementation {model.config._attn_implementation} takes masks of its own; the cache is "
            f"for {' and '.join(ATTENTION)}: model.set_attn_implementation(...)"
        )
    return model.base_model
