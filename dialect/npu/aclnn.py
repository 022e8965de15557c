"""The two-phase aclnn call of an operator: which C function, and where each of its arguments comes from.

`arguments` is the published argument list between the first argument and the workspace size, in its own spelling. A
name that is the camel case of a schema argument needs no entry; `rename` says the others. `strides` are arguments
that hold the axis-0 stride of a tensor, `outputs` name results.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .spec import Spec

C_TYPES = {"Tensor": "const aclTensor *", "int": "int64_t", "float": "double", "bool": "bool", "str": "char *"}


@dataclass(frozen=True)
class AclnnArgument:
    """One argument of the GetWorkspaceSize function: its C type and what fills it."""

    name: str
    c_type: str
    role: str
    """argument, stride0 or result."""
    source: str
    """The schema argument (for a stride: the tensor) or the result it stands for."""


@dataclass(frozen=True)
class Aclnn:
    function: str
    arguments: str
    rename: Mapping[str, str] = field(default_factory=dict)
    strides: Mapping[str, str] = field(default_factory=dict)
    outputs: Mapping[str, str] = field(default_factory=dict)
    enums: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """String attributes the C function takes as a number."""
    dropped: tuple[str, ...] = ()
    """Schema arguments the C function does not take."""

    @property
    def get_workspace_size(self) -> str:
        return f"{self.function}GetWorkspaceSize"


def camel(name: str) -> str:
    """snake_case as the aclnn headers spell it."""
    head, *tail = name.split("_")
    return head + "".join(part.capitalize() for part in tail)


def ambiguous_functions(specs: Iterable["Spec"]) -> set[str]:
    """Functions that two packages publish under one name with different arguments.

    A library does not tell which of the two it holds, so they cannot be called by name alone.
    """
    listed: dict[str, set[tuple[str, ...]]] = {}
    for spec in specs:
        if spec.aclnn is not None:
            types = tuple(argument.c_type for argument in aclnn_arguments(spec))
            listed.setdefault(spec.aclnn.function, set()).add(types)
    return {function for function, forms in listed.items() if len(forms) > 1}


def aclnn_arguments(spec: "Spec") -> list[AclnnArgument]:
    """The argument list of the first phase, each with its source; raises ValueError for one without."""
    assert spec.aclnn is not None, f"{spec.name} has no aclnn function"
    by_camel = {camel(param.name) + ("Ref" if param.mutated else ""): param for param in spec.schema.params}
    found = []
    for name in spec.aclnn.arguments.split():
        if name in spec.aclnn.strides:
            found.append(AclnnArgument(name, "int64_t", "stride0", spec.aclnn.strides[name]))
        elif name in spec.aclnn.outputs:
            found.append(AclnnArgument(name, "const aclTensor *", "result", spec.aclnn.outputs[name]))
        else:
            param = spec.schema.by_name.get(spec.aclnn.rename.get(name, "")) or by_camel.get(name)
            if param is None:
                raise ValueError(
                    f"{spec.aclnn.function}: nothing fills argument {name}; add it to rename, strides or outputs"
                )
            c_type = (
                "aclTensor *" if param.mutated else C_TYPES["int" if param.name in spec.aclnn.enums else param.kind]
            )
            found.append(AclnnArgument(name, c_type, "argument", param.name))
    return found
