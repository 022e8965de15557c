"""Putting a lifted result in the place of a torch value, and taking it back.

The replaced torch op stays in the function. The lifted op carries `sparse_attn.origin`, the node it stands for; every
value put in place of an old one carries the same origin and `sparse_attn.replaces = "node#result"`, so that any pass
can find what to restore.
"""

from __future__ import annotations

from collections.abc import Sequence

from torch_mlir import ir

from .analysis import ints
from .analysis.graph import FACT, Graph, Value, snapshot
from .analysis.ints import Int, Var
from .build import Builder
from .normalize.term import Elem

ORIGIN, REPLACES, NODE, SITE = FACT + "origin", FACT + "replaces", FACT + "node", FACT + "site"
DIMS = FACT + "dims"


def replace(build: Builder, made: ir.Operation, result: int, old: Elem, axes: Sequence[Int], anchor: Value) -> None:
    """Let result `result` of `made`, a tensor over `axes`, take the place of `old.value`, whose element is `old`.

    `old.idx` must be `axes` with axes of size one dropped or inserted, or a permutation of them. `anchor` is the value
    whose op the site is reported under.
    """
    node = _named(old.value)
    context = made.context
    made.attributes[SITE] = ir.StringAttr.get(_named(anchor), context=context)
    made.attributes[ORIGIN] = ir.StringAttr.get(node, context=context)
    _note_dims(made, result, ", ".join(str(size(a)) for a in axes))
    tensor = build.from_builtin(made.results[result], [size(a) for a in axes], _torch_dtype(made.results[result]))
    tensor = arranged(build, tensor, list(axes), old.idx)
    tensor = build.typed(build.cast(tensor, old.value.dtype), old.value.mlir.type)
    carrier = tensor.mlir.owner if isinstance(tensor.mlir.owner, ir.Operation) else tensor.mlir.owner.operation
    carrier.attributes[ORIGIN] = ir.StringAttr.get(node, context=context)
    carrier.attributes[REPLACES] = ir.StringAttr.get(f"{node}#{old.value.result}", context=context)
    old.value.mlir.replace_all_uses_with(tensor.mlir)


def arranged(build: Builder, tensor: Value, axes: list[Int], wanted: Sequence[Int]) -> Value:
    """`tensor` over `axes` with its dimensions as `wanted`: unit axes dropped or inserted, the rest permuted."""
    if axes == list(wanted):
        return tensor
    for dim in reversed(range(len(axes))):
        if axes[dim].is_const:
            tensor = build.select(tensor, dim, ints.of(0))
            del axes[dim]
    tensor = build.permute(tensor, [axes.index(i) for i in wanted if not i.is_const])
    for dim, index in enumerate(wanted):
        if index.is_const:
            tensor = build.unsqueeze(tensor, dim)
    return tensor


def size(axis: Int) -> Int:
    return axis.atom.size if isinstance(axis.atom, Var) else ints.of(1)


def restore(function: ir.Operation, origin: str) -> None:
    """Undo every replacement made for `origin`."""
    block = function.regions[0].blocks[0]
    operations = [view.operation for view in block.operations]
    nodes = {op.attributes[NODE].value: op for op in operations if NODE in op.attributes}
    for op in operations:
        if ORIGIN in op.attributes and REPLACES in op.attributes and op.attributes[ORIGIN].value == origin:
            node, _, index = op.attributes[REPLACES].value.rpartition("#")
            op.results[0].replace_all_uses_with(nodes[node].results[int(index)])


def hand_over(function: ir.Operation, lifted: Value, origin: str, readers: Sequence[ir.OpOperand]) -> None:
    """Let `readers`, uses of a lifted result by other lifted ops, read the torch value it stands in for instead.

    Both hold the same elements in the same order; only axes of size one differ.
    """
    graph = snapshot(function)
    old = _stood_in_for(graph, lifted, origin)
    assert old.dims is not None and lifted.dims is not None
    build = Builder(graph, old, after=True)
    long = iter(ints.of(Var(f"axis{n}", d)) for n, d in enumerate(old.dims) if d != ints.of(1))
    axes = [ints.of(0) if d == ints.of(1) else next(long) for d in old.dims]
    left = [axis for axis in axes if not axis.is_const]
    wanted = [ints.of(0) if d == ints.of(1) else left.pop(0) for d in lifted.dims]
    tensor = arranged(build, build.cast(old, _torch_dtype(lifted.mlir)), axes, wanted)
    made = build.to_builtin(tensor)
    for use in readers:
        use.owner.operands[use.operand_number] = made


def _stood_in_for(graph: Graph, lifted: Value, origin: str) -> Value:
    for value in graph.values:
        attributes = value.operation.attributes if value.op else {}
        if REPLACES in attributes and ORIGIN in attributes and attributes[ORIGIN].value == origin:
            source = value
            while source.op != "torch_c.from_builtin_tensor":
                source = source.operands[0]
            if source.operands[0].mlir == lifted.mlir:
                node, _, index = attributes[REPLACES].value.rpartition("#")
                return next(
                    v for v in graph.values
                    if v.op and v.result == int(index) and NODE in v.operation.attributes
                    and v.operation.attributes[NODE].value == node
                )  # fmt: skip
    raise AssertionError(f"no value was replaced by {lifted.op}")


def _note_dims(made: ir.Operation, result: int, dims: str) -> None:
    """Sizes of one result as a fact, next to those of the others."""
    known = [x.value for x in made.attributes[DIMS]] if DIMS in made.attributes else [""] * len(made.results)
    known[result] = dims
    strings = [ir.StringAttr.get(text, context=made.context) for text in known]
    made.attributes[DIMS] = ir.ArrayAttr.get(strings, context=made.context)


def keep_facts(old: ir.Operation, new: ir.Operation) -> None:
    """Carry origin, site and sizes of a lifted op over to the op that replaces it."""
    for name in (ORIGIN, SITE, DIMS):
        if name in old.attributes:
            new.attributes[name] = old.attributes[name]
    for before, after in zip(old.results, new.results, strict=True):
        before.replace_all_uses_with(after)


def keep_facts_of(old: ir.Operation, new: ir.Operation, dims: Sequence[Int]) -> None:
    """Carry origin, site and sizes over to an op whose first result has the sizes `dims`; users stay where they are."""
    for name in (ORIGIN, SITE):
        if name in old.attributes:
            new.attributes[name] = old.attributes[name]
    if DIMS in old.attributes:
        texts = [", ".join(map(str, dims)), *(text.value for text in list(old.attributes[DIMS])[1:])]
        strings = [ir.StringAttr.get(text, context=new.context) for text in texts]
        new.attributes[DIMS] = ir.ArrayAttr.get(strings, context=new.context)


def _named(value: Value) -> str:
    """The node name of a value's op, given one when the IR came without."""
    attributes = value.operation.attributes
    if NODE not in attributes:
        attributes[NODE] = ir.StringAttr.get(f"op{value.order}", context=value.operation.context)
    return attributes[NODE].value


def _torch_dtype(value: ir.Value) -> str:
    """The torch-dialect element type of a builtin tensor: integers are signed, truth values are i1."""
    element = str(ir.RankedTensorType(value.type).element_type)
    return "s" + element if element in ("i8", "i16", "i32", "i64") else element
