"""Shapes in named dims: the two rules every spec starts with, shapes agree and dtypes are accepted."""

import re
from collections.abc import Mapping
from functools import cache

from .call import Call, Dim, known
from .constraint import Constraint
from .rows import TensorRow

_TERM = re.compile(r"^(?P<name>[A-Za-z_]\w*)(?:(?P<operator>[+/])(?P<number>\d+))?$")


def bind(shape_text: str, shape: tuple[Dim, ...], dims: dict[str, Dim]) -> str | None:
    """Match one shape against its text, learning the names met first; returns what does not fit, or None."""
    terms = _terms(shape_text)
    if len(terms) != len(shape):
        return f"it has {len(shape)} axes where [{', '.join(shape_text.split())}] has {len(terms)}"
    for axis, (term, dim) in enumerate(zip(terms, shape, strict=True)):
        if dim is not None and (problem := _bind_axis(*term, dim, dims)):
            return f"axis {axis} {problem} in [{', '.join(shape_text.split())}]"
    return None


@cache
def _terms(shape_text: str) -> tuple[tuple[str, str | None, int], ...]:
    """Every dim of a shape text as name, operator and number; a plain number has an empty name."""
    found = []
    for term in shape_text.split():
        match = _TERM.match(term)
        if match is None and not term.isdigit():
            raise ValueError(f"unreadable dim {term!r} in the shape text {shape_text!r}")
        found.append((match["name"], match["operator"], int(match["number"] or 0)) if match else ("", None, int(term)))
    return tuple(found)


def _bind_axis(name: str, operator: str | None, number: int, dim: Dim, dims: dict[str, Dim]) -> str | None:
    if name == "_":
        return None
    if not name:
        return f"is {dim}, not {number}," if known(dim) and dim != number else None
    if dims.get(name) is None:
        dims[name] = {"+": dim - number, "/": dim * number, None: dim}[operator]
        return None
    bound = dims[name]
    if not known(dim, bound):
        return None
    wanted = {"+": bound + number, "/": bound // number if number else bound, None: bound}[operator]
    return f"is {dim} where {name} = {bound} asks for {wanted}" if dim != wanted else None


def shapes_agree(rows: Mapping[str, TensorRow]) -> Constraint:
    """Every given tensor has the shape of its layout, and a name means the same number everywhere."""

    def check(call: Call) -> str | None:
        call.dims.clear()
        for name, row in rows.items():
            if not call.has(name):
                continue
            text = row.shape_text(call)
            if text is None:
                continue  # no such layout: the layout rule says so
            if problem := bind(text, call.shape(name), call.dims):
                return f"{name} has shape {_written(call.shape(name))}: {problem}"
        return None

    return Constraint(
        "Every tensor has the shape of its table row, and a dim name means one number throughout the call.",
        check,
        "reshape it, or correct the layout argument",
    )


def dtypes_accepted(rows: Mapping[str, TensorRow]) -> Constraint:
    """Every given tensor has a dtype of its row."""

    def check(call: Call) -> str | None:
        for name, row in rows.items():
            fact = call.tensor(name)
            if fact is not None and not _accepts(row.accepted(call), fact.dtype):
                return f"{name} is {fact.dtype} where {' or '.join(row.accepted(call))} is read"
        return None

    return Constraint("Every tensor has a dtype of its table row.", check, "convert it before the call")


def _accepts(accepted: tuple[str, ...], dtype: str) -> bool:
    if dtype == "i8":  # MLIR's signless byte may be either
        return "int8" in accepted or "uint8" in accepted
    return dtype in accepted


def _written(shape: tuple[Dim, ...]) -> str:
    return "[" + ", ".join("?" if dim is None else str(dim) for dim in shape) + "]"
