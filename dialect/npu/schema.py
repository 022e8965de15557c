"""Reading a torch operator schema as text, without torch.

The published schema text is the root of every spec, so it is kept exactly as published and read here. Only what the
kernel operators use is understood: tensors (optional, mutated), int, float, bool, str, their optional forms, and
defaults.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

_ARGUMENT = re.compile(r"^(?P<type>\w+(?:\(\w!\))?\??) +(?P<name>\w+)(?: *= *(?P<default>.+))?$")
_SCHEMA = re.compile(r"^(?P<name>\w+)\((?P<arguments>.*)\) *-> *(?P<returns>.+)$", re.DOTALL)
_MISSING = object()


@dataclass(frozen=True)
class Param:
    """One argument of a torch schema."""

    name: str
    kind: str
    """Tensor, int, float, bool or str."""
    optional: bool
    """The type is written with a question mark, so None is a legal value."""
    mutated: bool
    """The operator writes into this tensor."""
    keyword_only: bool
    default: Any = _MISSING

    @property
    def is_tensor(self) -> bool:
        return self.kind == "Tensor"

    @property
    def has_default(self) -> bool:
        return self.default is not _MISSING

    @property
    def must_be_given(self) -> bool:
        """No usable value without one: no default, or a default of None for a type that is not optional."""
        return not self.has_default or (self.default is None and not self.optional)


@dataclass(frozen=True)
class Schema:
    """A torch schema: `name(arguments) -> returns`."""

    name: str
    params: tuple[Param, ...]
    returns: int
    """How many tensors come back."""
    text: str

    def __getitem__(self, name: str) -> Param:
        return self.by_name[name]

    @cached_property
    def by_name(self) -> dict[str, Param]:
        return {param.name: param for param in self.params}

    @cached_property
    def tensors(self) -> tuple[Param, ...]:
        return tuple(param for param in self.params if param.is_tensor)

    @cached_property
    def scalars(self) -> tuple[Param, ...]:
        return tuple(param for param in self.params if not param.is_tensor)

    @cached_property
    def mutated(self) -> tuple[str, ...]:
        return tuple(param.name for param in self.params if param.mutated)


def parse_schema(text: str) -> Schema:
    """Read one schema; raises ValueError naming the argument that cannot be read."""
    match = _SCHEMA.match(" ".join(text.split()))
    if match is None:
        raise ValueError(f"not a schema, write `name(arguments) -> results`: {text!r}")
    params: list[Param] = []
    keyword_only = False
    for word in filter(None, (part.strip() for part in match["arguments"].split(","))):
        if word == "*":
            keyword_only = True
        else:
            params.append(_parse_param(word, keyword_only))
    returns = match["returns"].count("Tensor")
    return Schema(match["name"], tuple(params), returns, " ".join(text.split()))


def _parse_param(word: str, keyword_only: bool) -> Param:
    match = _ARGUMENT.match(word)
    if match is None:
        raise ValueError(f"argument {word!r} is not `type name` or `type name=default`")
    kind = match["type"].rstrip("?")
    mutated = kind.endswith("!)")
    kind = kind.partition("(")[0]
    default = _MISSING if match["default"] is None else _parse_default(kind, match["default"])
    return Param(match["name"], kind, match["type"].endswith("?"), mutated, keyword_only, default)


def _parse_default(kind: str, text: str) -> Any:
    if text == "None":
        return None
    if kind == "str":
        return text.strip("\"'")
    if kind == "bool":
        return {"True": True, "False": False}[text]
    return float(text) if kind == "float" else int(text)
