"""Index scores and top-k as one operator, so that no score of the whole context has to be stored."""

import torch

from . import meaning_index_scores as index_scores
from . import meaning_topk as topk


def infer(query, key, weights=None, *, k, **rest):
    """Uninitialised results: indices int32 and values fp32, both [B, S, min(k, T)]."""
    return topk.empty_picks(query, (*query.shape[:2], key.shape[1]), k)


def reference(
    query: torch.Tensor,
    key: torch.Tensor,
    weights: torch.Tensor | None = None,
    *,
    query_scale: torch.Tensor | None = None,
    key_scale: torch.Tensor | None = None,
    visible: torch.Tensor | None = None,
    mask: torch.Tensor | None = None,
    k: int,
    scale: float = 1.0,
    activation: str = "relu",
    reduce: str = "weighted",
    mask_mode: str = "none",
    ratio: int = 1,
    sorted: bool = True,
) -> tuple[torch.Tensor, torch.Tensor]:
    """`topk` of `index_scores`: shapes, dtypes and meaning are theirs."""
    scores = index_scores.reference(
        query,
        key,
        weights,
        query_scale=query_scale,
        key_scale=key_scale,
        scale=scale,
        activation=activation,
        reduce=reduce,
    )
    return topk.reference(scores, visible=visible, mask=mask, k=k, mask_mode=mask_mode, ratio=ratio, sorted=sorted)
