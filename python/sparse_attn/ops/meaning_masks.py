"""Which keys a query row may see: the mask modes shared by the top-k and the attention operators."""

import torch


def visible_counts(visible: torch.Tensor | None, rows: int, keys: int, device: torch.device) -> torch.Tensor:
    """How many keys of the prefix each row sees, int64 [B or 1, S]; values below 0 and above `keys` are kept.

    Without the operand the last row sees every key and each row before it one less.
    """
    if visible is not None:
        return visible.to(torch.int64)
    return torch.arange(keys - rows + 1, keys + 1, device=device)[None]


def prefix(counts: torch.Tensor, keys: int) -> torch.Tensor:
    """Bool [B or 1, S, T], true for the first `counts` keys of a row."""
    return torch.arange(keys, device=counts.device) < counts[..., None]


def band(counts: torch.Tensor, keys: int, left: int, right: int) -> torch.Tensor:
    """Bool [B or 1, S, T], true from `left` keys before a row's own key (key `counts` - 1) to `right` after it.

    -1 leaves a side open.
    """
    distance = torch.arange(keys, device=counts.device) - (counts[..., None] - 1)
    inside = torch.ones_like(distance, dtype=torch.bool)
    if left >= 0:
        inside &= distance >= -left
    if right >= 0:
        inside &= distance <= right
    return inside


def apply(scores: torch.Tensor, mask: torch.Tensor | None) -> torch.Tensor:
    """Scores with a bool mask (true stays, false becomes -inf) or a float mask (added) applied; fp32."""
    if mask is None:
        return scores
    if mask.dtype == torch.bool:
        return scores.masked_fill(~mask, float("-inf"))
    return scores + mask.to(torch.float32)


def rows_per_step(per_row: int, limit: int = 1 << 24) -> int:
    """How many query rows fit in one step of a reference that keeps `per_row` fp32 values for each."""
    return max(1, limit // max(1, per_row))
