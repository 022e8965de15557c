"""A step function over a few batch sizes: calls are padded to the next bucket, so that few graphs serve all of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import torch

from ..lowering.plan.buckets import BadBuckets, Buckets, Grid
from . import session
from .statistics import Statistics


class Bucketed:
    """`step(**inputs)` for batches of any size up to the largest bucket.

    `compiled` is `step` compiled for capture; it only ever sees batches of a bucket's size (and, with `context`, widths
    of a bucket's), always the same tensors for one bucket. `rows` names the inputs whose first axis is the batch, each
    with the value of the rows that no request owns: a length of 0, the number of a slot that nobody reads. `columns`
    names those whose last axis is as wide as the context (block tables), with the value of entries beyond it. All other
    inputs are passed through. A batch beyond the largest bucket runs `step` itself, unpadded. Results that have the
    bucket's size as first axis are cut to the batch; a result that must not be cut has to have another first axis.

    Not for two threads at once: the padded inputs are shared.
    """

    def __init__(
        self,
        step: Callable[..., Any],
        compiled: Callable[..., Any],
        batch: Iterable[int],
        rows: Mapping[str, int | float],
        context: Iterable[int] | None = None,
        columns: Mapping[str, int | float] | None = None,
    ) -> None:
        self.step, self.compiled = step, compiled
        self.grid = Grid(Buckets.of("batch", batch), Buckets.of("context", context) if context is not None else None)
        self.rows, self.columns = dict(rows), dict(columns or {})
        if not self.rows:
            raise BadBuckets('rows is empty: name the inputs that have a row per request, such as rows={"tokens": 0}')
        if bool(self.columns) != (self.grid.context is not None):
            raise BadBuckets("context and columns belong together: give both or neither")
        unknown = sorted(set(self.columns) - set(self.rows))
        if unknown:
            raise BadBuckets(f"columns names {', '.join(unknown)}, which rows does not: give its dummy row a value too")
        self.statistics = Statistics()
        self.used: set[tuple[int, int | None]] = set()
        self._names = tuple(inspect.signature(step).parameters)
        self._padded: dict[tuple[int, int | None], dict[str, torch.Tensor]] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        inputs = dict(zip(self._names, args, strict=False)) | kwargs
        count, width = self._sizes(inputs)
        key = self.grid.fit(count, width)
        if key is None:
            what = f"{count} rows" + (f" of {width} columns" if width is not None else "")
            self.statistics.fallbacks[f"{what} are beyond the largest bucket"] += 1
            return self.step(**inputs)
        self.used.add(key)
        padded = self._pad(key, inputs)
        result = self.compiled(**{**inputs, **padded})
        self.statistics.replays += 1
        return torch.utils._pytree.tree_map(lambda part: _cut(part, key[0], count), result)

    def warm_up(self, **example: Any) -> None:
        """Capture every bucket with dummy rows alone; caches stay as they are. `example` is one call's inputs."""
        with session.warming():
            for key in self.grid.keys:
                self.used.add(key)
                self.compiled(**{**example, **self._pad(key, example, empty=True)})

    def _sizes(self, inputs: Mapping[str, Any]) -> tuple[int, int | None]:
        missing = [name for name in self.rows if not isinstance(inputs.get(name), torch.Tensor)]
        if missing:
            raise BadBuckets(f"{', '.join(missing)} must be a tensor with a row per request; pass it by that name")
        counts = {name: inputs[name].shape[0] for name in self.rows}
        if len(set(counts.values())) != 1:
            raise BadBuckets(f"inputs have different numbers of rows: {counts}; each needs one row per request")
        widths = {name: inputs[name].shape[-1] for name in self.columns}
        if len(set(widths.values())) > 1:
            raise BadBuckets(f"inputs have different widths: {widths}; each needs one column per part of the context")
        return next(iter(counts.values())), next(iter(widths.values()), None)

    def _pad(
        self, key: tuple[int, int | None], inputs: Mapping[str, Any], empty: bool = False
    ) -> dict[str, torch.Tensor]:
        """The bucket's own tensors, holding the rows of `inputs` and dummy rows behind them."""
        padded = self._padded.get(key)
        if padded is None:
            padded = self._padded[key] = {name: self._room(key, name, inputs[name]) for name in self.rows}
        for name, target in padded.items():
            target.fill_(self.rows[name])
            source = inputs[name][:0] if empty else inputs[name]
            if source.shape[0]:
                self._place(name, target[: source.shape[0]], source)
        return padded

    def _place(self, name: str, target: torch.Tensor, source: torch.Tensor) -> None:
        if name in self.columns:
            target.fill_(self.columns[name])
            target = target[..., : source.shape[-1]]
        if target.shape != source.shape or target.dtype != source.dtype or target.device != source.device:
            raise BadBuckets(
                f"{name} is {list(source.shape)} {source.dtype} on {source.device}, this bucket began with "
                f"{list(target.shape)} {target.dtype} on {target.device}: rows must keep their shape"
            )
        target.copy_(source)

    def _room(self, key: tuple[int, int | None], name: str, like: torch.Tensor) -> torch.Tensor:
        sizes: Sequence[int] = (key[0], *like.shape[1:])
        if name in self.columns and key[1] is not None:
            sizes = (*sizes[:-1], key[1])
        return torch.empty(sizes, dtype=like.dtype, device=like.device)


def _cut(part: Any, bucket: int, count: int) -> Any:
    return part[:count] if isinstance(part, torch.Tensor) and part.dim() and part.shape[0] == bucket else part
