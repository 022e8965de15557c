"""Putting a decided kernel call into the graph in place of the op it implements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torch_mlir import ir

from ...dialect.npu.build import build_op, describe
from ..analysis import ints
from ..analysis.graph import Graph
from ..analysis.ints import Int
from ..build import Builder, mixed_radix
from ..kernels.contract import Decision, Draft, Taken, size_of
from ..normalize.term import Elem
from ..replace import ORIGIN, SITE
from .metadata import plan

KERNEL = "sparse_attn.kernel"


def place_all(graph: Graph, decisions: Sequence[Decision]) -> None:
    """Build every call before the op it implements and give it the op's users, in program order.

    A call may read an op that a call before it has replaced, so the users move when all calls are there.
    """
    for old, new in [pair for decision in decisions for pair in _place(graph, decision)]:
        old.replace_all_uses_with(new)


def _place(graph: Graph, decision: Decision) -> list[tuple[ir.Value, ir.Value]]:
    """What takes the place of which result; a kernel that is the op itself is noted on it."""
    operation = decision.use.value.operation
    draft = decision.draft
    if draft is None:
        operation.attributes[KERNEL] = ir.StringAttr.get(decision.contract.kernel, operation.context)
        return []
    build = Builder(graph, decision.use.value)
    made = decision.made = call(build, draft, decision.use.target)
    for name in (SITE, ORIGIN):
        if name in operation.attributes:
            made.attributes[name] = operation.attributes[name]
    made.attributes[KERNEL] = ir.StringAttr.get(decision.contract.kernel, operation.context)
    results = {number: operation.results[number] for number in draft.results}
    return [(old, read_off(build, made, draft.results[number], old.type)) for number, old in results.items()]


def call(build: Builder, draft: Draft, target: str) -> ir.Operation:
    """The kernel op and, in front of it, its operands and its plan."""
    values: dict[int, Any] = {}  # a piece used twice is one tensor
    for piece in draft.tensors.values():
        if id(piece) not in values:
            values[id(piece)] = piece.make(build)
    operands = {name: values[id(piece)] for name, piece in draft.tensors.items()}
    if draft.spec.metadata_op is not None:
        facts = describe(draft.spec, target, operands, draft.scalars)
        operands["metadata"] = plan(draft.spec, facts, operands, build.location, build.point)
    return build_op(draft.spec, target, operands, draft.scalars, loc=build.location, ip=build.point).operation


def extent(index: Int) -> Int:
    """How many values an index over whole axes takes."""
    number = mixed_radix(index)
    return ints.product(number.args[1::2]) if number is not None else size_of(index)


def read_off(build: Builder, made: ir.Operation, taken: Taken, kind: ir.Type) -> Any:
    """A result of ours, of type `kind`, out of one of the kernel's."""
    result = made.results[taken.result]
    if result.type == kind:
        return result
    shape = ir.RankedTensorType(result.type)
    element = str(shape.element_type)
    dims = [extent(i) if shape.is_dynamic_dim(n) else ints.of(shape.shape[n]) for n, i in enumerate(taken.at)]
    whole = build.from_builtin(result, dims, "s" + element if element in ("i32", "i64") else element)
    made = build.operand(Elem(whole, taken.at), taken.order)
    wanted = ir.RankedTensorType(kind)
    sizes = ",".join("?" if wanted.is_dynamic_dim(n) else str(wanted.shape[n]) for n in range(wanted.rank))
    typed = ir.Type.parse(f"!torch.vtensor<[{sizes}],{made.dtype}>", context=kind.context)
    return build.to_builtin(build.typed(made, typed), kind)  # users know a size that the call fixes as a dynamic one
