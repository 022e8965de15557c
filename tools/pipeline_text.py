"""Reads a textual pass pipeline, ``builtin.module(sparse-attn-lift,func.func(cse,canonicalize{top-down=true}))``.

MLIR's own parser knows only passes written in C++. Here a pipeline becomes a flat list of steps, each one pass with the
operations it is nested in, so that passes written in Python and in C++ can follow each other in any order.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

ROOT = "builtin.module"
_ENDS = ",(){}"


class PipelineError(ValueError):
    """A pipeline that cannot be run; `column` counts from 1."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.column = column


@dataclass(frozen=True)
class Step:
    """One pass: the operations it is nested in, its name, the text of its options, where it was written."""

    anchors: tuple[str, ...]
    name: str
    options: str
    column: int

    @property
    def text(self) -> str:
        """The step as a pipeline of its own, for MLIR's parser."""
        leaf = self.name + (f"{{{self.options}}}" if self.options else "")
        return "(".join((*self.anchors, leaf)) + ")" * len(self.anchors)


def parse(text: str) -> list[Step]:
    """The steps of a pipeline in order; PipelineError when it is not well formed."""
    reader = _Reader(text)
    steps = reader.elements(())
    if reader.at < len(text):
        raise PipelineError(f"unexpected {text[reader.at]!r}", reader.at + 1)
    for step in steps:
        if step.anchors[:1] != (ROOT,):
            raise PipelineError(f"a pipeline is written {ROOT}(...); {step.name!r} is outside of it", step.column)
    return steps


def parse_options(text: str, declared: Mapping[str, Any]) -> dict[str, Any]:
    """Option values by name: the declared defaults, overridden by ``name=value name=value``; ValueError when wrong."""
    values = dict(declared)
    for word in text.split():
        name, equals, value = word.partition("=")
        if name not in declared:
            raise ValueError(f"unknown option {name!r}; known are {', '.join(declared) or 'none'}")
        values[name] = _convert(name, value if equals else "true", declared[name])
    return values


def _convert(name: str, value: str, default: Any) -> Any:
    if isinstance(default, bool):
        if value not in ("true", "false", "0", "1"):
            raise ValueError(f"option {name!r} must be true or false, got {value!r}")
        return value in ("true", "1")
    kind = str if default is None else type(default)
    try:
        return kind(value)
    except ValueError:
        raise ValueError(f"option {name!r} must be {kind.__name__}, got {value!r}") from None


class _Reader:
    """A recursive descent over ``element (, element)*``; an element is a pass or ``anchor(elements)``."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def elements(self, anchors: tuple[str, ...]) -> list[Step]:
        self.spaces()
        if anchors and self.peek() == ")":
            return []
        steps = self.element(anchors)
        while self.peek() == ",":
            self.at += 1
            steps += self.element(anchors)
        return steps

    def element(self, anchors: tuple[str, ...]) -> list[Step]:
        self.spaces()
        start = self.at
        name = self.name()
        if self.peek() != "(":
            return [Step(anchors, name, self.options(), start + 1)]
        self.at += 1
        steps = self.elements((*anchors, name))
        if self.peek() != ")":
            raise PipelineError(f"missing ) after {name}(...", self.at + 1)
        self.at += 1
        self.spaces()
        return steps

    def name(self) -> str:
        start = self.at
        while self.at < len(self.text) and self.text[self.at] not in _ENDS:
            self.at += 1
        name = self.text[start : self.at].strip()
        if not name:
            raise PipelineError("expected the name of a pass", start + 1)
        return name

    def options(self) -> str:
        if self.peek() != "{":
            return ""
        start, depth = self.at, 0
        while self.at < len(self.text):
            depth += {"{": 1, "}": -1}.get(self.text[self.at], 0)
            self.at += 1
            if depth == 0:
                inside = self.text[start + 1 : self.at - 1].strip()
                self.spaces()
                return inside
        raise PipelineError("missing } after options", start + 1)

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def spaces(self) -> None:
        while self.peek().isspace():
            self.at += 1
