"""What a pass is: a name, a sentence, a function over a module; and the one table of all passes.

    @register_pass("sparse-attn-lift", "torch operations become sparse_attn operations", options={"absorb": True})
    def lift(module: ir.Module, options: dict[str, Any]) -> None: ...

A pass reports an error with ``location.emit_error(...)`` and then raises `PassFailed`, or raises `PassFailed` with a
text of its own. What did not happen and why is no error: that is a `remark`.
"""

import importlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from torch_mlir import ir

Run = Callable[[ir.Module, dict[str, Any]], None]


class PassFailed(Exception):
    """The pass could not do its work; without a text its errors were emitted already."""


@dataclass(frozen=True)
class Pass:
    """A pass over a whole module. `options` are names and defaults; a default's type is the option's type."""

    name: str
    description: str
    run: Run
    options: Mapping[str, Any] = field(default_factory=dict)


PASSES: dict[str, Pass] = {}

MODULES = [  # what holds passes; importing it enters them into the table
    "upkeep",
    "lift",
    "fuse",
    "settle",
    "quantize",
    "select",
    "plan",
    "prune",
]


def all_passes() -> dict[str, Pass]:
    """The table with the passes of every module in it."""
    for name in MODULES:
        importlib.import_module(f"{__package__}.{name}")
    return PASSES


def register_pass(name: str, description: str, options: Mapping[str, Any] | None = None) -> Callable[[Run], Run]:
    """Enter a function into the table of passes."""

    def enter(run: Run) -> Run:
        if name in PASSES:
            raise ValueError(f"pass {name} is registered twice: by {PASSES[name].run.__module__} and {run.__module__}")
        PASSES[name] = Pass(name, description, run, options or {})
        return run

    return enter


_listeners: list[Callable[[ir.Location, str], None]] = []


def remark(location: ir.Location, text: str) -> None:
    """Tell whoever listens (the opt tool, a report) something about a place in the program."""
    for listener in _listeners:
        listener(location, text)


@contextmanager
def listening(listener: Callable[[ir.Location, str], None]) -> Iterator[None]:
    """Receive the remarks made meanwhile."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)
