"""Which keys a query row meets: layouts, lengths, masks and lists, shared by the attention references.

All arrays are numpy arrays in raw storage: bfloat16 as uint16 bit patterns, HIFLOAT8 and packed rows as uint8.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray


@dataclass(frozen=True)
class Row:
    """One query row: `at` indexes the query tensor, the row is number `index` of `used` in batch `batch`."""

    at: tuple[int, ...]
    batch: int
    index: int
    used: int

    def position(self, length: int) -> int:
        """How many of `length` original tokens precede or equal this row when the last rows are aligned."""
        return length - self.used + self.index + 1


def query_rows(query: Array, layout: str, starts: Array | None = None, used: Array | None = None) -> Iterator[Row]:
    """The rows of [B,S,N,D] (BSND) or [T,N,D] (TND with prefix sums `starts`) that take part."""
    bounds = None if layout == "BSND" else starts
    slots = [query.shape[1]] * query.shape[0] if bounds is None else np.diff(bounds).tolist()
    for batch, slot in enumerate(slots):
        count = slot if used is None else int(used[batch])
        for index in range(count):
            at = (batch, index) if bounds is None else (int(bounds[batch]) + index,)
            yield Row(at, batch, index, count)


@dataclass(frozen=True)
class KeyCache:
    """Key rows [B,S,1,D], packed [T,1,D] with prefix sums `starts`, or in blocks [n,size,1,D] with a block `table`."""

    data: Array
    decode: Callable[[Array], Array]
    starts: Array | None = None
    used: Array | None = None
    table: Array | None = None

    @classmethod
    def of(cls, data: Array | None, *rest: Any) -> "KeyCache | None":
        """A cache, or None without data."""
        return None if data is None else cls(data, *rest)

    def length(self, batch: int) -> int:
        """Key rows of one batch; a paged cache without lengths offers all the rows its table names."""
        if self.used is not None:
            return int(self.used[batch])
        if self.table is not None:
            return self.table.shape[1] * self.data.shape[1]
        return self.data.shape[1] if self.starts is None else int(self.starts[batch + 1] - self.starts[batch])

    def rows(self, batch: int, ids: Sequence[int]) -> Array:
        """The decoded key rows `ids` of one batch, [len(ids), D] float32."""
        picked = np.asarray(ids, np.int64)
        if self.table is not None:
            size = self.data.shape[1]
            return self.decode(self.data[self.table[batch, picked // size], picked % size, 0])
        if self.starts is not None:
            return self.decode(self.data[self.starts[batch] + picked, 0])
        return self.decode(self.data[batch, picked, 0])


def window(position: int, length: int, mask_mode: int, left: int = -1, right: int = -1) -> range:
    """Original keys a row may see: mask 0 all, 3 causal, 4 band (a side of -1 is open)."""
    low = max(position - left - 1, 0) if mask_mode == 4 and left >= 0 else 0
    high = {0: length, 3: position, 4: position + right if right >= 0 else length}[mask_mode]
    return range(low, min(max(high, 0), length))


def visible_groups(position: int, ratio: int, length: int) -> int:
    """How many of `length` compressed rows are complete, each covering `ratio` tokens, at `position`."""
    return min(max(position // ratio, 0), length)


def listed(entries: Array, counts: Array | None, at: tuple[int, ...], visible: range) -> list[int]:
    """The ids of a row's list that are visible, in list order.

    At most as many entries count as `counts` says for the row (all without it) and as keys exist below the visible end.
    A negative entry ends the list.
    """
    limit = entries.size if counts is None else int(counts[at].item())
    ids: list[int] = []
    for entry in entries.reshape(-1)[: min(limit, visible.stop)].tolist():
        if entry < 0:
            break
        if entry in visible:
            ids.append(entry)
    return ids
