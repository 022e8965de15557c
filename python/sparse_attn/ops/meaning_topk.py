"""The k best keys of each row, in the order torch.topk gives them."""

import torch

from . import meaning_masks as masks


def empty_picks(scores: torch.Tensor, shape: tuple, k: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Uninitialised indices and values for rows of shape (B, S) with T' candidates, `shape` = (B, S, T')."""
    width = torch.sym_min(k, shape[-1])
    picks = (*shape[:-1], width)
    return scores.new_empty(picks, dtype=torch.int32), scores.new_empty(picks, dtype=torch.float32)


def infer(scores, *, visible=None, mask=None, k, mask_mode="none", ratio=1, block=1, local_blocks=0, sorted=True):
    """Uninitialised results: indices int32 and values fp32, both [B, S, min(k, T')]."""
    candidates = (scores.shape[-1] + block - 1) // block
    return empty_picks(scores, (*scores.shape[:-1], candidates), k)


def reference(
    scores: torch.Tensor,
    *,
    visible: torch.Tensor | None = None,
    mask: torch.Tensor | None = None,
    k: int,
    mask_mode: str = "none",
    ratio: int = 1,
    block: int = 1,
    local_blocks: int = 0,
    sorted: bool = True,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Indices int32 and values fp32 [B, S, min(k, T')] of scores [B, S, T], best first, ties as torch.topk breaks them.

    With `block` > 1 the candidates are blocks of that many keys (T' = ceil(T / block)), each as good as its best key;
    the last `local_blocks` visible blocks of a row count as +inf. A pick that is not visible has index -1, value -inf.
    `sorted` permits any order when false; this implementation delivers the same order for both. `ratio` only records
    how the caller derived `visible`.
    """
    rows, keys = scores.shape[1:]
    counts = masks.visible_counts(visible, rows, keys, scores.device)
    scores = masks.apply(scores.float(), mask)
    if mask_mode != "none":
        scores = scores.masked_fill(~masks.prefix(counts, keys), float("-inf"))
    else:
        counts = torch.full_like(counts, keys)
    if block > 1:
        scores = _pool(scores, counts.clamp(0, keys), block, local_blocks)
    elif local_blocks:
        scores = _force_local(scores, counts.clamp(0, keys), local_blocks)
    values, indices = torch.topk(scores, min(k, scores.shape[-1]), dim=-1, largest=True, sorted=True)
    return indices.to(torch.int32).masked_fill_(values == float("-inf"), -1), values


def _pool(scores: torch.Tensor, counts: torch.Tensor, block: int, local_blocks: int) -> torch.Tensor:
    """Scores of blocks of keys: the best key of each; the last visible blocks are forced in."""
    blocks = -(-scores.shape[-1] // block)
    padded = torch.nn.functional.pad(scores, (0, blocks * block - scores.shape[-1]), value=float("-inf"))
    pooled = padded.unflatten(-1, (blocks, block)).amax(-1)
    return _force_local(pooled, (counts + block - 1) // block, local_blocks)


def _force_local(scores: torch.Tensor, counts: torch.Tensor, local: int) -> torch.Tensor:
    """Scores with the last `local` of the `counts` visible candidates of each row set to +inf."""
    position = torch.arange(scores.shape[-1], device=scores.device)
    last = counts[..., None]
    return scores.masked_fill((position < last) & (position >= last - local), float("inf"))
