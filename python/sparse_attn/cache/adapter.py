"""What a model has to tell its cache, by hooks: which columns are tokens; and what the cache tells the model back.

Models pass their cache layers keys, but neither masks nor positions, and derive both from one length for the whole
batch. The hooks close that gap without a change to the model. They are put on once per model and do nothing in calls
with another cache.
"""

from __future__ import annotations

import inspect
from typing import Any

import torch
from transformers.masking_utils import create_masks_for_generate

from . import masks
from .requests import Requests

NAMES = ("cache", "past_key_values")  # of the argument, now and before transformers 5.24
COMPRESSOR = ("hidden_states", "q_residual", "position_ids", "cache", "layer_idx")
MARK = "_sparse_attn_cache_hooks"


def attach(model: Any, base: Any) -> None:
    """Hook `base`, and its compressors without an indexer; `generate` of `model` hands masks on as they are."""
    model = getattr(model, "_orig_mod", model)
    if not hasattr(base, MARK):
        setattr(base, MARK, True)
        names = tuple(inspect.signature(type(base).forward).parameters)[1:]
        base.register_forward_pre_hook(_Begin(names), with_kwargs=True)
        base.register_forward_hook(_end, with_kwargs=True)
        for layer in base.layers:
            compressor = getattr(layer.self_attn, "compressor", None)
            if compressor is not None and not hasattr(compressor, "indexer"):
                compressor.register_forward_hook(_hide_open_entries, with_kwargs=True)
    model.create_masks_for_generate = masks_for_generate


class _Begin:
    """Before the model: positions and mask of every column from the lengths of the requests."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names

    def __call__(self, module: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        given = {**dict(zip(self.names, args, strict=False)), **kwargs}
        cache = _cache(given)
        if cache is None:
            return None
        tokens = given.get("input_ids")
        shape = (tokens if tokens is not None else given["inputs_embeds"]).shape
        visible, positions = cache.begin(shape[0], shape[1], given.get("attention_mask"))
        eager = module.config._attn_implementation == "eager"
        given["attention_mask"] = masks.additive(visible, cache.dtype) if eager else visible
        given["position_ids"] = positions
        return (), given


def _end(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any], output: Any) -> None:
    cache = _cache(kwargs)
    if cache is not None:
        cache.requests.end()


def _hide_open_entries(module: Any, args: tuple[Any, ...], kwargs: dict[str, Any], output: Any) -> Any:
    """A compressor hides nothing from a single query token: it takes every entry it was given for a closed window.

    Of a static buffer most are not, so the token gets the mask that several tokens get.
    """
    given = {**dict(zip(COMPRESSOR, args, strict=False)), **kwargs}
    cache = _cache(given)
    if cache is None or output[1] is not None:
        return None
    return output[0], cache.layers[given["layer_idx"]].bias("compressor")


def _cache(given: dict[str, Any]) -> Any:
    return next((given[name] for name in NAMES if _is_ours(given.get(name))), None)


def _is_ours(cache: Any) -> bool:
    return isinstance(getattr(cache, "requests", None), Requests)


def masks_for_generate(
    config: Any, inputs_embeds: torch.Tensor, attention_mask: torch.Tensor | None, cache: Any, **rest: Any
) -> Any:
    """In place of transformers' function: for our cache the columns of this call alone, whose shape does not grow."""
    if not _is_ours(cache):
        return create_masks_for_generate(
            config=config, inputs_embeds=inputs_embeds, attention_mask=attention_mask, cache=cache, **rest
        )
    if attention_mask is None:
        return None
    columns = attention_mask[:, -inputs_embeds.shape[1] :]
    if attention_mask.shape[1] > cache.requests.capacity:  # padding counts here, so this may be no overflow yet
        cache.requests.check_room(columns)
    return columns
