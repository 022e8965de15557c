"""How an operation declares its fields, and what the verifier, the builder and the documentation read from them."""

from dataclasses import dataclass
from typing import Any

_REQUIRED = object()


class Symbol(str):
    """The name of a function of the module, without the `@`."""

    __slots__ = ()


# Python type of an attribute -> (name in a torch schema, name in MLIR text)
KINDS = {
    int: ("int", "i64"),
    float: ("float", "f64"),
    bool: ("bool", "i1"),
    str: ("str", "string"),
    Symbol: ("str", "symbol"),
}


@dataclass(frozen=True)
class TensorField:
    """An operand or a result: a layout (see `tensors`) and the element types it may have.

    `dtypes` is a tuple of MLIR element types; for a result it may name the operand whose element type it copies.
    """

    layout: str
    dtypes: tuple[str, ...] | str
    text: str
    name: str = ""
    optional: bool = False
    keyword: bool = False


@dataclass(frozen=True)
class AttrField:
    """An attribute: its Python type, its default, and the values it may take.

    An attribute equal to its default is left out of the IR, so printed operations show only what matters and equal
    operations are spelled equally.
    """

    default: Any
    text: str
    choices: tuple[Any, ...] = ()
    least: int | None = None
    name: str = ""
    type: type = int

    @property
    def required(self) -> bool:
        return self.default is _REQUIRED

    def problem(self, value: Any) -> str | None:
        """Why a Python value is no legal value, or None. An int is accepted where a float is declared."""
        kinds: tuple[type, ...] = (int, float) if self.type is float else (self.type,)
        is_kind = isinstance(value, kinds) and isinstance(value, bool) == (self.type is bool)
        if not is_kind:
            return f"attribute `{self.name}` must be {' / '.join(KINDS[self.type])}, got {value!r}"
        if self.choices and value not in self.choices:
            return f"attribute `{self.name}` must be one of {', '.join(map(repr, self.choices))}, got {value!r}"
        if self.type is int and not -(2**63) <= value < 2**63:
            return f"attribute `{self.name}` must fit in 64 bits, got {value}"
        if self.least is not None and value < self.least:
            return f"attribute `{self.name}` must be at least {self.least}, got {value}"
        return None


def operand(layout: str, dtypes: tuple[str, ...], text: str, *, keyword: bool = False) -> Any:
    """Declare an operand; it is optional when its annotation ends in ``| None``, `keyword` puts it after the ``*``."""
    return TensorField(layout, dtypes, text, keyword=keyword)


def result(layout: str, dtypes: tuple[str, ...] | str, text: str) -> Any:
    """Declare a result; `dtypes` may name the operand whose element type the result has."""
    return TensorField(layout, dtypes, text)


def attr(text: str, default: Any = _REQUIRED, *, choices: tuple[Any, ...] = (), least: int | None = None) -> Any:
    """Declare an attribute; without a default it is required."""
    return AttrField(default, text, choices, least)
