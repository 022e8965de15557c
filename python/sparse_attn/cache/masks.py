"""Which of the keys that a cache returns each query token sees."""

from __future__ import annotations

import torch

from .requests import Step


def of_window(step: Step, size: int) -> torch.Tensor:
    """bool [B, 1, S, W - 1 + S] over the keys of `Window.update`: the token and the W - 1 before it."""
    if step.tokens == 1:  # the ring; it is full from position W - 1 on
        return torch.arange(size, device=step.before.device) <= step.positions[:, None, :, None]
    keys = torch.arange(size - 1 + step.tokens, device=step.before.device)
    own = step.positions - (step.before - step.before.clamp(max=size - 1))[:, None]
    own = own[:, None, :, None]
    return (keys <= own) & (keys > own - size)


def of_tokens(step: Step, capacity: int) -> torch.Tensor:
    """bool [B, 1, S, T] over a buffer in which the key at position p stands in slot p."""
    return torch.arange(capacity, device=step.before.device) <= step.positions[:, None, :, None]


def of_entries(positions: torch.Tensor, ratio: int, entries: torch.Tensor) -> torch.Tensor:
    """The additive mask [B, 1, S, E] over compressed entries [B, E, D]: those of windows that are closed by a position.

    Minus infinity where an entry may not be seen, in the dtype of `entries`.
    """
    batch, count, _ = entries.shape
    hidden = torch.arange(count, device=entries.device) >= ((positions + 1) // ratio)[:, None, :, None]
    return entries.new_zeros(batch, 1, positions.shape[1], count).masked_fill(hidden, float("-inf"))


def additive(visible: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    """0 where `visible`, the dtype's minimum elsewhere, as models attending in plain torch expect it."""
    return torch.where(visible, torch.zeros((), dtype=dtype, device=visible.device), torch.finfo(dtype).min)
