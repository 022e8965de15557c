"""What a target offers, as data: one contract per kernel and fused op."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from ..analysis.graph import Value
from ..fuse.operands import attributes, operands

Requirement = Callable[["Use"], str | None]


@dataclasses.dataclass(frozen=True)
class Use:
    """One fused op as a contract sees it: operands and attributes by name, and the user's promises."""

    value: Value
    accept_ranking: str = "exact"
    assume: tuple[str, ...] = ()

    def operand(self, name: str) -> Value | None:
        return operands(self.value)[name]

    def attribute(self, name: str) -> object:
        return attributes(self.value)[name]

    def size(self, name: str, axis: int) -> int | None:
        """A static size of an operand, None when dynamic or absent."""
        value = self.operand(name)
        if value is None or value.dims is None or not value.dims[axis].is_const:
            return None
        return value.dims[axis].const


@dataclasses.dataclass(frozen=True)
class Contract:
    """A kernel that implements `implements` on `targets` when every requirement returns None.

    `kernel` is the operator's published name; `requirements` are functions returning a reason in the user's terms.
    """

    kernel: str
    implements: str
    targets: tuple[str, ...]
    requirements: Sequence[Requirement] = ()

    def refusal(self, use: Use) -> str | None:
        """The first unmet requirement."""
        for requirement in self.requirements:
            reason = requirement(use)
            if reason is not None:
                return reason
        return None
