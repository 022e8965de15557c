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


def _refuse_autograd(name: str, keyset: Any, *args: Any, **kwargs: Any) -> Any:
    """Runs before the implementation wherever autograd could record, and raises when it would have to."""
    if torch.is_grad_enabled():
        for value in (*args, *kwargs.values()):
            if isinstance(value, torch.Tensor) and value.requires_grad:
                raise RuntimeError(
                    f"sparse_attn.{name} has no derivative and an input requires grad: "
                    "call it under torch.no_grad() or torch.inference_mode(), or detach the input"
                )
    operator = getattr(torch.ops.sparse_attn, name).default
    with torch._C._AutoDispatchBelowAutograd():
        return operator.redispatch(keyset & torch._C._after_autograd_keyset, *args, **kwargs)


def _on_any_device(name: str, *args: Any, **kwargs: Any) -> Any:
    values = meaning_check.arguments(name, args, kwargs)
    meaning_check.check(name, values)
    return OPERATORS[name].reference(**values)


def _on_cpu(name: str, *args: Any, **kwargs: Any) -> Any:
    if implementation(name) == "torch":
        return _on_any_device(name, *args, **kwargs)
    values = meaning_check.arguments(name, args, kwargs)
    meaning_check.check(name, values)
    if not meaning_host.serves(values):
        return OPERATORS[name].reference(**values)
    results = OPERATORS[name].infer(**values)
    meaning_host.call(name, values, results if isinstance(results, tuple) else (results,))
    return results


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
        library.impl(name, functools.partial(_on_cpu, name), "CPU")
        library.impl(name, functools.partial(_on_any_device, name), "CompositeExplicitAutograd")
        library.impl(name, functools.partial(_refuse_autograd, name), "Autograd", with_keyset=True)
        torch.library.register_fake(f"{NAMESPACE}::{name}", functools.partial(_fake, name), lib=library)
    return library
