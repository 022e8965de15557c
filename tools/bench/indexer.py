"""Peers of `torch.ops.sparse_attn.lightning_indexer`. All results are the picks, [B,S,k]."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from .peers import Cost, Peer, compiled
from .shapes import Indexer


def operator(shape: Indexer, inputs: dict[str, Any]) -> Callable[[], torch.Tensor]:
    """Our operator on a shape's inputs."""
    given = dict(inputs, mask_mode="prefix", ratio=shape.ratio)
    query, key, weights = (given.pop(name) for name in ("query", "key", "weights"))
    return lambda: torch.ops.sparse_attn.lightning_indexer(query, key, weights, **given)[0]


def dense(inputs: dict[str, Any]) -> torch.Tensor:
    """As transformers writes it: the scores of all heads, their sum, a mask, the best k."""
    query, key = inputs["query"].float(), inputs["key"].float()
    scores = torch.relu(torch.matmul(query, key.transpose(-1, -2)[:, None]) * inputs["scale"])
    scores = torch.matmul(inputs["weights"][:, :, None], scores)[:, :, 0]
    hidden = torch.arange(key.shape[1]) >= inputs["visible"][..., None]
    scores = scores.masked_fill(hidden, float("-inf"))
    values, picks = scores.topk(inputs["k"], -1)
    return torch.where(values == float("-inf"), -1, picks).to(torch.int32)


def _cost(shape: Indexer, size: int) -> Cost:
    scores = shape.batch * shape.rows * shape.heads * shape.keys
    return Cost(shape.flops, scores * 8.0)


def _inductor(shape: Indexer, inputs: dict[str, Any]) -> Callable[[], torch.Tensor]:
    function = compiled(dense)
    return lambda: function(inputs)


PEERS = (
    Peer("eager, as transformers", lambda shape, inputs: lambda: dense(inputs), _cost),
    Peer("inductor", _inductor, _cost),
)
