"""The cache layers: the methods that models call, over static buffers."""

from __future__ import annotations

from typing import Any, NoReturn

import torch
from transformers.cache_utils import CacheLayerMixin

from ..errors import CacheRefused
from . import masks, rows
from .pooling import Pool
from .requests import Requests
from .window import Window


class StaticSparseLayer(CacheLayerMixin):
    """What the layers have in common. `buffers` are all tensors that persist between calls."""

    is_compileable = True
    is_croppable = False
    is_sliding = False

    def __init__(self, requests: Requests, dtype: torch.dtype, device: torch.device) -> None:
        super().__init__()
        self.requests = requests
        self.batch_size = requests.batch_size
        self.dtype = dtype
        self.device = device
        self.is_initialized = True

    def buffers(self) -> dict[str, torch.Tensor]:
        raise NotImplementedError

    def lazy_initialization(self, key_states: torch.Tensor, value_states: torch.Tensor) -> None:
        """The buffers are made with the cache, so that no graph is compiled for a first call."""

    def get_seq_length(self) -> torch.Tensor:  # a tensor, as transformers' static layers have
        return self.requests.columns

    def get_max_length(self) -> int:
        return self.requests.capacity

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        return self.requests.capacity, 0

    def reset(self, chosen: torch.Tensor | None = None) -> None:
        """Forget the requests where `chosen` (bool [B]) is true, or all."""
        for name, buffer in self.buffers().items():
            empty = float("-inf") if name.endswith("overlap_gate") else 0.0
            if chosen is None:
                buffer.fill_(empty)
            else:
                buffer.masked_fill_(chosen.view(-1, *[1] * (buffer.dim() - 1)), empty)

    def reorder_cache(self, beam_idx: torch.LongTensor) -> None:
        for buffer in self.buffers().values():
            buffer.copy_(buffer.index_select(0, beam_idx.to(buffer.device)))

    def crop(self, tokens_to_remove: int) -> NoReturn:
        raise CacheRefused(
            f"crop({tokens_to_remove}) asks for tokens to be taken back; pooled tokens cannot be: use transformers' "
            "DynamicCache for assisted decoding"
        )

    def batch_repeat_interleave(self, repeats: int) -> NoReturn:
        raise CacheRefused("the batch of a static cache cannot grow: make it with the batch size that is needed")

    def batch_select_indices(self, indices: torch.Tensor) -> NoReturn:
        raise CacheRefused("the batch of a static cache cannot shrink: reset(rows) makes room for other requests")

    def _check(self, states: torch.Tensor) -> None:
        if states.dtype != self.dtype:
            raise CacheRefused(
                f"the model stores {states.dtype} and the cache was made for {self.dtype}: make it with "
                f"StaticSparseCache(..., dtype={states.dtype})"
            )


class LatentLayer(StaticSparseLayer):
    """Latent keys [B, T, kv_lora_rank], rotated keys [B, T, rope], and with an indexer its keys [B, T, d].

    Position p stands in slot p.
    """

    def __init__(
        self, requests: Requests, widths: tuple[int, int], index_width: int | None, dtype: torch.dtype,
        device: torch.device,
    ) -> None:  # fmt: skip
        super().__init__(requests, dtype, device)
        shape = (requests.batch_size, requests.capacity)
        self.latent, self.rotated = (torch.zeros(*shape, w, dtype=dtype, device=device) for w in widths)
        self.indexer_keys = (
            None if index_width is None else torch.zeros(*shape, index_width, dtype=dtype, device=device)
        )

    def buffers(self) -> dict[str, torch.Tensor]:
        kept = {"latent": self.latent, "rotated": self.rotated}
        return kept if self.indexer_keys is None else {**kept, "indexer_keys": self.indexer_keys}

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *args: Any, **kwargs: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Store [B, 1, S, kv_lora_rank] and [B, 1, S, rope]; returns the whole buffers [B, 1, T, ...]."""
        self._check(key_states)
        stored = (self._write(self.latent, key_states[:, 0]), self._write(self.rotated, value_states[:, 0]))
        return stored[0].unsqueeze(1), stored[1].unsqueeze(1)

    def update_indexer(self, indexer_key_states: torch.Tensor) -> torch.Tensor:
        """Store indexer keys [B, S, d]; returns the whole buffer [B, T, d]."""
        assert self.indexer_keys is not None, "the model's layer has no indexer"
        return self._write(self.indexer_keys, indexer_key_states)

    def _write(self, buffer: torch.Tensor, new: torch.Tensor) -> torch.Tensor:
        step = self.requests.current()
        slots = step.before[:, None] + step.order
        if step.valid is None:
            return rows.write(buffer, slots, new)
        return rows.write(buffer, slots % self.requests.capacity, new, step.order < step.added[:, None])


class WindowLayer(StaticSparseLayer):
    """The last `sliding_window` keys, which are the values too."""

    is_sliding = True

    def __init__(self, requests: Requests, size: int, width: int, dtype: torch.dtype, device: torch.device) -> None:
        super().__init__(requests, dtype, device)
        self.window = Window(requests, size, width, dtype, device)

    def buffers(self) -> dict[str, torch.Tensor]:
        return {"window": self.window.ring}

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *args: Any, **kwargs: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Store keys [B, 1, S, D]; returns the keys [B, 1, W - 1 + S, D] in reach, twice."""
        self._check(key_states)
        keys = self.window.update(key_states[:, 0]).unsqueeze(1)
        return keys, keys


class CompressedLayer(WindowLayer):
    """A window, and the state of one compressor ("compressor") or two ("indexer")."""

    def __init__(
        self, requests: Requests, size: int, width: int, pools: dict[str, Pool], dtype: torch.dtype,
        device: torch.device,
    ) -> None:  # fmt: skip
        super().__init__(requests, size, width, dtype, device)
        self.pools = pools

    def buffers(self) -> dict[str, torch.Tensor]:
        pooled = {f"{name}_{key}": value for name, pool in self.pools.items() for key, value in pool.buffers().items()}
        return {**super().buffers(), **pooled}

    def store_compression_weights(
        self, name: str, kv: torch.Tensor, gate: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | int]:
        """See `Pool.store`."""
        return self.pools[name].store(kv, gate)

    def update_overlap_state(
        self, name: str, chunk_kv: torch.Tensor, chunk_gate: torch.Tensor, head_dim: int
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """See `Pool.overlap`."""
        return self.pools[name].overlap(chunk_kv, chunk_gate, head_dim)

    def update_compressor_states(self, name: str, compressed: torch.Tensor) -> torch.Tensor:
        """See `Pool.append`."""
        return self.pools[name].append(compressed)

    def bias(self, name: str) -> torch.Tensor:
        """The additive mask [B, 1, S, E] over the entries of a compressor."""
        pool = self.pools[name]
        return masks.of_entries(self.requests.current().positions, pool.ratio, pool.entries)
