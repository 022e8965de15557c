"""Writes what is derived from the definitions of operations: README.md of each dialect, and the dialects as IRDL.

python -m sparse_attn.tools.docgen                  write dialect/README.md and dialect/<name>/README.md
python -m sparse_attn.tools.docgen --check          exit code 1 when one of them is not up to date
python -m sparse_attn.tools.docgen --irdl out.irdl.mlir     for a stock mlir-opt --irdl-file=out.irdl.mlir
"""

import argparse
import inspect
import json
import pathlib
import sys
import textwrap
from collections.abc import Iterable, Sequence
from types import ModuleType

from sparse_attn.dialect import registry
from sparse_attn.dialect.definition import Definition
from sparse_attn.dialect.fields import KINDS, AttrField, TensorField
from sparse_attn.dialect.op import Op

FOLDER = pathlib.Path(registry.__file__).resolve().parent
_GENERATED = "<!-- Written by tools/docgen.py from the definitions: change those, then run it. -->"

_LEGEND = """\
A shape names its dimensions; the same name is the same size throughout an operation, where it is static. `B|1` is that
size or one, `row...` is any further dimensions. Attributes at their default may be left out.

Constraints common to all operations:
"""


def pages() -> dict[pathlib.Path, str]:
    """Every page by its path."""
    found = {FOLDER / package.DIALECT.name / "README.md": dialect_page(package) for package in registry.DIALECTS}
    return {FOLDER / "README.md": index_page(registry.DIALECTS), **found}


def index_page(packages: Iterable[ModuleType]) -> str:
    """The page that lists the dialects and their operations."""
    parts = [_GENERATED, "# Dialects", inspect.getdoc(sys.modules[registry.__package__]) or ""]
    for package in packages:
        name = package.DIALECT.name
        names = ", ".join(f"`{op.OPERATION_NAME.partition('.')[2]}`" for op in package.OPS)
        parts.append(f"## [`{name}`]({name}/README.md)\n\n{_about(package)}\n\nOperations: {names}.")
    return "\n\n".join(parts) + "\n"


def dialect_page(package: ModuleType) -> str:
    """The page of one dialect: its own `markdown()` when it has one, else made from its definitions."""
    if hasattr(package, "markdown"):
        return f"{_GENERATED}\n\n{package.markdown()}"
    common = package.OPS[0].DEFINITION.common_constraints
    head = [_GENERATED, f"# Dialect `{package.DIALECT.name}`", _about(package), _LEGEND + _constraints(common)]
    return "\n\n".join([*head, *map(operation_section, package.OPS)]) + "\n"


def operation_section(op: type[Op]) -> str:
    """What a reader must know about one operation."""
    definition: Definition = op.DEFINITION
    source = pathlib.Path(inspect.getfile(op)).name
    parts = [f"## `{op.OPERATION_NAME}`", inspect.getdoc(op) or ""]
    if definition.operands:
        parts.append(_table(("operand", "shape", "element type", ""), map(_tensor_row, definition.operands)))
    if definition.attributes:
        parts.append(_table(("attribute", "type", "default", "values", ""), map(_attribute_row, definition.attributes)))
    if definition.results:
        parts.append(_table(("result", "shape", "element type", ""), map(_tensor_row, definition.results)))
    if definition.own_constraints:
        parts.append(_constraints(definition.own_constraints))
    if not hasattr(op, "reference"):  # it computes nothing, so there is no torch operator either
        return "\n\n".join([*parts, f"Defined in [{source}]({source})."])
    schema = textwrap.fill(definition.torch_schema(), 116, subsequent_indent="    ", break_long_words=False)
    parts.append(f"As a torch operator:\n\n```\n{schema}\n```")
    parts.append(f"Defined, with its meaning on numpy arrays, in [{source}]({source}).")
    return "\n\n".join(parts)


def irdl_text() -> str:
    """All dialects as one module of IRDL: what stock MLIR needs to parse and check the structure of our IR."""
    context = registry.new_context()
    with context:
        bodies = [textwrap.dedent(_body(str(package.DIALECT._mlir_module))) for package in registry.DIALECTS]
    return "module {\n" + textwrap.indent("".join(bodies), "  ") + "}\n"


def _body(module: str) -> str:
    lines = module.strip().removeprefix("module {\n").removesuffix("}").splitlines()
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _about(package: ModuleType) -> str:
    return inspect.getdoc(package.DIALECT) or ""


def _constraints(constraints: Iterable) -> str:
    return "\n".join(f"- **{each.__name__}** {inspect.getdoc(each)}" for each in constraints)


def _tensor_row(field: TensorField) -> tuple[str, ...]:
    name = f"`{field.name}`" + (" (optional)" if field.optional else "")
    types = f"as `{field.dtypes}`" if isinstance(field.dtypes, str) else " ".join(field.dtypes) or "any"
    shape = "any" if field.layout == "..." else f"`[{', '.join(field.layout.split())}]`"
    return name, shape.replace("|", "\\|"), types, field.text


def _attribute_row(field: AttrField) -> tuple[str, ...]:
    default = "required" if field.required else f"`{json.dumps(field.default)}`"
    values = " ".join(f'`"{choice}"`' for choice in field.choices)
    if field.least is not None:
        values = f"at least {field.least}"
    return f"`{field.name}`", KINDS[field.type][1], default, values, field.text


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the answer is the exit code."""
    parser = argparse.ArgumentParser(prog="docgen", description="Write pages and IRDL from the definitions.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 when a page is stale")
    parser.add_argument("--irdl", type=pathlib.Path, metavar="FILE", help="write the dialects as IRDL to FILE only")
    options = parser.parse_args(arguments)
    wanted = {options.irdl: irdl_text()} if options.irdl else pages()
    stale = [path for path, text in wanted.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        print(f"{path}: " + ("not up to date: run python -m sparse_attn.tools.docgen" if options.check else "written"))
        if not options.check:
            path.write_text(wanted[path], encoding="utf-8")
    return int(options.check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
