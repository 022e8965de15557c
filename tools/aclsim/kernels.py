"""The project's own kernels as aclnn functions over their host implementations, generated from their specs."""

from collections.abc import Iterable
from typing import Any

from ...dialect.npu.aclnn import aclnn_arguments, ambiguous_functions
from ...dialect.npu.schema import Param
from ...dialect.npu.spec import Spec

HEAD = '#include "kernel.h"\n\nusing namespace aclsim;\n\nextern "C" {\n'
_ADDER = {"int": "integer", "bool": "integer", "float": "real", "str": "text"}


def callable_specs(specs: Iterable[Spec], has: Any) -> list[Spec]:
    """The specs that name an aclnn function of their own and whose kernel `has(name)` finds in the host library."""
    every = list(specs)
    shared = ambiguous_functions(every)
    named = [spec for spec in every if spec.aclnn is not None and spec.aclnn.function not in shared]
    return [spec for spec in named if has(spec.name)]


def cpp(specs: Iterable[Spec]) -> str:
    """The C++ source with both functions of every kernel."""
    return HEAD + "\n".join(_functions(spec) for spec in specs) + '\n}  // extern "C"\n'


def _functions(spec: Spec) -> str:
    assert spec.aclnn is not None
    name = spec.aclnn.function
    parameters = ", ".join(f"{argument.c_type} {argument.name}" for argument in aclnn_arguments(spec))
    lines = "\n  ".join([*_strides(spec), *_arguments(spec), *_results(spec)])
    kind = "aicpu" if [result.name for result in spec.results] == ["metadata"] else "aicore"
    return f"""
int32_t {name}GetWorkspaceSize({parameters}, uint64_t *workspace_, aclOpExecutor **executor_) {{
  Kernel kernel_("{name}", Kind::{kind});
  {lines}
  return kernel_.plan([](const Kernel &k, sa_error *error) {{ return {_call(spec)}; }}, workspace_, executor_);
}}
int32_t {name}(void *workspace, uint64_t bytes, aclOpExecutor *executor, aclrtStream stream) {{
  return launch_planned(workspace, bytes, executor, stream);
}}"""


def _strides(spec: Spec) -> list[str]:
    tensors = {a.source: a.name for a in aclnn_arguments(spec) if a.role == "argument"}
    return [
        f'kernel_.stride("{a.name}", {a.name}, {tensors[a.source]});'
        for a in aclnn_arguments(spec)
        if a.role == "stride0"
    ]


def _arguments(spec: Spec) -> list[str]:
    """One line for each schema argument, in the schema's order: that of the host kernel."""
    given = {a.source: a.name for a in aclnn_arguments(spec) if a.role == "argument"}
    return [_argument(spec, param, given.get(param.name)) for param in spec.schema.params]


def _argument(spec: Spec, param: Param, name: str | None) -> str:
    if param.is_tensor:
        return f"kernel_.tensor({name or 'nullptr'}, {'true' if param.mutated else 'false'});"
    value = name if name is not None else _literal(param)
    assert spec.aclnn is not None
    for text, number in spec.aclnn.enums.get(param.name, {}).items():
        value = f'{name} == {number} ? "{text}" : {value if "?" in str(value) else "nullptr"}'
    for told, meant in spec.host_means.get(param.name, {}).items():
        value = f"{value} == {told} ? {meant} : {value}"
    return f"kernel_.{_ADDER[param.kind]}({value});"


def _literal(param: Param) -> str:
    """What the host kernel is told for an argument the aclnn function has not: its default, or that it is absent."""
    value = param.default if param.has_default else None
    if value is None:
        return "nullptr" if param.kind == "str" else "SA_NONE"
    if isinstance(value, bool):
        return str(int(value))
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _results(spec: Spec) -> list[str]:
    names = {a.source: a.name for a in aclnn_arguments(spec) if a.role == "result"}
    return [f"kernel_.tensor({names[result.name]}, true);" for result in spec.results]


def _call(spec: Spec) -> str:
    counts = dict.fromkeys(("tensor", "integer", "real", "text"), 0)

    def at(kind: str, reader: str | None = None) -> str:
        counts[kind] += 1
        return f"k.{reader or kind}_at({counts[kind] - 1})"

    arguments = [at("tensor" if param.is_tensor else _ADDER[param.kind]) for param in spec.schema.params]
    arguments += [at("tensor", "result") for _ in spec.results]
    return f"sa_{spec.name}({', '.join(arguments)}, 1, error)"
