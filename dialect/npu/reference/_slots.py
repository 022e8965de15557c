"""Writing rows of a cache by slot."""

from ._rows import Array


def scatter(cache: Array, rows: Array, slots: Array) -> Array:
    """A copy of `cache` whose first columns hold `rows` at their slots.

    A slot counts rows along all axes but the last; -1 skips a row, and of rows with one slot the last stays.
    """
    flat = cache.reshape(-1, cache.shape[-1]).copy()
    for row, slot in zip(rows, slots, strict=True):
        if slot >= 0:
            flat[slot, : row.size] = row
    return flat.reshape(cache.shape)
