"""Makers of constraints on attributes, presence and memory: each line of a document becomes one line of a spec."""

import math
from collections.abc import Callable, Sequence
from typing import Any

from .call import Call, known
from .constraint import Constraint
from .target import CHIPS, TARGETS, problem_with_target, product

Condition = Callable[[Call], bool]


def targets(*chips: str) -> Constraint:
    """The chips that have the kernel; host always has the operator's mathematics."""

    def check(call: Call) -> str | None:
        if (problem := problem_with_target(call.target)) or call.target not in CHIPS or call.target in chips:
            return problem
        return f"target {call.target} ({product(call.target)}) has no such kernel"

    names = ", ".join(product(chip) for chip in chips)
    fix = f"use it on {names}, or on host" if chips else "use it on host only"
    return Constraint(
        f"Runs on {names or 'no chip'}, and on host. Other products are refused by name.",
        check,
        fix,
        _Everything(TARGETS),
    )


class _Everything(tuple):
    """A target list that contains every word, so that an unknown target is refused rather than skipped."""

    def __contains__(self, word: object) -> bool:
        return True


def one_of(name: str, *allowed: Any) -> Constraint:
    """An attribute has one of a few values."""
    words = " or ".join(str(value) for value in allowed)
    return Constraint(
        f"`{name}` is {words}.",
        lambda call: None if call[name] in allowed else f"{name} is {call[name]!r}, not {words}",
        f"pass {name} = {words}",
    )


def in_range(name: str, low: int, high: int | None = None) -> Constraint:
    """An integer attribute lies in [low, high]; no high: at least low."""
    words = f"{low} to {high}" if high is not None else f"at least {low}"

    def check(call: Call) -> str | None:
        value = call[name]
        if value is None or (value >= low and (high is None or value <= high)):
            return None
        return f"{name} is {value}, outside {words}"

    return Constraint(f"`{name}` is {words}.", check, f"pass a {name} that is {words}")


def power_of_two(name: str, high: int) -> Constraint:
    """An integer attribute is a power of two up to high."""

    def check(call: Call) -> str | None:
        value = call[name]
        return (
            None
            if 0 < value <= high and value & (value - 1) == 0
            else f"{name} is {value}, no power of two from 1 to {high}"
        )

    return Constraint(f"`{name}` is a power of two from 1 to {high}.", check, f"pass a power of two as {name}")


def finite(name: str) -> Constraint:
    """A float attribute is given and finite."""
    return Constraint(
        f"`{name}` is a finite number.",
        lambda call: None if call[name] is not None and math.isfinite(call[name]) else f"{name} is {call[name]}",
        f"pass {name}, for instance 1 / sqrt(head size)",
    )


def dim_is(symbol: str, *allowed: int, what: str) -> Constraint:
    """A shape dim has one of a few sizes."""
    words = " or ".join(str(size) for size in allowed)
    return Constraint(
        f"{symbol} ({what}) is {words}.",
        lambda call: (
            None if call.dim(symbol) in (None, *allowed) else f"{what} {symbol} is {call.dim(symbol)}, not {words}"
        ),
        f"use a kernel for this size, or make {symbol} {words}",
    )


def dim_in(symbol: str, low: int, high: int | None, *, what: str, multiple: int = 1) -> Constraint:
    """A shape dim lies in [low, high] and is a multiple."""
    words = f"{low} to {high}" if high is not None else f"at least {low}"
    words += f" in steps of {multiple}" if multiple != 1 else ""

    def check(call: Call) -> str | None:
        size = call.dim(symbol)
        if size is None or (size >= low and (high is None or size <= high) and size % multiple == 0):
            return None
        return f"{what} {symbol} is {size}, not {words}"

    return Constraint(f"{symbol} ({what}) is {words}.", check, f"choose {symbol} {words}")


def not_empty() -> Constraint:
    """No tensor has a zero dim."""

    def check(call: Call) -> str | None:
        for name, fact in call.tensors.items():
            if any(known(dim) and dim == 0 for dim in fact.shape):
                return f"{name} is empty, its shape is {list(fact.shape)}"
        return None

    return Constraint(
        "No tensor is empty.", check, "skip the call when there is nothing to compute, or leave the argument out"
    )


def required(*names: str, when: Condition | None = None, because: str = "") -> Constraint:
    """These tensors are given (when a condition holds)."""

    def check(call: Call) -> str | None:
        missing = [name for name in names if not call.has(name)]
        if not missing or (when is not None and not when(call)):
            return None
        return f"{' and '.join(missing)} missing" + (f" {because}" if because else "")

    return Constraint(
        f"{_listed(names)} {'is' if len(names) == 1 else 'are'} given{' ' + because if because else ''}.",
        check,
        f"pass {' and '.join(names)}",
    )


def forbidden(*names: str, when: Condition | None = None, because: str = "") -> Constraint:
    """None of these tensors is given (when a condition holds)."""

    def check(call: Call) -> str | None:
        present = [name for name in names if call.has(name)]
        if not present or (when is not None and not when(call)):
            return None
        return f"{' and '.join(present)} given" + (f" {because}" if because else "")

    return Constraint(
        f"{_listed(names)} {'is' if len(names) == 1 else 'are'} left out{' ' + because if because else ''}.",
        check,
        "leave it out" if len(names) == 1 else "leave them out",
    )


def exactly_with(name: str, *others: str) -> Constraint:
    """Each of `others` is given exactly when `name` is."""

    def check(call: Call) -> str | None:
        for other in others:
            if call.has(other) != call.has(name):
                given, absent = (other, name) if call.has(other) else (name, other)
                return f"{given} is given without {absent}"
        return None

    return Constraint(
        f"{_listed(others)} {'is' if len(others) == 1 else 'are'} given exactly when `{name}` is.",
        check,
        f"pass {' and '.join((name, *others))} together or not at all",
    )


def contiguous(*names: str, axis0_free: Sequence[str] = ()) -> Constraint:
    """These tensors are contiguous; those in `axis0_free` may have any stride on axis 0."""

    def check(call: Call) -> str | None:
        for name in (*names, *axis0_free):
            fact = call.tensor(name)
            if fact is None or fact.strides is None or not known(*fact.shape):
                continue
            skip = 1 if name in axis0_free else 0
            if not _dense(fact.shape[skip:], fact.strides[skip:]):
                return f"{name} has strides {list(fact.strides)} for shape {list(fact.shape)}"
        return None

    free = f"; {_listed(axis0_free)} may have a stride on axis 0" if axis0_free else ""
    return Constraint(
        f"{_listed(names) or 'Nothing else'} must be contiguous{free}.", check, "call contiguous() on it first"
    )


def _dense(shape: Sequence[int], strides: Sequence[int]) -> bool:
    expected = 1
    for dim, stride in zip(reversed(shape), reversed(strides), strict=True):
        if dim > 1 and stride != expected:
            return False
        expected *= max(dim, 1)
    return True


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
