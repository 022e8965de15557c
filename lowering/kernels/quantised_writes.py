"""Keys quantised where their rows are written.

A key that the graph puts together from older rows and new ones, only for this op, is quantised part by part and put
together as codes: the unquantised whole is never made. Where others read the whole too, or it is returned as the cache
of the next call, it exists anyway and is quantised as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..analysis import ints
from ..analysis.graph import Value
from ..analysis.ints import Int
from ..analysis.liveness import live_uses
from ..build import Builder
from ..normalize.forms import peel
from ..normalize.term import Elem, variable
from ..quantize import operators
from ..quantize.formats import Format
from ..quantize.operators import Parts
from .contract import Use
from .pieces import Piece, arranged, torch_value
from .quantised import Quantised, put_together, quantised

RENAMES = (  # ops through which a key is read; none of them computes
    "torch_c.to_builtin_tensor", "torch.tensor_static_info_cast", "torch.aten.view", "torch.aten.unsqueeze",
    "torch.aten.squeeze.dim", "torch.aten.permute", "torch.aten.transpose.int", "torch.aten.select.int",
    "torch.aten._to_copy",
)  # fmt: skip
ONE = ints.of(1)
Quantise = Callable[[Value], Parts]
Put = Callable[[Builder, Quantise], Parts]


def quantised_key(
    use: Use, name: str, piece: Piece, format: Format, axes: Sequence[Int], order: Sequence[Int]
) -> Quantised:
    """The key operand `name` over `axes`, which `piece` lays out as `order`; rows are dimension 1 of both."""
    source = peel(Elem(use.needed(name), tuple(axes)))
    whole = f"{name} is quantised whole at each call"
    write = WRITES.get(source.value.op)
    if write is None or source.idx.count(axes[1]) != 1:
        return quantised(piece, format, whole)
    if _readers(source.value, use) != {use.value.order}:
        return quantised(piece, format, f"{whole}: its cache with the new rows is also returned or read elsewhere")
    put = write(source, source.idx.index(axes[1]), format)
    if put is None:
        return quantised(piece, format, f"{whole}: its rows are not written by one index along the keys")

    def rows(part: Value) -> Piece:
        """Rows of one part, laid out as the key; a part may lack leading dimensions of size one."""
        assert part.dims is not None
        own = variable("r", part.dims[source.idx.index(axes[1]) - len(source.idx)])
        at, laid = (tuple(own if i == axes[1] else i for i in each) for each in (source.idx, order))
        return arranged(part, at[-len(part.dims) :], laid, piece.dtype)

    def make(build: Builder) -> Parts:
        return put(build, lambda part: operators.quantise(build, torch_value(build, rows(part)), format))

    return put_together(piece.dims, format, make, f"{name} is quantised where its rows are written")


def _readers(value: Value, use: Use) -> set[int]:
    """`order` of every live op that reads a value, under any name; -1 for a result of the function."""
    found: set[int] = set()
    stack = [value]
    while stack:
        for user, _ in live_uses(stack.pop(), set(use.alive)):
            if user is not None and user.op in RENAMES:
                stack.append(user)
            else:
                found.add(user.order if user is not None else -1)
    return found


def _cat(source: Elem, dim: int, format: Format) -> Put | None:
    """Parts one after the other."""
    parts, along = source.value.listed(0), source.value.const(1)
    if not parts or not isinstance(along, int) or along % len(source.idx) != dim:
        return None
    return lambda build, quantise: operators.joined(build, [quantise(part) for part in parts], format)


def _index_copy(source: Elem, dim: int, format: Format) -> Put | None:
    """New rows at the places of a one-dimensional index."""
    cache, _, index, rows = source.value.operands
    along = source.value.const(1)
    return _at(cache, index, rows, format) if isinstance(along, int) and along % len(source.idx) == dim else None


def _index_put(source: Elem, dim: int, format: Format) -> Put | None:
    """`cache[:, index] = rows`: one index of one dimension, every other dimension whole, nothing added."""
    cache, _, rows = source.value.operands[:3]
    indices = source.value.listed(1)
    index = indices[dim] if dim < len(indices) else None
    alone = [i for i, each in enumerate(indices) if each.dims is not None] == [dim]
    if index is None or not alone or source.value.const(3) not in (None, 0, False):
        return None
    assert index.dims is not None and cache.dims is not None and rows.dims is not None
    wanted = (*cache.dims[:dim], *index.dims, *cache.dims[dim + 1 :])
    missing = len(wanted) - len(rows.dims)
    plain = rows.dims == wanted[missing:] and missing <= dim and all(size == ONE for size in wanted[:missing])
    return _at(cache, index, rows, format) if len(index.dims) == 1 and plain else None


def _at(cache: Value, index: Value, rows: Value, format: Format) -> Put:
    return lambda build, quantise: operators.written(build, quantise(cache), index, quantise(rows), format)


WRITES: dict[str, Callable[[Elem, int, Format], Put | None]] = {
    "torch.aten.cat": _cat,
    "torch.aten.index_copy": _index_copy,
    "torch.aten.index_put": _index_put,
}
