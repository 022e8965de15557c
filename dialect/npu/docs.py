"""The page of the dialect, written from its specs."""

import textwrap
from collections.abc import Iterable

from . import SPECS
from .aclnn import aclnn_arguments
from .constraint import Constraint
from .facts import KINDS, PYTHON
from .ops import Npu, example
from .rows import Result, TensorRow
from .spec import Spec
from .target import PRODUCTS, TARGETS, UNSUPPORTED_PRODUCTS

_STRUCTURE = """\
Rules of every operation:

- **s1** `operandSegmentSizes` counts the optional operands, which are ranked tensors.
- **s2** `args`, where present, names the given operands in order.
- **s3** Attributes are arguments of the schema, `target`, `args`, or have a dot in their name.
- **s4** Attributes have the type of their argument; those at their default may be left out.
- **s5** `target` and every argument without default are given.
- **s6** Results have the types that follow. Tensors the operator mutates come back first, as `<name>_out`.

Values (prefix sums, used lengths, table entries) and strides are checked where they are known, in a call on CPU
tensors. A constraint that names targets holds on these only; the others hold everywhere, `host` included. A warning
refuses nothing.
"""


def markdown() -> str:
    """The whole page."""
    products = "\n".join(f"- `{target}`: {PRODUCTS[target]}" for target in TARGETS)
    refused = ", ".join(UNSUPPORTED_PRODUCTS.values())
    head = f"# Dialect `npu`\n\n{Npu.__doc__}\n\nTargets:\n\n{products}\n\nRefused by name: {refused}.\n\n{_STRUCTURE}"
    return "\n".join([head, _overview() + "\n", *(section(spec) for spec in SPECS.values())])


def _overview() -> str:
    rows = [(f"[`{spec.name}`](#npu{spec.name})", ", ".join(spec.chips), spec.lengths.value) for spec in SPECS.values()]
    return _table(("operation", "chips", "key lengths"), rows)


def section(spec: Spec) -> str:
    """What a reader must know about one operation."""
    parts = [f"## `{spec.op}`", spec.about, f"Source: {spec.source}. Spec: [{spec.name}.py]({spec.name}.py)."]
    parts.append(_table(("tensor", "shape", "dtype", ""), [_tensor_row(spec, p.name) for p in spec.schema.tensors]))
    if spec.schema.scalars:
        rows = [_attribute_row(spec, param.name) for param in spec.schema.scalars]
        parts.append(_table(("attribute", "type", "default", ""), rows))
    if spec.results:
        parts.append(_table(("result", "dtype", ""), [_result_row(result) for result in spec.results]))
    parts.append("\n".join(_constraint(number, c) for number, c in spec.constraints.items()))
    parts += _notes(spec)
    parts.append(f"```mlir\n{example(spec)}\n```\n")
    return "\n\n".join(parts)


def _notes(spec: Spec) -> list[str]:
    parts = []
    if spec.disagreements:
        parts.append("Where published sources disagree:\n\n" + "\n".join(f"- {text}" for text in spec.disagreements))
    if spec.facts:
        parts.append("\n".join(f"- {text}" for text in spec.facts))
    schemas = "\n".join(
        textwrap.fill(f"{v.namespace}::{v.schema.text}", 116, subsequent_indent="    ") for v in spec.published
    )
    parts.append(f"Published as:\n\n```\n{schemas}\n```")
    if spec.aclnn:
        names = ", ".join(argument.name for argument in aclnn_arguments(spec))
        call = textwrap.fill(f"{spec.aclnn.get_workspace_size}({names}, ...)", 116, subsequent_indent="    ")
        parts.append(f"As an aclnn call:\n\n```\n{call}\n```")
    return parts


def _tensor_row(spec: Spec, name: str) -> tuple[str, ...]:
    row: TensorRow = spec.tensors[name]
    param = spec.schema[name]
    marks = (" (optional)" if param.optional else "") + (" (mutated)" if param.mutated else "")
    shapes = "<br>".join(
        f"{key}: `[{_dims(text)}]`" if key else f"`[{_dims(text)}]`" for key, text in row.shapes.items()
    )
    dtypes = "by mode" if callable(row.dtypes) else row.dtypes if isinstance(row.dtypes, str) else " ".join(row.dtypes)
    return f"`{name}`{marks}", shapes, dtypes, row.about


def _dims(text: str) -> str:
    return ", ".join(text.split())


def _attribute_row(spec: Spec, name: str) -> tuple[str, ...]:
    param = spec.schema[name]
    default = "required" if param.must_be_given else f"`{spec.scalar(param, {})}`"
    return f"`{name}`", KINDS[PYTHON[param.kind]][1], default, spec.attributes[name]


def _result_row(result: Result) -> tuple[str, ...]:
    return f"`{result.name}`", "follows" if callable(result.dtype) else result.dtype, result.about


def _constraint(number: str, constraint: Constraint) -> str:
    where = "" if constraint.targets == TARGETS else f" On {', '.join(constraint.targets)}."
    warning = " Warning." if constraint.warning else ""
    note = f" ({constraint.note})" if constraint.note else ""
    return f"- **{number}** {constraint.says}{where}{warning}{note}"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
