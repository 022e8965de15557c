"""How many tokens each request has, and where the tokens of one call go."""

from __future__ import annotations

from typing import NamedTuple

import torch

from ..errors import CacheRefused


class Step(NamedTuple):
    """The tokens of one call: B requests, S columns each, some of which may be padding.

    before: int64 [B], tokens of each request before the call. added: int64 [B], its tokens in the call.
    positions: int64 [B, S], absolute; a padding column has that of the nearest token before it.
    order: int64 [B, S], a permutation of 0..S-1: the tokens of a request in their order, then its padding.
    valid: bool [B, S], true where a column is a token; None: all are.
    """

    before: torch.Tensor
    added: torch.Tensor
    positions: torch.Tensor
    order: torch.Tensor
    valid: torch.Tensor | None

    @property
    def tokens(self) -> int:
        return self.order.shape[1]


class Requests:
    """The lengths of B requests (`lengths`, int64 [B]) and the columns seen so far, padding included (int64 [])."""

    def __init__(self, batch_size: int, capacity: int, device: torch.device) -> None:
        self.batch_size = batch_size
        self.capacity = capacity
        self.lengths = torch.zeros(batch_size, dtype=torch.int64, device=device)
        self.columns = torch.zeros((), dtype=torch.int64, device=device)
        self.step: Step | None = None

    def begin(self, tokens: int, valid: torch.Tensor | None) -> Step:
        """The step of a call with `tokens` columns; nothing else is changed until `end`.

        Raises CacheRefused, or under torch.compile RuntimeError with the same text, when a request would outgrow the
        capacity. Lengths are not read back from other devices than the CPU: see `check_room`.
        """
        before = self.lengths.clamp(min=0)  # they are; said in the graph, it proves that no row is without a key
        step = _step(before, tokens, valid)
        if self.lengths.device.type == "cpu":
            fits = (step.before + step.added <= self.capacity).all()
            if torch.compiler.is_compiling():
                torch._assert_async(fits, _outgrown(self.capacity))
            elif not fits:
                raise CacheRefused(_outgrown(self.capacity))
        self.step = step
        return step

    def end(self) -> None:
        """Every layer has stored the step."""
        assert self.step is not None
        self.lengths.add_(self.step.added)
        self.columns.add_(self.step.tokens)
        self.step = None

    def current(self) -> Step:
        if self.step is None:
            raise CacheRefused(
                "the cache is used by a model it was not made for, which does not say which columns are tokens: make "
                "one with StaticSparseCache(model, ...) of the model that is called"
            )
        return self.step

    def check_room(self, tokens: int | torch.Tensor) -> None:
        """Raises CacheRefused unless every request has room for `tokens` more, or for those of a mask [B, S].

        Reads the lengths back to the host: not for use while a graph is captured.
        """
        more = tokens if isinstance(tokens, int) else tokens.to(self.lengths.device).to(torch.bool).sum(1)
        if bool((self.lengths + more > self.capacity).any()):
            raise CacheRefused(_outgrown(self.capacity))

    def reset(self, rows: torch.Tensor | None = None) -> None:
        self.step = None
        if rows is None:
            self.columns.zero_()
            self.lengths.zero_()
        else:
            self.lengths.masked_fill_(rows, 0)


def _outgrown(capacity: int) -> str:
    return (
        f"a request outgrows the cache: it would have more than max_cache_len={capacity} tokens. Nothing was stored; "
        "make the cache longer or reset() it"
    )


def _step(before: torch.Tensor, tokens: int, valid: torch.Tensor | None) -> Step:
    columns = torch.arange(tokens, device=before.device)
    if tokens == 1:  # a request's only token stands where its length says, and is counted where it is one
        added = torch.ones_like(before) if valid is None else valid[:, 0].to(before.dtype)
        return Step(before, added, before[:, None], torch.zeros_like(before)[:, None], valid)
    if valid is None:
        order = columns.expand(before.shape[0], tokens)
        return Step(before, torch.full_like(before, tokens), before[:, None] + columns, order, None)
    seen = valid.to(torch.int64).cumsum(1)
    added = seen[:, -1]
    order = torch.where(valid, seen - 1, added[:, None] + columns - seen)
    return Step(before, added, before[:, None] + (seen - 1).clamp(min=0), order, valid)
