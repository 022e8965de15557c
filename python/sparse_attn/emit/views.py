"""Views of a value that comes to lie differently in memory.

A `view` was recorded where the layout of the original value allowed it. What takes that value's place may have other
strides, which no view can follow: such views become reshapes, which copy where they must.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.fx import Node
from torch.fx.experimental.symbolic_shapes import statically_known_true

aten = torch.ops.aten
VIEWS = (aten.view.default, aten._unsafe_view.default)


def let_lie_anywhere(old: Node, new: Node) -> None:
    """Prepare the users of `old` for `new` in its place, whatever the strides of `new`."""
    if not _lie_alike(old.meta.get("val"), new.meta.get("val")):
        _relax(old)


def _relax(node: Node) -> None:
    for user in node.users:
        if user.target in VIEWS:
            user.target = aten.reshape.default
        if user.target is aten.reshape.default or _is_view(user.target):
            _relax(user)


def _is_view(target: Any) -> bool:
    return isinstance(target, torch._ops.OpOverload) and any(r.alias_info is not None for r in target._schema.returns)


def _lie_alike(old: Any, new: Any) -> bool:
    if not isinstance(old, torch.Tensor) or not isinstance(new, torch.Tensor):
        return True
    return old.dim() == new.dim() and all(
        statically_known_true(size == 1) or statically_known_true(a == b)
        for size, a, b in zip(old.shape, old.stride(), new.stride(), strict=True)
    )
