"""Rows written into the slots of a paged cache."""

import torch


def infer(cache, rows, slots):
    """An uninitialised result: like the cache, contiguous."""
    return cache.new_empty(cache.shape)


def reference(cache: torch.Tensor, rows: torch.Tensor, slots: torch.Tensor) -> torch.Tensor:
    """A copy of cache [blocks, block_size, ...] with rows [n, ...] in the slots named by slots [n], int32 or int64.

    Slot s is row s % block_size of block s // block_size; -1 skips a row. Of two rows for one slot the later stays.
    """
    result = cache.clone(memory_format=torch.contiguous_format)
    count = cache.shape[0] * cache.shape[1]
    slots = slots.to(torch.int64)
    check_slots(slots, count)
    order = torch.arange(slots.shape[0], device=slots.device)
    last = torch.full((count + 1,), -1, device=slots.device).scatter_reduce_(
        0, slots.clamp(min=-1) % (count + 1), order, "amax"
    )
    kept = (slots >= 0) & (last[slots] == order)
    result.view(count, *cache.shape[2:])[slots[kept]] = rows[kept]
    return result


def check_slots(slots: torch.Tensor, count: int) -> None:
    """Raise when a slot is neither -1 nor inside a cache of `count` slots."""
    wrong = ((slots < -1) | (slots >= count)).nonzero()
    if wrong.numel():
        place = int(wrong[0, 0])
        raise ValueError(
            f"sparse_attn.paged_write: slots[{place}] is {int(slots[place])}, the cache has slots 0 to {count - 1}; "
            "use -1 to skip a row"
        )
