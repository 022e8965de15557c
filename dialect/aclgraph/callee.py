"""The function an operation refers to, as its constraints see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from torch_mlir import ir

from ..attributes import get
from ..call import Call
from ..op import Op
from ..tensors import TensorInfo

LIFE = "aclgraph.life"
LIVES = ("init_once", "rewritten")


@dataclass(frozen=True)
class Callee:
    """The types of a function's arguments, what becomes of each (None where it does not say), the ops in its body."""

    arguments: tuple[TensorInfo | None, ...]
    lives: tuple[str | None, ...]
    operations: tuple[str, ...]
    captured: bool  # by an operation in front of the one that asks


class OnFunction(Op):
    """An operation whose attribute `callee` names a function of its module."""

    def call(self) -> Call:
        """With `found`: the Callee, None when the module has no function of that name.

        Without it while bytecode is read: functions are there before their names are, and the check waits for the
        next verification.
        """
        made = super().call()
        module = _module(self.operation)
        functions = [f.operation for f in module.regions[0].blocks[0].operations if f.operation.name == "func.func"]
        if module.name == "builtin.module" and all("sym_name" in f.attributes for f in functions):
            made.__dict__["found"] = _find(self.operation, functions, str(made.attributes.get("callee")))
        return made


def found(call: Call) -> Callee | None:
    """The function of a checked use; None for a use that is only being built, whose module is not known."""
    return call.__dict__.get("found")


def missing(call: Call) -> bool:
    """The use is in a module, and that has no such function."""
    return "found" in call.__dict__ and call.__dict__["found"] is None


def _find(user: Any, functions: list[Any], name: str) -> Callee | None:
    captured = False
    function = next((f for f in functions if f.attributes["sym_name"].value == name), None)
    for view in user.block.operations:
        if view.operation == user:
            break
        if view.operation.name == "aclgraph.capture" and _names(view.operation) == name:
            captured = True
    return None if function is None else _describe(function, captured)


def _module(operation: Any) -> Any:
    """The nearest module: while text is read, that module lies in another."""
    while operation.parent is not None and operation.name != "builtin.module":
        operation = operation.parent.operation
    return operation


def _names(operation: Any) -> str | None:
    callee = get(operation.attributes, "callee")
    return callee.value if isinstance(callee, (ir.FlatSymbolRefAttr, ir.StringAttr)) else None


def _describe(function: Any, captured: bool) -> Callee:
    kinds = ir.TypeAttr(function.attributes["function_type"]).value.inputs
    notes = function.attributes["arg_attrs"] if "arg_attrs" in function.attributes else [{}] * len(kinds)
    lives = tuple(note[LIFE].value if LIFE in note else None for note in notes)
    inside = [view.operation.name for block in function.regions[0].blocks for view in block.operations]
    return Callee(tuple(TensorInfo.of(kind) for kind in kinds), lives, tuple(inside), captured)
