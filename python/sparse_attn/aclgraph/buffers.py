"""The memory a graph reads: whose it is, and how a step's inputs get there."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import torch


class Buffers:
    """The inputs of one graph.

    Inputs in `stays` are used where they lie, and every later call must bring the same memory; any other tensor is
    copied into a buffer of the graph's own, before each replay. Numbers are frozen.
    """

    def __init__(self, args: Sequence[Any], stays: Collection[int]) -> None:
        self.values: list[Any] = list(args)
        self._stays = [(n, _address(arg)) for n, arg in enumerate(args) if n in stays and isinstance(arg, torch.Tensor)]
        self._memory = {address[1] for _, address in self._stays}
        self._copied = [n for n, arg in enumerate(args) if n not in stays and isinstance(arg, torch.Tensor)]
        for number in self._copied:
            self.values[number] = _own(args[number])
        self._targets = [self.values[number] for number in self._copied]
        self._looks = [(t.shape, t.dtype, t.device) for t in self._targets]

    def stays(self, tensor: torch.Tensor) -> bool:
        """Whether a tensor lies in memory that is used where it is."""
        return _address(tensor)[1] in self._memory

    def moved(self, args: Sequence[Any]) -> int | None:
        """The number of the first input that is not where it was at capture."""
        return next((number for number, address in self._stays if _address(args[number]) != address), None)

    def load(self, args: Sequence[Any]) -> None:
        """Copy a step's inputs into the graph's buffers; ValueError, before any copy, when one does not fit."""
        sources = [args[number] for number in self._copied]
        for number, source, look in zip(self._copied, sources, self._looks, strict=True):
            if (source.shape, source.dtype, source.device) != look:
                raise ValueError(
                    f"input {number} is {list(source.shape)} {source.dtype} on {source.device}; the graph was captured "
                    f"for {list(look[0])} {look[1]} on {look[2]}: compile the function for this size"
                )
        if sources:
            with torch.inference_mode():  # the buffers may have been made in it
                torch._foreach_copy_(self._targets, sources)


def _address(tensor: torch.Tensor) -> tuple[int, ...]:
    return tensor.data_ptr(), tensor.untyped_storage()._cdata


def _own(tensor: torch.Tensor) -> torch.Tensor:
    """A copy in memory of its own with the same strides: the recorded tasks know them."""
    made = torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype, device=tensor.device)
    return made.copy_(tensor)
