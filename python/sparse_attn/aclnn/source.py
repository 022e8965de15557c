"""The C++ source of the caller: one torch operator `sparse_attn_aclnn::<spec>` for each spec with an aclnn function.

Its arguments are those of the spec's schema, then the results (written), then an aclDataType for each tensor.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..dialect.npu.aclnn import AclnnArgument, aclnn_arguments, ambiguous_functions
from ..dialect.npu.schema import Param
from ..dialect.npu.spec import Spec

NAMESPACE = "sparse_attn_aclnn"
_CPP = {
    "Tensor": "const OptionalTensor &",
    "int": "int64_t ",
    "float": "double ",
    "bool": "bool ",
    "str": "c10::string_view ",
}


def callable_specs(specs: Iterable[Spec]) -> list[Spec]:
    """The specs whose aclnn function is published, and under a name that means one list of arguments."""
    every = list(specs)
    shared = ambiguous_functions(every)
    return [spec for spec in every if spec.aclnn is not None and spec.aclnn.function not in shared]


def cpp(specs: Iterable[Spec]) -> str:
    """The whole source."""
    chosen = callable_specs(specs)
    functions = "\n\n".join(_function(spec) for spec in chosen)
    definitions = "\n".join(f'  m.def("{schema_of(spec)}");' for spec in chosen)
    kernels = "\n".join(f'  m.impl("{spec.name}", TORCH_FN(run_{spec.name}));' for spec in chosen)
    return f"""#include "caller.hpp"

namespace sparse_attn_aclnn {{

{functions}

TORCH_LIBRARY({NAMESPACE}, m) {{
{definitions}
}}

TORCH_LIBRARY_IMPL({NAMESPACE}, PrivateUse1, m) {{
{kernels}
}}

}}  // namespace sparse_attn_aclnn
"""


def passed(spec: Spec) -> list[Param]:
    """The schema arguments the aclnn function takes, in the schema's order."""
    assert spec.aclnn is not None
    return [param for param in spec.schema.params if param.name not in spec.aclnn.dropped]


def kind_of(spec: Spec, param: Param) -> str:
    """The kind an argument has on its way to C: words that C takes as numbers are numbers."""
    assert spec.aclnn is not None
    return "int" if param.name in spec.aclnn.enums else param.kind


def schema_of(spec: Spec) -> str:
    """The torch schema of the caller's operator."""
    parts = []
    for number, param in enumerate(passed(spec)):
        kind = kind_of(spec, param)
        if param.is_tensor:
            kind = f"Tensor(a{number}!)?" if param.mutated else "Tensor?"
        parts.append(f"{kind} {param.name}")
    parts += [f"Tensor(r{number}!)? result_{number}" for number in range(len(spec.results))]
    return f"{spec.name}({', '.join([*parts, 'int[] types'])}) -> ()"


def _function(spec: Spec) -> str:
    assert spec.aclnn is not None
    parameters = [f"{_CPP[kind_of(spec, param)]}{param.name}" for param in passed(spec)]
    parameters += [f"const OptionalTensor &result_{number}" for number in range(len(spec.results))]
    arguments = aclnn_arguments(spec)
    positions = {param.name: number for number, param in enumerate(p for p in passed(spec) if p.is_tensor)}
    types = ", ".join(argument.c_type for argument in arguments)
    values = ",\n      ".join(_value(spec, argument, positions) for argument in arguments)
    return f"""void run_{spec.name}({", ".join([*parameters, "at::IntArrayRef types"])}) {{
  Caller caller("{spec.aclnn.function}", types);
  caller.run<{types}>(
      {values});
}}"""


def _value(spec: Spec, argument: AclnnArgument, positions: dict[str, int]) -> str:
    if argument.role == "stride0":
        return f"caller.stride({argument.source})"
    if argument.role == "result":
        number = [result.name for result in spec.results].index(argument.source)
        return f"caller.tensor(result_{number}, {len(positions) + number})"
    if argument.source in positions:
        return f"caller.tensor({argument.source}, {positions[argument.source]})"
    kind = kind_of(spec, spec.schema[argument.source])
    return f"caller.text({argument.source})" if kind == "str" else argument.source
