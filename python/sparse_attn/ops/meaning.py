"""Registers the meaning-level operators `torch.ops.sparse_attn.*`: schema, fake, autograd refusal, implementations.

Schemas and constraints are those of the dialect's operations. On CPU tensors the C++ kernels compute, or the torch
references while the library is not built (`implementation` tells which); on other devices always the references.
"""

import functools
from typing import Any

import torch

from . import (
    meaning_attention,
    meaning_check,
    meaning_compress,
    meaning_host,
    meaning_index_scores,
    meaning_lightning_indexer,
    meaning_paged_write,
    meaning_selection,
    meaning_shim,
    meaning_topk,
)
from .meaning_host import implementation

__all__ = ["NAMESPACE", "OPERATORS", "implementation", "register"]

NAMESPACE = "sparse_attn"

OPERATORS: dict[str, Any] = {
    "index_scores": meaning_index_scores,
    "topk": meaning_topk,
    "lightning_indexer": meaning_lightning_indexer,
    "selection": meaning_selection,
    "attention": meaning_attention,
    "compress": meaning_compress,
    "paged_write": meaning_paged_write,
}
"""Operator name -> module with `infer` (allocates results, also for fake tensors) and `reference` (in torch)."""

_CPU, _BELOW_AUTOGRAD = torch._C.DispatchKey.CPU, torch._C._after_autograd_keyset
_DEVICE = torch.device("cpu")


def _refuse_autograd(name: str, keyset: Any, *args: Any, **kwargs: Any) -> Any:
    """Runs before the implementation wherever autograd could record, and raises when it would have to."""
    if torch.is_grad_enabled():
        for value in (*args, *kwargs.values()):
            if isinstance(value, torch.Tensor) and value.requires_grad:
                raise RuntimeError(
                    f"sparse_attn.{name} has no derivative and an input requires grad: "
                    "call it under torch.no_grad() or torch.inference_mode(), or detach the input"
                )
    rest = keyset & _BELOW_AUTOGRAD
    if rest.highestPriorityTypeId() == _CPU:
        return _on_cpu(name, *args, **kwargs)  # what the dispatcher would call, without asking it again
    with torch._C._AutoDispatchBelowAutograd():
        return getattr(torch.ops.sparse_attn, name).default.redispatch(rest, *args, **kwargs)


def _on_any_device(name: str, *args: Any, **kwargs: Any) -> Any:
    values = meaning_check.arguments(name, args, kwargs)
    meaning_check.check(name, values)
    return OPERATORS[name].reference(**values)


def _on_cpu(name: str, *args: Any, **kwargs: Any) -> Any:
    if implementation(name) == "torch":
        return _on_any_device(name, *args, **kwargs)
    values = meaning_check.arguments(name, args, kwargs)
    if name in meaning_host.CONTIGUOUS:
        values = {key: value.contiguous() for key, value in values.items()}
    looks, passed = meaning_host.marshal(values.values())
    facts = _results(name, looks)
    if facts is None:
        return OPERATORS[name].reference(**values)
    results = [torch.empty(sizes, dtype=dtype, device=_DEVICE) for sizes, dtype in facts]
    meaning_host.call(name, passed, results)
    return tuple(results) if len(results) > 1 else results[0]


@functools.lru_cache(maxsize=4096)
def _results(name: str, call: tuple) -> tuple[tuple[torch.Size, torch.dtype], ...] | None:
    """Sizes and dtypes of the results of a described call, once it is checked; None when no kernel serves it."""
    meaning_check.require(name, call)
    tensors = [torch.empty(v[1], dtype=v[0], device="meta") if isinstance(v, tuple) else v for v in call]
    values = meaning_check.arguments(name, tuple(tensors), {})
    if not meaning_host.serves(values):
        return None
    made = OPERATORS[name].infer(**values)
    return tuple((each.shape, each.dtype) for each in (made if isinstance(made, tuple) else (made,)))


def _fake(name: str, *args: Any, **kwargs: Any) -> Any:
    values = meaning_check.arguments(name, args, kwargs)
    meaning_check.check(name, values, symbolic=True)
    return OPERATORS[name].infer(**values)


@functools.lru_cache(maxsize=1)
def register() -> torch.library.Library:
    """Define the operators once per process; the answer keeps them alive."""
    library = torch.library.Library(NAMESPACE, "DEF")
    for name in OPERATORS:
        library.define(meaning_check.DEFINITIONS[name].torch_schema(), tags=(torch.Tag.pt2_compliant_tag,))
        library.impl(name, functools.partial(_on_any_device, name), "CompositeExplicitAutograd")
        torch.library.register_fake(f"{NAMESPACE}::{name}", functools.partial(_fake, name), lib=library)
        if meaning_shim.find()[0] is not None and implementation(name) == "host":
            _register_shim(name)
        else:
            library.impl(name, functools.partial(_on_cpu, name), "CPU")
            library.impl(name, functools.partial(_refuse_autograd, name), "Autograd", with_keyset=True)
    return library


@functools.lru_cache(maxsize=1)
def _checked() -> torch.library.Library:
    return torch.library.Library(meaning_shim.CHECKED, "DEF")


def _register_shim(name: str) -> None:
    """The shim takes the calls; what it has not seen before it hands to the operator in the checked namespace."""
    schema = meaning_check.DEFINITIONS[name].torch_schema()
    _checked().define(schema)
    _checked().impl(name, functools.partial(_on_cpu, name), "CompositeExplicitAutograd")
    meaning_shim.register(name)
