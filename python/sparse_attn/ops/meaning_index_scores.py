"""Indexer scores: how much each key matters to each query row, summed over the indexer heads."""

import torch

from . import meaning_masks as masks


def infer(
    query, key, weights=None, *, query_scale=None, key_scale=None, scale=1.0, activation="relu", reduce="weighted"
):
    """An uninitialised result: fp32 [B, S, T], or [B, S, H, T] without a reduction."""
    batch, rows, heads, _ = query.shape
    shape = (batch, rows, heads, key.shape[1]) if reduce == "none" else (batch, rows, key.shape[1])
    return query.new_empty(shape, dtype=torch.float32)


def reference(
    query: torch.Tensor,
    key: torch.Tensor,
    weights: torch.Tensor | None = None,
    *,
    query_scale: torch.Tensor | None = None,
    key_scale: torch.Tensor | None = None,
    scale: float = 1.0,
    activation: str = "relu",
    reduce: str = "weighted",
) -> torch.Tensor:
    """key_scale[b,t] * sum over h of weights[b,s,h] * query_scale[b,s,h] * act(scale * <query[b,s,h], key[b,t]>).

    query [B,S,H,d], key [B,T,d], weights and query_scale [B,S,H], key_scale [B,T], each fp32, bf16 or fp16. Products
    and sums are fp32. Returns fp32 [B,S,T], or [B,S,H,T] for reduce="none".
    """
    batch, rows, heads, _ = query.shape
    keys = key.shape[1]
    transposed = key.float().transpose(1, 2).unsqueeze(1)
    result = infer(query, key, reduce=reduce)
    step = masks.rows_per_step(batch * heads * keys)
    for start in range(0, rows, step):
        part = slice(start, start + step)
        scores = torch.matmul(query[:, part].float(), transposed) * scale
        scores = scores.relu() if activation == "relu" else scores
        for factor in (weights, query_scale):
            if factor is not None:
                scores = scores * factor[:, part].float().unsqueeze(-1)
        if reduce != "none":
            scores = scores.sum(dim=2)
        result[:, part] = scores
    if key_scale is not None:
        result *= key_scale.float()[:, None, None] if reduce == "none" else key_scale.float()[:, None]
    return result
