"""Capture at functional ATen with the composite operators kept whole.

AOTAutograd normally takes `matmul`, `linear`, `einsum`, `layer_norm` and `scaled_dot_product_attention` apart, in ways
that depend on batch size and device. Keeping them makes one spelling of what the user wrote.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch
from torch.export.exported_program import _override_composite_implicit_decomp

aten = torch.ops.aten
COMPOSITES = (
    aten.scaled_dot_product_attention.default,
    aten.matmul.default,
    aten.linear.default,
    aten.layer_norm.default,
    aten.einsum.default,
)


def _kept(*_args: Any, **_kwargs: Any) -> Any:
    return NotImplemented


@contextlib.contextmanager
def composites_kept() -> Iterator[None]:
    """Inside, tracing keeps COMPOSITES. Changes process-wide dispatch: hold the compiler lock."""
    with _override_composite_implicit_decomp(dict.fromkeys(COMPOSITES, _kept)):
        yield
