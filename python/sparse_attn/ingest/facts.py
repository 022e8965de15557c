"""What torch knows about each value, as text attributes that travel with the IR.

`sparse_attn.node` / `sparse_attn.results` name FX nodes, `sparse_attn.dims` gives symbolic sizes,
`sparse_attn.strides`, `sparse_attn.device`, `sparse_attn.kind` (parameter, input, mutated) and `sparse_attn.sym` the
rest; the function carries `sparse_attn.symbols` with proven least values and `sparse_attn.writes`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch.fx import GraphModule, Node
from torch_mlir import ir

PREFIX = "sparse_attn."


def strings(values: Iterable[Any]) -> ir.Attribute:
    return ir.ArrayAttr.get([ir.StringAttr.get(str(v)) for v in values])


def of_value(value: Any) -> dict[str, str]:
    """Facts of one FX value: dims, strides and device of a tensor, the expression of a symbolic integer."""
    if isinstance(value, torch.Tensor):
        facts = {"dims": ", ".join(map(str, value.shape)), "device": str(value.device)}
        if value.layout is torch.strided:
            facts["strides"] = ", ".join(map(str, value.stride()))
        return facts
    if isinstance(value, torch.SymInt):
        return {"sym": str(value.node.expr)}
    return {}


def annotate(operation: ir.Operation, producer: str, names: list[str], values: list[Any]) -> None:
    """Put the facts of all results of `operation` on it; `names` is "" for a result no node selects."""
    facts = [of_value(v) for v in values]
    operation.attributes[PREFIX + "node"] = ir.StringAttr.get(producer)
    operation.attributes[PREFIX + "results"] = strings(names)
    for key in ("dims", "strides", "device", "sym"):
        if any(key in f for f in facts):
            operation.attributes[PREFIX + key] = strings(f.get(key, "") for f in facts)


def argument(node: Node, static: bool, mutated: bool) -> ir.Attribute:
    """The argument attributes of one placeholder."""
    facts = of_value(node.meta.get("val"))
    facts["node"] = node.name
    facts["kind"] = "mutated" if mutated else "parameter" if static else "input"
    return ir.DictAttr.get({PREFIX + k: ir.StringAttr.get(v) for k, v in facts.items()})


def symbols(module: GraphModule) -> list[str]:
    """`name>=low` for every size symbol of the graph, from torch's own value ranges (which torch guards)."""
    found: dict[str, str] = {}
    for node in module.graph.nodes:
        value = node.meta.get("val")
        integers = value.shape if isinstance(value, torch.Tensor) else [value]
        for integer in integers:
            if isinstance(integer, torch.SymInt):
                env = integer.node.shape_env
                for symbol in integer.node.expr.free_symbols:
                    found.setdefault(str(symbol), _lower(env, symbol))
    return [f"{name}>={low}" if low else name for name, low in sorted(found.items())]


def _lower(env: Any, symbol: Any) -> str:
    low = env.var_to_range[symbol].lower if symbol in env.var_to_range else None
    return str(int(low)) if low is not None and getattr(low, "is_Integer", isinstance(low, int)) else ""
