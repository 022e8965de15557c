"""Quantisation, off unless asked for: which fused ops take quantised operands, and in which format.

The pass decides and marks; the contracts of the kernels that read quantised tensors lay the operands out. An op that
such a kernel refuses after all (its mask, its sizes) thereby keeps its own operands for the other kernels.
"""

from __future__ import annotations

from typing import Any

from torch_mlir import ir

from ..analysis.graph import Value, snapshot
from ..analysis.liveness import live
from ..fuse.operands import operands
from ..lift import functions
from ..passes import PassFailed, register_pass, remark
from ..report import current
from .formats import FORMATS, READERS
from .mark import KINDS, MARK

ROWS = {"indexer": ("query", "key"), "attention": ("query", "ori_kv", "cmp_kv")}


@register_pass(
    "sparse-attn-quantize",
    "mark the fused ops whose operands are to be quantised; changes nothing unless asked to",
    options={"target": "host", "quantize": ""},
)
def run(module: ir.Module, options: dict[str, Any]) -> None:
    """`quantize` is `indexer=<format>,attention=<format>`, either part may be missing."""
    wanted = parsed(str(options["quantize"]))
    for function in functions(module) if wanted else ():
        graph = snapshot(function)
        alive = live(graph)
        for value in graph.values:
            kind = KINDS.get(value.op, "")
            if kind in wanted and value.result == 0 and value.order in alive:
                _mark(value, kind, wanted[kind], options["target"])


def parsed(text: str) -> dict[str, str]:
    """Kind of op -> format; PassFailed names what is allowed."""
    wanted: dict[str, str] = {}
    for part in filter(None, text.split(",")):
        kind, _, name = part.partition("=")
        if kind not in READERS:
            raise PassFailed(f"quantize names `{kind}`; what can be quantised is {', '.join(READERS)}")
        if name not in READERS[kind]:
            raise PassFailed(f"quantize asks for {kind}={name}; the formats are {', '.join(READERS[kind])}")
        wanted[kind] = name
    return wanted


def _mark(value: Value, kind: str, name: str, target: str) -> None:
    reason = refusal(value, kind, name, target)
    if reason is None:
        value.operation.attributes[MARK] = ir.StringAttr.get(name, value.operation.context)
        return
    current().open(kind, value.operation).notes.append(f"not quantised to {name}: {reason}")
    remark(value.operation.location, f"{kind} not quantised to {name}: {reason}")


def refusal(value: Value, kind: str, name: str, target: str) -> str | None:
    """Why no kernel of the target reads the op's operands in this format, None if one may."""
    reader = READERS[kind][name]
    if target not in reader.chips:
        others = [f for f, r in READERS[kind].items() if target in r.chips]
        instead = f"there it can be {', '.join(others)}" if others else f"compile for {', '.join(reader.chips)}"
        return f"{target} has no {kind} kernel that reads {name}; {instead}"
    for operand in (operands(value)[row] for row in ROWS[kind]):
        if operand is None:
            continue
        assert operand.dims is not None
        width = operand.dims[-1]
        if not width.is_const or width.const != reader.width:
            return f"its rows have {width} elements; the kernel takes {reader.width}"
        problem = FORMATS[name].problem(width.const)
        if problem is not None:
            return problem
    query = operands(value)["query"]
    if kind == "attention" and query is not None and query.dtype != "bf16":
        return f"its output is {query.dtype} and the kernel's bf16: run the model in bf16"
    return None
