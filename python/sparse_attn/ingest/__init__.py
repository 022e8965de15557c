"""From an AOTAutograd inference graph to a torch-dialect module that carries torch's facts."""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Callable
from typing import Any

from torch.fx import GraphModule
from torch_mlir import ir
from torch_mlir.extras import fx_importer

from ..dialect import registry
from ..errors import ImportRefused
from . import facts
from .cleanup import Clean, clean

imports = 0  # how many graphs were imported in this process; a graph without an anchor must not count


@dataclasses.dataclass
class Imported:
    """The module, its context (kept alive with it) and the clean copy it was imported from."""

    module: ir.Module
    clean: Clean


class _Importer(fx_importer.GraphNodeImporter):
    """Remembers which MLIR value every FX node became."""

    def annotate(self) -> None:
        """Write each node's facts onto the operation that it became."""
        found: dict[ir.Operation, dict[int, tuple[str, Any]]] = {}
        producers: dict[ir.Operation, str] = {}
        for (node, index), value in list(self._v.items()):
            if node.op == "placeholder" or not isinstance(value, ir.Value) or isinstance(value, ir.BlockArgument):
                continue
            result = ir.OpResult(value)
            fact = node.meta.get("val")
            many = isinstance(fact, (list, tuple))
            results = found.setdefault(result.owner, {})
            if many:  # a getitem that selects this result shares its value: its name wins
                results.setdefault(result.result_number, ("", fact[index]))
            else:
                results[result.result_number] = (node.name, fact)
            if node.target is not operator.getitem:
                producers[result.owner] = node.name
        for op, results in found.items():
            pairs = [results.get(i, ("", None)) for i in range(len(op.results))]
            facts.annotate(op, producers.get(op, ""), [n for n, _ in pairs], [v for _, v in pairs])


def _remembering(made: list[_Importer]) -> Callable[..., _Importer]:
    """A constructor that keeps what it makes, so that its node table can be read after the import."""

    def construct(*args: Any, **kwargs: Any) -> _Importer:
        made.append(_Importer(*args, **kwargs))
        return made[-1]

    return construct


def ingest(module: GraphModule, static_inputs: frozenset[int] = frozenset()) -> Imported:
    """Import `module`; raises ImportRefused with the importer's reason, leaving `module` untouched.

    `static_inputs` are the placeholder indices whose address never changes (parameters, buffers, caches).
    The caller holds the compiler lock: creating contexts is not thread-safe.
    """
    global imports
    cleaned = clean(module)
    context = ir.Context()
    registry.load(context)
    made: list[_Importer] = []
    importer = fx_importer.FxImporter(context=context, graph_node_importer_cls=_remembering(made))
    imports += 1
    try:
        importer.import_graph_module(cleaned.module)
    except Exception as error:  # the importer raises assertions, KeyErrors and NotImplementedErrors alike
        raise ImportRefused(str(error).splitlines()[0] if str(error) else type(error).__name__) from error
    with context, ir.Location.unknown():
        made[-1].annotate()
        _function_facts(importer.module, cleaned, static_inputs)
    return Imported(importer.module, cleaned)


def _function_facts(module: ir.Module, cleaned: Clean, static_inputs: frozenset[int]) -> None:
    function = next(op.operation for op in module.body.operations if op.operation.name == "func.func")
    holders = [n for n in cleaned.module.graph.nodes if n.op == "placeholder"]
    mutated = {name for name, _ in cleaned.writes}
    attributes = [facts.argument(n, i in static_inputs, n.name in mutated) for i, n in enumerate(holders)]
    function.attributes["arg_attrs"] = ir.ArrayAttr.get(attributes)
    function.attributes[facts.PREFIX + "symbols"] = facts.strings(facts.symbols(cleaned.module))
    function.attributes[facts.PREFIX + "writes"] = facts.strings(f"{n}={i}" for n, i in cleaned.writes)
