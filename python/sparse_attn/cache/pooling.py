"""Compressed entries: one per window of `ratio` tokens, pooled from the tokens that wait until their window closes."""

from __future__ import annotations

from collections.abc import Callable

import torch

from . import rows
from .requests import Requests

Rotate = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


class Pool:
    """What one compressor keeps. Token p waits in slot p mod ratio; the entry of window w stands in slot w.

    pending_kv, pending_gate [B, ratio, C]; entries [B, E, D]; with an overlap (C = 2D) also the first half of the last
    closed window, overlap_kv and overlap_gate [B, ratio, D]. Windows start at each request's first token, never at
    padding. Every call hands the compressor as many windows as it could close at most, so that shapes do not depend on
    lengths; entries of windows that stay open are not stored.
    """

    def __init__(
        self,
        requests: Requests,
        ratio: int,
        width: int,
        channels: int,
        rotate: Rotate,
        dtype: torch.dtype,
        gate_dtype: torch.dtype,
        device: torch.device,
    ) -> None:
        batch = requests.batch_size
        self.requests = requests
        self.ratio = ratio
        self.rotate = rotate
        self.capacity = -(-requests.capacity // ratio)
        self.pending_kv = torch.zeros(batch, ratio, channels, dtype=dtype, device=device)
        self.pending_gate = torch.zeros(batch, ratio, channels, dtype=dtype, device=device)
        self.entries = torch.zeros(batch, self.capacity, width, dtype=dtype, device=device)
        self.overlap_kv: torch.Tensor | None = None
        self.overlap_gate: torch.Tensor | None = None
        if channels == 2 * width:
            self.overlap_kv = torch.zeros(batch, ratio, width, dtype=dtype, device=device)
            self.overlap_gate = torch.full((batch, ratio, width), float("-inf"), dtype=gate_dtype, device=device)

    def store(self, kv: torch.Tensor, gate: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | int]:
        """Add the projections [B, S, C] of the step; returns those [B, n * ratio, C] of the n windows it may close.

        The third result is what makes the compressor's rotation the identity: it knows one first position for all
        requests, so `append` rotates each request's entries itself.
        """
        step = self.requests.current()
        slots = (step.before % self.ratio)[:, None] + step.order
        if step.tokens == 1:
            return rows.write(self.pending_kv, slots, kv), rows.write(self.pending_gate, slots, gate), 0
        most = self.ratio - 1 + step.tokens  # tokens that wait before the step closes a window
        count, length = most // self.ratio, -(-most // self.ratio) * self.ratio
        kept = []
        for pending, new in ((self.pending_kv, kv), (self.pending_gate, gate)):
            waiting = torch.cat([pending, new.new_zeros(new.shape[0], length - self.ratio, new.shape[2])], 1)
            rows.write(waiting, slots, new)
            windows = waiting.unflatten(1, (-1, self.ratio))
            open_window = self._closed().clamp(max=windows.shape[1] - 1)
            pending.copy_(rows.take(windows, open_window[:, None])[:, 0])
            kept.append(waiting[:, : count * self.ratio])
        return kept[0], kept[1], -self.ratio * torch.arange(count, device=kv.device)

    def overlap(self, kv: torch.Tensor, gate: torch.Tensor, width: int) -> tuple[torch.Tensor, torch.Tensor]:
        """The first half [B, ratio, width] of the window before those given [B, n, ratio, C]; keeps the last one's."""
        assert self.overlap_kv is not None and self.overlap_gate is not None
        closed = self._closed()
        last = (closed - 1).clamp(min=0)[:, None]
        prior = []
        for state, windows in ((self.overlap_kv, kv), (self.overlap_gate, gate)):
            before = state.clone()
            after = rows.take(windows[..., :width], last)[:, 0]
            state.copy_(torch.where((closed > 0)[:, None, None], after, before))
            prior.append(before)
        return prior[0], prior[1]

    def append(self, pooled: torch.Tensor) -> torch.Tensor:
        """Rotate and store the entries [B, n, D] of the windows that closed; returns all entries [B, E, D]."""
        step = self.requests.current()
        window = torch.arange(pooled.shape[1], device=pooled.device)
        entry = (step.before // self.ratio)[:, None] + window
        closed = window < self._closed()[:, None]
        return rows.write(self.entries, entry % self.capacity, self.rotate(pooled, entry * self.ratio), closed)

    def _closed(self) -> torch.Tensor:
        """int64 [B]: how many windows of each request the step closes."""
        step = self.requests.current()
        return (step.before + step.added) // self.ratio - step.before // self.ratio

    def buffers(self) -> dict[str, torch.Tensor]:
        kept = {"pending_kv": self.pending_kv, "pending_gate": self.pending_gate, "entries": self.entries}
        if self.overlap_kv is not None and self.overlap_gate is not None:
            kept |= {"overlap_kv": self.overlap_kv, "overlap_gate": self.overlap_gate}
        return kept
