"""The table of aclnn operators as C++: `opapi/operators.txt` becomes two exported functions a line."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

C_TYPES = {
    "T": "const aclTensor *",
    "S": "const aclScalar *",
    "A": "const aclIntArray *",
    "L": "const aclTensorList *",
    "i": "int64_t ",
    "z": "int64_t ",
    "b": "bool ",
    "d": "double ",
    "f": "float ",
    "y": "aclDataType ",
    "s": "const char *",
    "c": "int8_t ",
    "O": "const aclTensor *",
    "R": "const aclTensor *",
}
_LINE = re.compile(r"(\w+)\((.*?)\) = (aten::[\w.]+)\((.*)\)")


@dataclass(frozen=True)
class Operator:
    """One line of the table. arguments: (type letter, name); given: (keyword or "", argument) of the ATen call."""

    name: str
    arguments: tuple[tuple[str, str], ...]
    aten: str
    given: tuple[tuple[str, str], ...]

    @property
    def outputs(self) -> list[str]:
        return [name for letter, name in self.arguments if letter in "OR"]


def parse(text: str) -> list[Operator]:
    """The operators of a table; raises ValueError with the line that has another form or names an unknown argument."""
    found: dict[str, Operator] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        operator = _parsed(number, line)
        if operator.name in found:
            raise ValueError(f"line {number}: aclnn{operator.name} stands twice in the table: remove one")
        found[operator.name] = operator
    return list(found.values())


def _parsed(number: int, line: str) -> Operator:
    match = _LINE.fullmatch(line.strip())
    if not match:
        raise ValueError(
            f"line {number}: {line!r} is not of the form Function(type name, ...) = aten::name(argument, ...)"
        )
    arguments = tuple(_typed(number, part) for part in match[2].split(", "))
    given = tuple(_keyword(part) for part in match[4].split(", ") if part)
    names = {name for letter, name in arguments if letter != "O"}
    unknown = [name for _, name in given if name not in names]
    if unknown:
        raise ValueError(f"line {number}: {', '.join(unknown)} is no input argument of aclnn{match[1]}")
    return Operator(match[1], arguments, match[3], given)


def _typed(number: int, part: str) -> tuple[str, str]:
    letter, _, name = part.partition(" ")
    if letter not in C_TYPES or not name.isidentifier():
        raise ValueError(f"line {number}: {part!r} is not a type letter ({' '.join(C_TYPES)}) and a name")
    return letter, name


def _keyword(part: str) -> tuple[str, str]:
    keyword, found, name = part.partition("=")
    return (keyword, name) if found else ("", keyword)


def cpp(operators: Iterable[Operator]) -> str:
    """The C++ source with both functions of every operator."""
    functions = "\n".join(_functions(operator) for operator in operators)
    return f'#include "aten.h"\n\nusing namespace aclsim;\n\nextern "C" {{\n{functions}\n}}  // extern "C"\n'


def _functions(operator: Operator) -> str:
    name = f"aclnn{operator.name}"
    used = {argument for _, argument in operator.given} | set(operator.outputs)
    used |= {argument for letter, argument in operator.arguments if letter == "z"}
    spelled = ((C_TYPES[letter], f"{name}_" if name in used else f"/*{name}*/") for letter, name in operator.arguments)
    parameters = ", ".join(c_type + argument for c_type, argument in spelled)
    refused = 'return refuse(Rule::unsupported, "{0} with {1} " + std::to_string({1}_));'
    zeros = "".join(
        f"\n  if ({argument}_)\n    {refused.format(name, argument)}"
        for letter, argument in operator.arguments
        if letter == "z"
    )
    given = ", ".join(f'{{"{keyword}", value({argument}_)}}' for keyword, argument in operator.given)
    outputs = ", ".join(f"{argument}_" for argument in operator.outputs)
    return f"""
int32_t {name}GetWorkspaceSize({parameters}, uint64_t *workspace, aclOpExecutor **executor) {{{zeros}
  return plan_aten("{name}", "{operator.aten}", {{{given}}}, {{{outputs}}}, workspace, executor);
}}
int32_t {name}(void *workspace, uint64_t bytes, aclOpExecutor *executor, aclrtStream stream) {{
  return launch_planned(workspace, bytes, executor, stream);
}}"""
