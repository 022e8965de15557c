"""Random inputs of a shape, the same for every peer."""

from __future__ import annotations

from typing import Any

import torch

from .shapes import Attention, Indexer

SEED = 7


def of_attention(shape: Attention, dtype: torch.dtype) -> dict[str, Any]:
    """query [B,S,N,D], ori_kv [B,T,G,D], and what else the shape has; rows are the last S of all tokens."""
    make = torch.Generator().manual_seed(SEED)

    def draw(*sizes: int) -> torch.Tensor:
        return torch.randn(sizes, generator=make).to(dtype)

    s = shape
    found: dict[str, Any] = {
        "query": draw(s.batch, s.rows, s.heads, s.width),
        "ori_kv": draw(s.batch, s.keys, s.groups, s.width),
        "scale": s.width**-0.5,
    }
    if not s.shared:
        found["ori_value"] = draw(s.batch, s.keys, s.groups, s.value)
    elif s.value != s.width:
        found["value_width"] = s.value
    if s.sinks:
        found["sinks"] = torch.randn(s.heads, generator=make)
    if s.compressed:
        found["cmp_kv"] = draw(s.batch, s.compressed, s.groups, s.width)
        found["cmp_visible"] = _visible(s.rows, s.compressed * s.ratio, s.ratio).expand(s.batch, -1).contiguous()
        if s.picks:
            found["cmp_indices"] = picks(found["cmp_visible"], s.compressed, s.picks, make)
    elif s.picks:
        seen = _visible(s.rows, s.keys, 1).expand(s.batch, -1)
        found["ori_indices"] = picks(seen, s.keys, s.picks, make)
    return found


def of_indexer(shape: Indexer, dtype: torch.dtype) -> dict[str, Any]:
    """query [B,S,H,d], key [B,T,d], weights fp32 [B,S,H], visible int32 [B,S]."""
    make = torch.Generator().manual_seed(SEED)
    s = shape
    return {
        "query": torch.randn(s.batch, s.rows, s.heads, s.width, generator=make).to(dtype),
        "key": torch.randn(s.batch, s.keys, s.width, generator=make).to(dtype),
        "weights": torch.randn(s.batch, s.rows, s.heads, generator=make),
        "visible": _visible(s.rows, s.keys * s.ratio, s.ratio).expand(s.batch, -1).contiguous(),
        "scale": s.width**-0.5,
        "k": min(s.picks, s.keys),
    }


def picks(visible: torch.Tensor, keys: int, count: int, make: torch.Generator) -> torch.Tensor:
    """Distinct visible keys of every row, int32 [B,S,min(count, keys)], -1 where a row has fewer."""
    rows = []
    for seen in visible.reshape(-1, 1).split(256):  # in parts: a row of random numbers as long as the keys each
        order = torch.rand(seen.shape[0], keys, generator=make).masked_fill(torch.arange(keys) >= seen, -1.0)
        best, index = order.topk(min(count, keys), -1)
        rows.append(torch.where(best >= 0, index, -1).to(torch.int32))
    return torch.cat(rows).reshape(*visible.shape, -1)


def _visible(rows: int, tokens: int, ratio: int) -> torch.Tensor:
    return ((torch.arange(tokens - rows, tokens) + 1) // ratio).to(torch.int32)[None]


def nbytes(shape: Attention | Indexer, dtype: torch.dtype) -> int:
    """Bytes of the large inputs, before they are made."""
    s = shape
    if isinstance(s, Indexer):
        return dtype.itemsize * s.batch * s.width * (s.rows * s.heads + s.keys)
    stored = s.keys * (s.width + (0 if s.shared else s.value)) + s.compressed * s.width
    return dtype.itemsize * s.batch * (s.rows * s.heads * s.width + s.groups * stored)
