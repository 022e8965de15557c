"""`StaticSparseCache`: the cache of a model with indexed sparse attention, in buffers that never move."""

from __future__ import annotations

from typing import Any

import torch
from transformers.cache_utils import Cache

from ..errors import CacheRefused
from . import adapter, masks
from .layers import WindowLayer
from .models import MODELS, base_of
from .requests import Requests


class StaticSparseCache(Cache):
    """Keys, pending tokens, compressed entries and indexer keys of `max_batch_size` requests, in buffers of fixed size.

        cache = StaticSparseCache(model, max_batch_size=2, max_cache_len=4096)
        model.generate(**inputs, past_key_values=cache)       # or model(ids, attention_mask=..., past_key_values=cache)
        cache.reset()

    model: a transformers model of `models.MODELS`, compiled or not. It is not changed, but hooks are put on it, which
        do nothing with other caches. Make the cache from the very model that is called.
    max_batch_size: requests; every call has that many rows, and a row without a token in a call has mask 0 there.
    max_cache_len: tokens a request may have, padding not counted.
    dtype, device: those of the model unless given.

    A request's tokens count from 0 wherever its padding is, left or right: `attention_mask` [B, S or more] says which
    of the last S columns are tokens, and positions are derived from it, whatever position_ids are passed. So a padded
    row gives what the row gives alone; padding is never attended to and never pooled into a compressed entry. S may be
    any number, in any order of calls; under torch.compile each S is one graph, whatever the lengths.

    Raises CacheRefused for another model, batch or dtype, and before anything is stored when a request would outgrow
    max_cache_len. Compiled graphs raise the last as RuntimeError with the same text, on the CPU: other devices
    cannot be asked without stopping them, so there call `check_room` before a call, as `generate` does where it must.
    """

    def __init__(
        self,
        model: Any,
        max_batch_size: int,
        max_cache_len: int,
        dtype: torch.dtype | None = None,
        device: torch.device | str | None = None,
    ) -> None:
        for name, value in (("max_batch_size", max_batch_size), ("max_cache_len", max_cache_len)):
            if type(value) is not int or value < 1:
                raise CacheRefused(f"{name} is {value!r}; it is a number of at least 1")
        base = base_of(model)
        self.dtype = dtype or base.dtype
        self.requests = Requests(max_batch_size, max_cache_len, torch.device(device or base.device))
        make = MODELS[base.config.model_type]
        layers = list(make(base, self.requests, self.dtype, self.requests.lengths.device))
        self.window = layers[0].window.size if isinstance(layers[0], WindowLayer) else None
        super().__init__(layers=layers)
        adapter.attach(model, base)
        for buffer in self.buffers().values():
            torch._dynamo.mark_static_address(buffer)

    @property
    def lengths(self) -> torch.Tensor:
        """int64 [B]: how many tokens each request has; padding is not counted."""
        return self.requests.lengths

    def buffers(self) -> dict[str, torch.Tensor]:
        """Every tensor that persists between calls, by name. They are written in place and never replaced."""
        named = {"lengths": self.requests.lengths, "columns": self.requests.columns}
        for i, layer in enumerate(self.layers):
            named |= {f"layers.{i}.{name}": buffer for name, buffer in layer.buffers().items()}
        return named

    def check_room(self, tokens: int | torch.Tensor) -> None:
        """Raises CacheRefused unless every request has room for `tokens` more, or for those of a mask [B, S].

        Reads the lengths back to the host: call it between steps, not while a graph is captured.
        """
        self.requests.check_room(tokens)

    def begin(self, batch: int, tokens: int, mask: torch.Tensor | None) -> tuple[torch.Tensor, torch.Tensor]:
        """Open a call of `tokens` columns: which keys each sees, bool [B, 1, S, keys], and positions, int64 [B, S].

        mask [B, at least S]: true or nonzero where a column is a token; its last S columns are those of the call.
        """
        if batch != self.requests.batch_size:
            raise CacheRefused(
                f"a batch of {batch} with a cache of {self.requests.batch_size} requests: pad the batch with rows "
                "whose attention_mask is 0, or make a cache of that size"
            )
        if mask is not None and (not isinstance(mask, torch.Tensor) or mask.dim() != 2 or mask.shape[1] < tokens):
            raise CacheRefused(
                f"the attention_mask has shape {tuple(mask.shape) if isinstance(mask, torch.Tensor) else type(mask)}; "
                f"the cache takes [batch, {tokens} or more], 1 where a column is a token"
            )
        step = self.requests.begin(tokens, None if mask is None else mask[:, -tokens:].to(torch.bool))
        if self.window is not None:
            return masks.of_window(step, self.window), step.positions
        return masks.of_tokens(step, self.requests.capacity), step.positions

    def reset(self, rows: torch.Tensor | None = None) -> None:
        """Forget all requests, or those where `rows` (bool [B]) is true; the buffers stay where they are."""
        self.requests.reset(rows)
        for layer in self.layers:
            layer.reset(rows)

    def reorder_cache(self, beam_idx: torch.LongTensor) -> None:
        """Row i becomes what row beam_idx[i] was, in place."""
        super().reorder_cache(beam_idx)
        self.requests.lengths.copy_(self.requests.lengths.index_select(0, beam_idx.to(self.requests.lengths.device)))
