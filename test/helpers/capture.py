"""Small ATen graphs to capture, and functions that stand in for what capture refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.fx import GraphModule
from torch.fx.experimental.proxy_tensor import make_fx

from sparse_attn.emit import write_in_place


def graph(function: Callable[..., Any], *args: Any, mode: str = "fake") -> GraphModule:
    """The graph of a function of tensors, with shapes on its nodes; in-place calls stay in place."""
    with torch.no_grad():
        made = make_fx(function, tracing_mode=mode)(*args)
    write_in_place(made)
    return made


def decode(cache: torch.Tensor, query: torch.Tensor, row: torch.Tensor, lengths: torch.Tensor) -> tuple[torch.Tensor]:
    """One token a request: write its key at `lengths`, then attend to all keys up to and with it.

    cache [B, T, d] is written; query, row [B, d]; lengths int64 [B], the keys before this step.
    """
    batch = torch.arange(cache.shape[0])
    cache.index_put_((batch, lengths), row)
    scores = torch.einsum("bd,btd->bt", query, cache)
    hidden = torch.arange(cache.shape[1])[None] > lengths[:, None]
    weights = scores.masked_fill(hidden, float("-inf")).softmax(-1)
    return (torch.einsum("bt,btd->bd", weights, cache),)


def step(batch: int, lengths: int | list[int], seed: int, width: int = 8) -> tuple[torch.Tensor, ...]:
    """query, row and lengths of one step."""
    draw = torch.Generator().manual_seed(seed)
    query, row = (torch.randn(batch, width, generator=draw) for _ in range(2))
    return query, row, torch.tensor([lengths] * batch if isinstance(lengths, int) else lengths)
