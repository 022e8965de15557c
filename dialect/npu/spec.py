"""The spec of a kernel operator: one value from which its torch schemas, MLIR op, verifier, fake, aclnn call and
docs derive.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Any

from .aclnn import Aclnn
from .call import Call
from .constraint import Constraint, Finding, findings
from .rows import Result, TensorRow
from .schema import Param, Schema, parse_schema


class Lengths(Enum):
    """Which key length an operator is told, when keys are compressed by a ratio r."""

    COMPRESSED = "the compressed length; the uncompressed one is length * r + residual, the residual is an argument"
    UNCOMPRESSED = "the uncompressed length; the operator divides by r itself, there is no residual"
    NONE = "no lengths"


@dataclass(frozen=True)
class Variant:
    """The same operator as one torch namespace publishes it, where that differs from the spec's own schema.

    rename: their argument name -> ours. convert: our argument -> how their value becomes ours. back: the inverse.
    only: arguments only they have, and the value passed for each. fixed: what the arguments they lack are. results:
    which of our results they return. A namespace may be listed twice when two versions of its schema are in use;
    the first is the one defined when no vendor package is installed.
    """

    namespace: str
    text: str
    rename: Mapping[str, str] = field(default_factory=dict)
    convert: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    back: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    only: Mapping[str, Any] = field(default_factory=dict)
    fixed: Mapping[str, Any] = field(default_factory=dict)
    results: tuple[int, ...] | None = None

    @cached_property
    def schema(self) -> Schema:
        return parse_schema(self.text)

    @property
    def qualified(self) -> str:
        return f"{self.namespace}::{self.schema.name}"


@dataclass(frozen=True, eq=False)
class Spec:
    """See the fields; `schema` is the argument list that the MLIR op and the host kernel `sa_<name>` share."""

    name: str
    about: str
    source: str
    published: tuple[Variant, ...]
    tensors: Mapping[str, TensorRow]
    attributes: Mapping[str, str]
    results: tuple[Result, ...]
    constraints: Mapping[str, Constraint]
    chips: tuple[str, ...]
    lengths: Lengths
    example: Mapping[str, Any]
    """A call that host and every chip accept, tensors as text (see `text`)."""
    aclnn: Aclnn | None = None
    none_means: Mapping[str, Any] = field(default_factory=dict)
    """What None stands for in an optional attribute."""
    host_means: Mapping[str, Mapping[Any, Any]] = field(default_factory=dict)
    """What the host kernel is told for a value that only stands for another one."""
    mode: Callable[[Call], str] | None = None
    """The name the document gives to this combination of arguments."""
    disagreements: tuple[str, ...] = ()
    """Where published sources disagree and it belongs to no single constraint."""
    facts: tuple[str, ...] = ()
    text: str | None = None
    """Own argument list, when no namespace publishes one that holds all arguments."""

    @cached_property
    def schema(self) -> Schema:
        return parse_schema(self.text or self.published[0].text)

    @property
    def op(self) -> str:
        return f"npu.{self.name}"

    @property
    def metadata_op(self) -> str | None:
        """The spec name of the operator that plans this one, if it takes a plan."""
        return f"{self.name}_metadata" if "metadata" in self.schema.by_name else None

    def variant(self, namespace: str) -> Variant:
        for variant in self.published:
            if variant.namespace == namespace:
                return variant
        raise KeyError(
            f"{self.name} is not published in namespace {namespace!r}, only in {[v.namespace for v in self.published]}"
        )

    def scalar(self, param: Param, given: Mapping[str, Any]) -> Any:
        """The value of an attribute: what was given, else its default, else what None means."""
        value = given.get(param.name)
        if value is None:
            value = param.default if param.has_default else None
        return self.none_means.get(param.name) if value is None else value

    def scalars(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All attributes of a call with defaults filled in."""
        return {param.name: self.scalar(param, given) for param in self.schema.scalars}

    def check(self, call: Call) -> list[Finding]:
        """Every constraint this call breaks; an empty list is a legal call. Binds the shape symbols of the call."""
        return findings(dict(self.constraints), call)

    def from_variant(self, variant: Variant, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a published call by the spec's own names."""
        ours: dict[str, Any] = dict(variant.fixed)
        for name, value in arguments.items():
            if name in variant.only:
                continue
            own = variant.rename.get(name, name)
            ours[own] = variant.convert[own](value) if own in variant.convert and value is not None else value
        return ours

    def to_variant(self, variant: Variant, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a call by a namespace's names; raises ValueError for what that namespace cannot say."""
        theirs: dict[str, Any] = dict(variant.only)
        taken = {variant.rename.get(param.name, param.name): param.name for param in variant.schema.params}
        for name, value in arguments.items():
            if name in taken:
                theirs[taken[name]] = variant.back[name](value) if name in variant.back and value is not None else value
            elif value is not None and value != variant.fixed.get(name, self._default(name)):
                raise ValueError(f"{variant.qualified} has no argument for {name} = {value!r}")
        return theirs

    def explicit(self, variant: Variant, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a namespace's call with every attribute spelled out: defaults differ between them."""
        scalars = {name: value for name, value in self.scalars(arguments).items() if value is not None}
        return self.to_variant(variant, dict(arguments) | scalars)

    def _default(self, name: str) -> Any:
        param = self.schema.by_name[name]
        return param.default if param.has_default else None

    def result_facts(self, call: Call) -> list[tuple[tuple, str]]:
        """Shape and dtype of every result of a checked call, the mutated arguments of the MLIR form not included."""
        return [(tuple(result.shape(call)), result.dtype_of(call)) for result in self.results]
