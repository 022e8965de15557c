"""Kernel ops as calls of the published torch operators: which namespace, and every argument spelled out."""

from __future__ import annotations

from typing import Any

import torch

from ..dialect.npu import SPECS
from ..dialect.npu.facts import operands_of, scalars_of
from ..dialect.npu.schema import Param
from ..dialect.npu.spec import Spec, Variant
from ..lowering.analysis.graph import Value
from ..ops import kernel

PREFIX = "npu."
Call = tuple[Any, tuple[Any, ...], dict[str, Any]]


def call_of(value: Value, arguments: list[Any], device: torch.device | None) -> Call:
    """(overload, args, kwargs) of a kernel op; `arguments` are its operands in order, `device` is where plans go."""
    spec = SPECS[value.op.removeprefix(PREFIX)]
    variant = provider(spec)
    operation = value.operation
    given = dict(zip(operands_of(spec, operation), arguments, strict=True)) | scalars_of(spec, operation)
    theirs = spec.explicit(variant, given)
    names = {param.name for param in variant.schema.params}
    if "device" in names and device is not None:
        theirs["device"] = str(device)
    args = tuple(theirs.get(p.name) if p.optional else theirs[p.name] for p in variant.schema.params if _positional(p))
    named = {p.name: theirs.get(p.name) for p in variant.schema.params if not _positional(p)}
    namespace, name = variant.qualified.split("::")
    overload = getattr(getattr(torch.ops, namespace), name).default
    return overload, args, {key: given for key, given in named.items() if given is not None}


def _positional(param: Param) -> bool:
    """Required arguments go by position: documents and bindings name some of them differently."""
    return not param.keyword_only and not param.has_default


def provider(spec: Spec) -> Variant:
    """The published form to call: a vendor's where one is registered as its spec lists it, else ours."""
    known = [kernel.status()[variant.qualified] for variant in spec.published]
    usable = [status for status in known if status.refusal is None]
    if not usable:
        raise ValueError(f"{spec.name} cannot be called: {known[0].refusal}")
    return next((status for status in usable if status.origin == "vendor"), usable[0]).variant


def unavailable() -> str:
    """Lines `kernel: why` of the operators that no namespace has as its spec lists them, for kernel selection."""
    found = []
    for spec in SPECS.values():
        known = [kernel.status()[variant.qualified] for variant in spec.published]
        if all(status.refusal is not None for status in known):
            found.append(f"{spec.published[0].qualified}: {known[0].refusal}")
    return "\n".join(found)
