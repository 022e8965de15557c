"""A list of picked keys as a mask over all keys."""

import torch


def infer(indices, *, extent, form="mask"):
    """An uninitialised result: bool [B, S, extent]."""
    return indices.new_empty((*indices.shape[:-1], extent), dtype=torch.bool)


def reference(indices: torch.Tensor, *, extent: int, form: str = "mask") -> torch.Tensor:
    """Bool [B, S, extent], true where the key is in the row's list [B, S, K]; entries outside [0, extent) are none."""
    inside = (indices >= 0) & (indices < extent)
    slots = torch.where(inside, indices, extent).to(torch.int64)
    picked = indices.new_zeros((*indices.shape[:-1], extent + 1), dtype=torch.bool)
    return picked.scatter_(-1, slots, True)[..., :extent].contiguous()
