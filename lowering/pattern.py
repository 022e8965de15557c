"""Matching with reasons: a matcher returns what it found or raises `NoMatch` with the first thing not proven."""

from __future__ import annotations

from typing import NoReturn


class NoMatch(Exception):
    """Why a candidate is not an instance of a pattern, in the user's terms.

    `distance` orders failures: the more of the pattern had matched, the larger; the best failed match is reported.
    """

    def __init__(self, reason: str, distance: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.distance = distance


def no_match(reason: str, distance: int = 0) -> NoReturn:
    raise NoMatch(reason, distance)
