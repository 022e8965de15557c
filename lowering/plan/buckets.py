"""Buckets: the few sizes that graphs are captured for; a call is padded up to the next one."""

from __future__ import annotations

import bisect
import dataclasses
from collections.abc import Iterable


class BadBuckets(ValueError):
    """A bucket list that cannot be used; the text says why and what would be."""


@dataclasses.dataclass(frozen=True)
class Buckets:
    """Sizes in rising order, each once."""

    sizes: tuple[int, ...]

    @staticmethod
    def of(what: str, sizes: Iterable[int]) -> Buckets:
        """From a user's list in any order, repeats allowed; BadBuckets for an empty one and for sizes below 1."""
        given = list(sizes)
        wrong = [size for size in given if isinstance(size, bool) or not isinstance(size, int) or size < 1]
        if wrong or not given:
            raise BadBuckets(
                f"{what} buckets are {given!r}: give a list of sizes of at least 1, such as [1, 2, 4, 8]; "
                + (f"{wrong[0]!r} is none" if wrong else "it is empty")
            )
        return Buckets(tuple(sorted(set(given))))

    def fit(self, size: int) -> int | None:
        """The smallest bucket that holds `size`, None beyond the largest: such a call runs eagerly."""
        place = bisect.bisect_left(self.sizes, size)
        return self.sizes[place] if place < len(self.sizes) else None


@dataclasses.dataclass(frozen=True)
class Grid:
    """Buckets on the number of rows and, where a context is given, on its width; a key is one of each."""

    batch: Buckets
    context: Buckets | None = None

    @property
    def keys(self) -> list[tuple[int, int | None]]:
        """Every graph that can come to be."""
        widths = self.context.sizes if self.context else (None,)
        return [(size, width) for size in self.batch.sizes for width in widths]

    def fit(self, rows: int, width: int | None = None) -> tuple[int, int | None] | None:
        """The key of a call with so many rows and, with context buckets, so many keys; None when it fits none."""
        size = self.batch.fit(rows)
        if self.context is None:
            return None if size is None else (size, None)
        wide = self.context.fit(0 if width is None else width)
        return None if size is None or wide is None else (size, wide)
