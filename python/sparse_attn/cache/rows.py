"""Rows of a buffer [B, T, ...] at slots that differ from request to request."""

from __future__ import annotations

import torch


def write(
    buffer: torch.Tensor, slots: torch.Tensor, rows: torch.Tensor, where: torch.Tensor | None = None
) -> torch.Tensor:
    """In place, buffer[b, slots[b, i]] = rows[b, i]; returns `buffer`.

    buffer [B, T, ...]; slots int64 [B, n], different from each other within a request; rows [B, n, ...] of the buffer's
    dtype; where bool [B, n]: only these rows are written, the others write back what is there.
    """
    requests = _requests(slots)
    if where is not None:
        where = where.reshape(*where.shape, *[1] * (rows.dim() - 2))
        rows = torch.where(where, rows, buffer[requests, slots])
    buffer[requests, slots] = rows
    return buffer


def take(source: torch.Tensor, slots: torch.Tensor) -> torch.Tensor:
    """source[b, slots[b, i]]: source [B, T, ...], slots int64 [B, n], the result [B, n, ...]."""
    return source[_requests(slots), slots]


def _requests(slots: torch.Tensor) -> torch.Tensor:
    return torch.arange(slots.shape[0], device=slots.device)[:, None]
