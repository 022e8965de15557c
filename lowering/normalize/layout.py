"""Layout rules: ops that only move elements become index substitution."""

from __future__ import annotations

from ..analysis import ints
from ..analysis.graph import Value
from ..analysis.ints import Fn, Int
from .term import Apply, Elem, Lit, Number, Select, Term, aligned, axis, rule, scalar

ZERO, ONE = ints.of(0), ints.of(1)
LAST = (1 << 63) - 1


@rule("view", "_unsafe_view", "reshape", "flatten.using_ints", "unflatten.int", "view_copy", "_reshape_alias")
def view(elem: Elem) -> Term | None:
    source = elem.value.operands[0]
    if source.dims is None or elem.value.dims is None:
        return None
    idx = regroup(elem.idx, elem.value.dims, source.dims)
    return Elem(source, idx) if idx is not None else None


def regroup(idx: tuple[Int, ...], new: tuple[Int, ...], old: tuple[Int, ...]) -> tuple[Int, ...] | None:
    """Index into shape `old` of the element at `idx` of the same row-major data seen as shape `new`."""
    digits = [(i, d) for i, d in zip(idx, new, strict=True) if d != ONE]
    out: list[Int] = []
    for size in reversed(old):
        if size == ONE:
            out.append(ZERO)
            continue
        taken = _take(digits, size)
        if taken is None:
            return None
        out.append(taken)
    return tuple(reversed(out)) if not digits else None


def _take(digits: list[tuple[Int, Int]], size: Int) -> Int | None:
    """Remove the trailing digits that make up a dimension of `size`; their number, None when they do not fit."""
    taken: list[tuple[Int, Int]] = []
    total = ONE
    while total != size:
        if not digits:
            return None
        number, radix = digits.pop()
        parts = _digits(number, radix)
        if len(parts) > 1:
            digits += parts
            continue
        if total * radix == size or not _exceeds(total * radix, size):
            taken.insert(0, (number, radix))
            total = total * radix
        elif total == ONE and size.is_const and radix.is_const and radix.const % size.const == 0:
            digits.append((ints.floordiv(number, size), ints.of(radix.const // size.const)))
            return ints.mod(number, size)
        elif total == ONE and (more := _divided(radix, size)) is not None:
            digits.append((ints.floordiv(number, size), more))
            return ints.mod(number, size)
        else:
            return None
    return taken[0][0] if len(taken) == 1 else _number(taken)


def _exceeds(a: Int, size: Int) -> bool:
    if not size.is_const:
        return _divided(a, size) is not None
    return a.const > size.const if a.is_const else True


def _divided(radix: Int, size: Int) -> Int | None:
    """radix / size where every coefficient divides, or where the one is a constant times the other."""
    if not size.is_const:
        times = radix.terms[0][1] if len(radix.terms) == 1 else 0
        return ints.of(times) if times > 1 and size * times == radix else None
    if radix.const % size.const or any(c % size.const for _, c in radix.terms):
        return None
    return Int(radix.const // size.const, tuple((a, c // size.const) for a, c in radix.terms))


def _number(digits: list[tuple[Int, Int]]) -> Int:
    """Several digits as one mixed-radix number that `_digits` can take apart again."""
    return ints.of(Fn("lin", tuple(x for pair in digits for x in pair)))


def _digits(number: Int, radix: Int) -> list[tuple[Int, Int]]:
    atom = number.atom
    if isinstance(atom, Fn) and atom.name == "lin":
        return list(zip(atom.args[::2], atom.args[1::2], strict=True))
    return [(number, radix)]


@rule("expand", "broadcast_to", "expand_copy")
def expand(elem: Elem) -> Term:
    return aligned(elem.value.operands[0], elem)


@rule("permute", "permute_copy")
def permute(elem: Elem) -> Term | None:
    order = [axis(len(elem.idx), v.constant) for v in elem.value.listed(1)]
    if any(d is None for d in order) or len(order) != len(elem.idx):
        return None
    where = {d: i for i, d in enumerate(order)}
    return Elem(elem.value.operands[0], tuple(elem.idx[where[d]] for d in range(len(order))))


@rule("transpose.int", "transpose_copy.int", "swapaxes")
def transpose(elem: Elem) -> Term | None:
    a, b = (axis(len(elem.idx), elem.value.const(i)) for i in (1, 2))
    if a is None or b is None:
        return None
    idx = list(elem.idx)
    idx[a], idx[b] = idx[b], idx[a]
    return Elem(elem.value.operands[0], tuple(idx))


@rule("t", "mT")
def last_two(elem: Elem) -> Term:
    if len(elem.idx) < 2:
        return Elem(elem.value.operands[0], elem.idx)
    return Elem(elem.value.operands[0], (*elem.idx[:-2], elem.idx[-1], elem.idx[-2]))


@rule("unsqueeze", "unsqueeze_copy")
def unsqueeze(elem: Elem) -> Term | None:
    dim = axis(len(elem.idx), elem.value.const(1))
    if dim is None:
        return None
    return Elem(elem.value.operands[0], elem.idx[:dim] + elem.idx[dim + 1 :])


@rule("squeeze", "squeeze.dim", "squeeze.dims", "squeeze_copy", "prims.squeeze")
def squeeze(elem: Elem) -> Term | None:
    source = elem.value.operands[0]
    if source.dims is None or elem.value.dims is None:
        return None
    idx = regroup(elem.idx, elem.value.dims, source.dims)
    return Elem(source, idx) if idx is not None else None


@rule("slice.Tensor", "slice_copy.Tensor", "narrow")
def slice_(elem: Elem) -> Term | None:
    value = elem.value
    dim = axis(len(elem.idx), value.const(1))
    source = value.operands[0]
    if dim is None or source.dims is None:
        return None
    narrow = value.op.endswith("narrow")
    start = value.int(2) or ZERO
    step = ONE if narrow else value.int(4) or ONE
    moved = elem.idx[dim] * step + from_front(start, source.dims[dim])
    return Elem(source, (*elem.idx[:dim], moved, *elem.idx[dim + 1 :]))


def from_front(index: Int, size: Int) -> Int:
    """A possibly negative index counted from the front; before the first element torch takes the first."""
    return ints.maximum(index + size, ZERO) if index.is_const and index.const < 0 else index


@rule("select.int", "select_copy.int")
def select(elem: Elem) -> Term | None:
    source = elem.value.operands[0]
    dim, index = axis(len(elem.idx) + 1, elem.value.const(1)), elem.value.int(2)
    if dim is None or index is None or source.dims is None:
        return None
    return Elem(source, (*elem.idx[:dim], from_front(index, source.dims[dim]), *elem.idx[dim:]))


@rule(
    "clone", "contiguous", "alias", "detach", "lift_fresh_copy", "torch.prims.device_put", "detach_copy", "alias_copy"
)
def same(elem: Elem) -> Term:
    return Elem(elem.value.operands[0], elem.idx)


@rule("copy")
def copy(elem: Elem) -> Term:
    source = aligned(elem.value.operands[1], elem)
    if isinstance(source, Elem) and source.value.dtype != elem.value.dtype:
        return Apply("cast", (source, Lit(0)))
    return source


@rule("cat")
def cat(elem: Elem) -> Term | None:
    dim = axis(len(elem.idx), elem.value.const(1, 0))
    parts = [p for p in elem.value.listed(0) if p.dims is None or len(p.dims) == len(elem.idx)]
    if dim is None or not parts or any(p.dims is None for p in parts):
        return None
    return _piecewise(elem, dim, parts, ZERO)


def _piecewise(elem: Elem, dim: int, parts: list[Value], start: Int) -> Term:
    """The element of a concatenation: decided by the index range where possible, else selected."""
    part, *rest = parts
    assert part.dims is not None
    end, index = start + part.dims[dim], elem.idx[dim]
    inside = ZERO if part.dims[dim] == ONE else index - start
    here = Elem(part, (*elem.idx[:dim], inside, *elem.idx[dim + 1 :]))
    if not rest or ints.non_negative(end - ONE - index):
        return here
    if ints.non_negative(index - end):
        return _piecewise(elem, dim, rest, end)
    return Select(Apply("lt", (Number(index), Number(end))), here, _piecewise(elem, dim, rest, end))


@rule("stack")
def stack(elem: Elem) -> Term | None:
    dim = axis(len(elem.idx), elem.value.const(1, 0))
    if dim is None or not elem.idx[dim].is_const:
        return None
    part = elem.value.listed(0)[elem.idx[dim].const]
    return Elem(part, elem.idx[:dim] + elem.idx[dim + 1 :])


@rule("torch.prim.ListUnpack")
def unpack(elem: Elem) -> Term | None:
    """One piece of split_with_sizes, split, chunk or unbind."""
    made = elem.value.operands[0]
    source = made.operands[0]
    kind = made.op.removeprefix("torch.aten.")
    if source.dims is None:
        return None
    if kind == "unbind.int":
        dim = axis(len(source.dims), made.const(1, 0))
        return Elem(source, (*elem.idx[:dim], ints.of(elem.value.result), *elem.idx[dim:])) if dim is not None else None
    if kind not in ("split_with_sizes", "split.Tensor", "chunk", "split.sizes", "split_with_sizes_copy"):
        return None
    dim = axis(len(source.dims), made.const(2, 0))
    if dim is None:
        return None
    start = ZERO
    for earlier in elem.value.siblings[: elem.value.result]:
        assert earlier.dims is not None
        start = start + earlier.dims[dim]
    return Elem(source, (*elem.idx[:dim], elem.idx[dim] + start, *elem.idx[dim + 1 :]))


@rule("repeat_interleave.self_int")
def repeat_interleave(elem: Elem) -> Term | None:
    times, dim = elem.value.int(1), axis(len(elem.idx), elem.value.const(2))
    if times is None or dim is None:
        return None
    return Elem(elem.value.operands[0], (*elem.idx[:dim], ints.floordiv(elem.idx[dim], times), *elem.idx[dim + 1 :]))


@rule("slice_scatter")
def slice_scatter(elem: Elem) -> Term | None:
    base, part, dim = elem.value.operands[0], elem.value.operands[1], axis(len(elem.idx), elem.value.const(2, 0))
    if dim is None or base.dims is None or part.dims is None or (elem.value.int(5) or ONE) != ONE:
        return None
    start = from_front(elem.value.int(3) or ZERO, base.dims[dim])
    index = elem.idx[dim] - start
    here = Elem(part, (*elem.idx[:dim], ZERO if part.dims[dim] == ONE else index, *elem.idx[dim + 1 :]))
    after, before = ints.non_negative(index), ints.non_negative(part.dims[dim] - ONE - index)
    if after and before:
        return here
    inside = Apply("and", (
        Apply("le", (Number(start), Number(elem.idx[dim]))),
        Apply("lt", (Number(elem.idx[dim]), Number(start + part.dims[dim]))),
    ))  # fmt: skip
    return Select(inside, here, Elem(base, elem.idx))


@rule("constant_pad_nd")
def pad(elem: Elem) -> Term | None:
    """Amounts come in pairs from the last dimension; outside the source is the fill value."""
    source, amounts = elem.value.operands[0], [v.integer for v in elem.value.listed(1)]
    if source.dims is None or any(a is None for a in amounts):
        return None
    idx, outside = list(elem.idx), []
    for pair in range(len(amounts) // 2):
        dim = len(idx) - 1 - pair
        before, after = amounts[2 * pair] or ZERO, amounts[2 * pair + 1] or ZERO
        if before == after == ZERO:
            continue
        idx[dim] = idx[dim] - before
        outside += _beyond(idx[dim], source.dims[dim])
        if source.dims[dim] == ONE:
            idx[dim] = ZERO
    made: Term = Elem(source, tuple(idx))
    for condition in outside:
        made = Select(condition, scalar(elem.value.operands[2]), made)
    return made


def _beyond(index: Int, size: Int) -> list[Apply]:
    return [Apply("lt", (Number(index), Number(ZERO))), Apply("ge", (Number(index), Number(size)))]
