"""The pieces of one attention site and which variable plays which part."""

from __future__ import annotations

import dataclasses

from ..analysis.ints import Int
from ..normalize.term import Elem
from .scores import Mask


@dataclasses.dataclass(frozen=True)
class Site:
    """One attention: out[batch, row, head, value_channel] = sum over key_axis of softmax(logits) * value.

    Axes are variables, or 0 for an axis of size one. `root` is the element of the tensor the attention replaces.
    """

    root: Elem
    query: Elem
    key: Elem
    value: Elem
    scale: float
    batch: Int
    row: Int
    head: Int
    channel: Int
    value_channel: Int
    key_axis: Int
    masks: tuple[Mask, ...]
    sink: Elem | None = None
    is_causal: bool = False
    empty_rows: str = "nan"

    @property
    def pieces(self) -> tuple[str, ...]:
        found = [f"attention of {self.query.value!r} over {self.key.value!r}, scale {self.scale:g}"]
        found += [f"mask {m.term}" for m in self.masks]
        if self.sink:
            found.append(f"sinks {self.sink.value!r}")
        return tuple(found)
