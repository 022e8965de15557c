"""Comparing an operator somebody registered with the schema its spec publishes, argument by argument."""

from typing import Any

import torch

from ..dialect.npu.schema import Param, Schema


def registered(qualified: str) -> Any | None:
    """The torch schema of `namespace::name` (its default overload), or None when nobody defined it."""
    schemas = torch._C._jit_get_schemas_for_operator(qualified)
    return next((schema for schema in schemas if not schema.overload_name), None)


def has_kernel(qualified: str, key: str) -> bool:
    """Whether somebody registered an implementation for a dispatch key itself (not one that stands in for it)."""
    return torch._C._dispatch_has_kernel_for_dispatch_key(qualified, key)


def difference(ours: Schema, theirs: Any) -> str | None:
    """The first argument in which two schemas differ, both sides written out, or None."""
    for number, (param, argument) in enumerate(zip(ours.params, theirs.arguments, strict=False)):
        wanted, found = written(param), _written_argument(argument)
        if wanted != found:
            return f"argument {number} is `{found}` there and `{wanted}` here"
    if len(ours.params) != len(theirs.arguments):
        longer, names = _rest(ours, theirs)
        return f"{longer} further arguments: {', '.join(names)}"
    if ours.returns != len(theirs.returns):
        return f"{len(theirs.returns)} results there and {ours.returns} here"
    return None


def _rest(ours: Schema, theirs: Any) -> tuple[str, list[str]]:
    shared = min(len(ours.params), len(theirs.arguments))
    if len(ours.params) > shared:
        return "it lacks", [param.name for param in ours.params[shared:]]
    return "it has", [argument.name for argument in theirs.arguments[shared:]]


def written(param: Param) -> str:
    """One argument in a form both sides can be brought into."""
    return _written(param.kind, param.optional, param.mutated, param.keyword_only, param.name, param.has_default, param)


def _written_argument(argument: Any) -> str:
    kind = str(argument.type)
    optional = kind.startswith("Optional[")
    kind = kind.removeprefix("Optional[").removesuffix("]")
    mutated = argument.alias_info is not None and argument.alias_info.is_write
    return _written(kind, optional, mutated, argument.kwarg_only, argument.name, argument.has_default_value(), argument)


def _written(kind: str, optional: bool, mutated: bool, keyword: bool, name: str, has_default: bool, source: Any) -> str:
    type_ = f"{kind}{'(!)' if mutated else ''}{'?' if optional else ''}"
    text = f"{'*, ' if keyword else ''}{type_} {name}"
    if not has_default:
        return text
    value = source.default if isinstance(source, Param) else source.default_value
    return f"{text}={float(value) if kind == 'float' and value is not None else value!r}"
