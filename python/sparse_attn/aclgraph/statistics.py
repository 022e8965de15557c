"""What happened to the calls of a captured function."""

from __future__ import annotations

import collections
import dataclasses


@dataclasses.dataclass
class Statistics:
    """`captures` graphs were made and `replays` calls used one; `fallbacks` counts, by reason, calls that ran eagerly.

    `recaptures` counts, by reason, captures that took the place of an earlier graph.
    """

    captures: int = 0
    replays: int = 0
    recaptures: collections.Counter[str] = dataclasses.field(default_factory=collections.Counter)
    fallbacks: collections.Counter[str] = dataclasses.field(default_factory=collections.Counter)

    def add(self, other: Statistics) -> None:
        """Add another's counts."""
        self.captures += other.captures
        self.replays += other.replays
        self.recaptures.update(other.recaptures)
        self.fallbacks.update(other.fallbacks)

    def text(self) -> str:
        """One line, and one for each reason."""
        lines = [f"{self.captures} captures, {self.replays} replays, {self.fallbacks.total()} calls without a graph"]
        lines += [f"  recaptured {count} times: {reason}" for reason, count in self.recaptures.most_common()]
        lines += [f"  not replayed {count} times: {reason}" for reason, count in self.fallbacks.most_common()]
        return "\n".join(lines)
