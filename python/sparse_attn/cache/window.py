"""The last W keys of each request, in a ring."""

from __future__ import annotations

import torch

from . import rows
from .requests import Requests


class Window:
    """`ring` [B, W, D]: the key at position p stands in slot p mod W.

    One query token sees the whole ring, in whatever order: the token itself and the W - 1 before it. A step then writes
    a single row, and what is attended to is the buffer itself. Several query tokens get the keys in their order.
    """

    def __init__(self, requests: Requests, size: int, width: int, dtype: torch.dtype, device: torch.device) -> None:
        self.requests = requests
        self.size = size
        self.ring = torch.zeros(requests.batch_size, size, width, dtype=dtype, device=device)

    def update(self, keys: torch.Tensor) -> torch.Tensor:
        """Store the S keys [B, S, D] of the step; returns the keys [B, W - 1 + S, D] that `visible_keys` is about."""
        step = self.requests.current()
        if step.tokens == 1:
            return rows.write(self.ring, (step.before % self.size)[:, None], keys)
        kept = step.before.clamp(max=self.size - 1)
        start = (step.before - kept)[:, None]  # the position of the first key of the result
        old = rows.take(self.ring, (start + _slots(self.size - 1, keys)) % self.size)
        ordered = torch.cat([old, torch.zeros_like(keys)], 1)
        rows.write(ordered, kept[:, None] + step.order, keys)
        last = (step.before + step.added)[:, None] - 1
        position = last - (last - _slots(self.size, keys)) % self.size  # of the key each slot holds from now on
        self.ring.copy_(rows.take(ordered, (position - start).clamp(min=0)))
        return ordered


def _slots(size: int, like: torch.Tensor) -> torch.Tensor:
    return torch.arange(size, device=like.device)
