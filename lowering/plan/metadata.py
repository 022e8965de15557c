"""The plan of a kernel call: one pure `npu.*_metadata` op from the call's own sizes, lengths and attributes.

A plan is made in front of each call that needs one; calls that agree in everything a plan depends on ask for the same
plan, which `sparse-attn-plan` then makes once, where it is needed first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from torch_mlir import ir

from ...dialect.npu import SPECS
from ...dialect.npu.build import build_op
from ...dialect.npu.call import Call, known
from ...dialect.npu.spec import Spec

RESERVED = ("ori_topk_length", "cmp_topk_length")  # arguments of plans that the documents call reserved


def plan(spec: Spec, call: Call, operands: Mapping[str, ir.Value], loc: ir.Location, ip: ir.InsertionPoint) -> ir.Value:
    """Build the plan of a call of `spec` with these facts and operands, both by the spec's names."""
    spec.check(call)  # binds the sizes that have names
    meta, planned = plan_call(spec, call)
    lengths = {name: operands[name] for name in planned.tensors}
    return build_op(meta, call.target, lengths, scalars_of(meta, call), loc=loc, ip=ip).operation.results[0]


def plan_call(spec: Spec, call: Call) -> tuple[Spec, Call]:
    """The plan operator of a call whose shape symbols are bound, and what it will be told."""
    assert spec.metadata_op is not None, f"{spec.name} takes no plan"
    meta = SPECS[spec.metadata_op]
    tensors = {p.name: call.tensors[p.name] for p in meta.schema.tensors if p.name in call.tensors}
    lengths = {name: fact for name, fact in tensors.items() if name not in RESERVED}
    return meta, Call(call.target, lengths, meta.scalars(scalars_of(meta, call)))


def scalars_of(meta: Spec, call: Call) -> dict[str, Any]:
    """The attributes of a plan: those it shares with the call, and the sizes of the call's tensors."""
    sizes = {param.name: SIZES[param.name](call) for param in meta.schema.scalars if param.name in SIZES}
    shared = {p.name: call.scalars[p.name] for p in meta.schema.scalars if p.name in call.scalars}
    found = shared | sizes
    return {name: value for name, value in found.items() if value is not None}


def _query(call: Call) -> tuple[Any, ...]:
    """[B, S, N, D], or packed [T, N, D], of the call's first tensor: the query of every kernel that takes a plan."""
    return next(iter(call.tensors.values())).shape


def _batched(axis: int) -> Callable[[Call], Any]:
    """A size of a query that is not packed, None where it is packed or known only at run time."""
    return lambda call: _query(call)[axis] if len(_query(call)) == 4 else None


def _longest(*names: str, table: str) -> Callable[[Call], int | None]:
    """The most keys a batch can have: rows of a dense key, or blocks of its table times their rows.

    None where that is no number: packed keys, sizes known at run time. Lengths then come as tensors.
    """

    def size(call: Call) -> int | None:
        keys = next((name for name in names if call.has(name)), None)
        if keys is None:
            return 0
        rows, *rest = call.shape(keys)[1:]
        blocks = call.shape(table)[1] if call.has(table) else 1
        return rows * blocks if len(rest) == 2 and known(rows, blocks) else None

    return size


def _width(name: str) -> Callable[[Call], int]:
    return lambda call: call.shape(name)[-1] if call.has(name) else 0


SIZES: dict[str, Callable[[Call], Any]] = {
    "num_heads_q": lambda call: _query(call)[-2],
    "num_heads_k": lambda call: 1,
    "num_heads_kv": lambda call: 1,
    "head_dim": lambda call: call.dims.get("D", _query(call)[-1]),  # packed elements are fewer
    "batch_size": _batched(0),
    "max_seqlen_q": _batched(1),
    "max_seqlen_k": _longest("k", "key", table="block_table"),
    "max_seqlen_kv": _longest("ori_kv", table="ori_block_table"),
    "max_seqlen_ori_kv": _longest("ori_kv", table="ori_block_table"),
    "max_seqlen_cmp_kv": _longest("cmp_kv", table="cmp_block_table"),
    "ori_topk": _width("ori_sparse_indices"),
    "cmp_topk": _width("cmp_sparse_indices"),
    "has_ori_kv": lambda call: call.has("ori_kv"),
    "has_cmp_kv": lambda call: call.has("cmp_kv"),
}
