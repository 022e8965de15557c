"""Kernel operators have no derivative: a call that autograd would have to record is an error that says so."""

from collections.abc import Callable
from typing import Any

import torch


def refusing(qualified: str) -> Callable[..., Any]:
    """The autograd implementation of an operator: raises where a gradient is asked for, else passes on."""
    namespace, name = qualified.split("::")

    def forward(keyset: Any, *args: Any, **kwargs: Any) -> Any:
        if torch.is_grad_enabled() and any(_needs_grad(value) for value in (*args, *kwargs.values())):
            raise RuntimeError(
                f"{qualified} has no derivative and an input requires grad: "
                "call it under torch.no_grad() or torch.inference_mode(), or detach the input"
            )
        operator = getattr(getattr(torch.ops, namespace), name).default
        with torch._C._AutoDispatchBelowAutograd():
            return operator.redispatch(keyset & torch._C._after_autograd_keyset, *args, **kwargs)

    return forward


def _needs_grad(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.requires_grad
