"""The masks of an attention site as the one `mask` operand of the lifted op."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..analysis import ints
from ..analysis.graph import Value
from ..analysis.ints import Int
from ..build import Builder, CannotBuild
from ..normalize.term import Elem
from .roles import Site
from .scores import Mask


def mask_operand(build: Builder, site: Site) -> Any | None:
    """A bool (keep) or float (added) builtin tensor over [batch, head, row, key], None without masks."""
    made: Value | None = None
    for mask in site.masks:
        made = joined(build, made, _tensor(build, site, mask))
    return build.to_builtin(made) if made is not None else None


def _tensor(build: Builder, site: Site, mask: Mask) -> Value:
    return mask_tensor(build, mask, [site.batch, site.head, site.row, site.key_axis])


def mask_tensor(build: Builder, mask: Mask, axes: Sequence[Int]) -> Value:
    """One mask over `axes`: true where it keeps, or the number it adds."""
    if not isinstance(mask.term, Elem):
        raise CannotBuild(f"the mask {mask.term} is no tensor of its own")
    tensor = build.operand(mask.term, axes)
    if mask.kind == "drop":
        assert tensor.dims is not None
        return build.torch("torch.aten.logical_not", [tensor], tensor.dims, "i1")
    return tensor


def joined(build: Builder, a: Value | None, b: Value) -> Value:
    """Both masks at once: conjunction of bools, sum of floats, a float where the bool keeps."""
    if a is None:
        return b
    assert a.dims is not None and b.dims is not None
    dims = [y if x == ints.of(1) else x for x, y in zip(a.dims, b.dims, strict=True)]
    if a.dtype == b.dtype == "i1":
        return build.torch("torch.aten.logical_and", [a, b], dims, "i1")
    if "i1" not in (a.dtype, b.dtype):
        dtype = a.dtype if a.dtype == b.dtype else "f32"
        return build.torch("torch.aten.add.Tensor", [a, b, build.integer(ints.of(1))], dims, dtype)
    keep, bias = (a, b) if a.dtype == "i1" else (b, a)
    return build.torch("torch.aten.where.ScalarOther", [keep, bias, build.number(float("-inf"))], dims, bias.dtype)
