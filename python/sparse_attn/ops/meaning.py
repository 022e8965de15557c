"""Registers the meaning-level operators `torch.ops.sparse_attn.*`: schema, fake, autograd refusal, implementations."""

import functools
from typing import Any

import torch

from . import (
    meaning_attention,
    meaning_compress,
    meaning_index_scores,
    meaning_lightning_indexer,
    meaning_paged_write,
    meaning_selection,
    meaning_topk,
)

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
"""Operator name -> module with SCHEMA, infer (allocates results, also for fake tensors) and reference (in torch)."""


def _refuse_autograd(name: str, keyset: Any, *args: Any, **kwargs: Any) -> Any:
    """What runs before the implementation wherever autograd could record: nothing, or an error when it would have to."""
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


@functools.lru_cache(maxsize=1)
def register() -> torch.library.Library:
    """Define the operators once per process; the answer keeps them alive."""
    library = torch.library.Library(NAMESPACE, "DEF")
    for name, module in OPERATORS.items():
        library.define(module.SCHEMA, tags=(torch.Tag.pt2_compliant_tag,))
        library.impl(name, module.reference, "CompositeExplicitAutograd")
        library.impl(name, functools.partial(_refuse_autograd, name), "Autograd", with_keyset=True)
        torch.library.register_fake(f"{NAMESPACE}::{name}", module.infer, lib=library)
    return library
