"""Rules of masks and index tensors: iota, fills, selection, scatter, gather."""

from __future__ import annotations

from ..analysis import ints
from ..analysis.ints import Int
from ..analysis.predicate import TRUE
from .arithmetic import contraction
from .forms import look
from .masks import INTEGERS, Reader
from .term import Apply, Elem, Exists, In, Lit, Number, Rule, Select, Term, aligned, axis, rule, scalar, step, variable

ZERO, ONE = ints.of(0), ints.of(1)


@rule("arange", "arange.start", "arange.start_step")
def arange(elem: Elem) -> Term | None:
    plain = elem.value.op.endswith("arange")
    start = ZERO if plain else elem.value.int(0)
    pace = elem.value.int(2) if elem.value.op.endswith("step") else ONE
    if start is None or pace is None or elem.value.dtype not in ("si64", "si32", "i64", "i32"):
        return None
    return Number(start + elem.idx[0] * pace)


def _filled(position: int | None, value: float = 0) -> Rule:
    """A tensor of one value: operand `position`, or `value`."""

    def fill(elem: Elem) -> Term:
        return scalar(elem.value.operands[position]) if position is not None else Lit(value)

    return fill


rule("full", "full_like", "fill.Scalar")(_filled(1))
rule("new_full")(_filled(2))
rule("scalar_tensor")(_filled(0))
rule("zeros", "zeros_like", "new_zeros", "zero")(_filled(None, 0))
rule("ones", "ones_like", "new_ones")(_filled(None, 1))


@rule("torch.vtensor.literal")
def literal(elem: Elem) -> Term | None:
    attribute = elem.value.operation.attributes["value"]
    if not getattr(attribute, "is_splat", False):
        return None
    made = attribute.get_splat_value()
    return Lit(made.value)


@rule("where.self", "where.ScalarOther", "where.ScalarSelf", "where.Scalar")
def where(elem: Elem) -> Term:
    return Select(*(aligned(v, elem) for v in elem.value.operands[:3]))


@rule("masked_fill.Scalar", "masked_fill.Tensor")
def masked_fill(elem: Elem) -> Term:
    x, mask, value = elem.value.operands[:3]
    return Select(aligned(mask, elem), aligned(value, elem), aligned(x, elem))


@rule("tril", "triu")
def triangle(elem: Elem) -> Term | None:
    shift = elem.value.int(1)
    if shift is None:
        return None
    edge = Number(elem.idx[-2] + shift)
    inside = Apply("le" if elem.value.op.endswith("tril") else "ge", (Number(elem.idx[-1]), edge))
    return Select(inside, Elem(elem.value.operands[0], elem.idx), Lit(0))


@rule("scatter.value", "scatter.src")
def scatter(elem: Elem) -> Term | None:
    base, _, index, source = elem.value.operands[:4]
    dim = axis(len(elem.idx), elem.value.const(1))
    if dim is None or index.dims is None or base.dims is None or not _same_rows(index.dims, base.dims, dim):
        return None
    if elem.value.op.endswith("src") and source.op not in ("torch.aten.full", "torch.aten.zeros_like"):
        return None
    member = membership(elem, dim, index.dims, lambda k: Elem(index, (*elem.idx[:dim], k, *elem.idx[dim + 1 :])))
    return Select(
        member, aligned(source, elem) if source.dims is None else Elem(source, elem.idx), Elem(base, elem.idx)
    )


def _same_rows(index: tuple[Int, ...], base: tuple[Int, ...], dim: int) -> bool:
    """scatter writes only the rows that the index tensor has: they must be all rows."""
    return all(i == b for d, (i, b) in enumerate(zip(index, base, strict=True)) if d != dim)


def membership(elem: Elem, dim: int, sizes: tuple[Int, ...], entry: object) -> In:
    k = variable(f"k{elem.value.order}", sizes[dim])
    var = k.atom or ints.Var(f"k{elem.value.order}", ONE)
    return In(elem.idx[dim], var, entry(k))  # type: ignore[operator]


@rule("scatter_add")
def scatter_add(elem: Elem) -> Term | None:
    """How much was added at a position: the sum over the entries of (entry == position) * amount."""
    base, _, index, source = elem.value.operands[:4]
    dim = axis(len(elem.idx), elem.value.const(1))
    if dim is None or index.dims is None or base.dims is None or not _same_rows(index.dims, base.dims, dim):
        return None
    if source.dims != index.dims or look(Elem(base, elem.idx)) not in (Lit(0), Lit(False)):
        return None
    k = variable(f"k{elem.value.order}", index.dims[dim])
    at = (*elem.idx[:dim], k, *elem.idx[dim + 1 :])
    return contraction(k, Apply("eq", (Elem(index, at), Number(elem.idx[dim]))), Elem(source, at))


@rule("any.dim")
def any_dim(elem: Elem) -> Term | None:
    """True where some element of the axis is."""
    source = elem.value.operands[0]
    if source.dims is None or source.dtype != "i1":
        return None
    dim = axis(len(source.dims), elem.value.const(1))
    if dim is None:
        return None
    rest = elem.idx[dim + 1 :] if elem.value.const(2, False) is True else elem.idx[dim:]
    k = variable(f"k{elem.value.order}", source.dims[dim])
    return Exists(k.atom or ints.Var(f"k{elem.value.order}", ONE), Elem(source, (*elem.idx[:dim], k, *rest)))


@rule("gather")
def gather(elem: Elem) -> Term | None:
    source, _, index = elem.value.operands[:3]
    dim = axis(len(elem.idx), elem.value.const(1))
    if dim is None:
        return None
    return Elem(source, (*elem.idx[:dim], _entry(Elem(index, elem.idx)), *elem.idx[dim + 1 :]))


@rule("index_select")
def index_select(elem: Elem) -> Term | None:
    source, _, index = elem.value.operands[:3]
    dim = axis(len(elem.idx), elem.value.const(1))
    if dim is None or index.dims is None:
        return None
    at = (elem.idx[dim],) if index.dims and index.dims[0] != ONE else (ZERO,) * len(index.dims)
    return Elem(source, (*elem.idx[:dim], _entry(Elem(index, at)), *elem.idx[dim + 1 :]))


def _entry(entry: Elem) -> Int:
    """An index entry, which torch takes from the front only, as sums of what is known of it."""
    cases = Reader().integer(entry)
    if cases is not None and len(cases) == 1 and cases[0][0] == TRUE:
        return cases[0][1]
    made = step(entry)
    if isinstance(made, Apply) and made.name == "cast" and made.args[0].value.dtype in INTEGERS:
        made = made.args[0]
    if isinstance(made, Elem):
        return _entry(made)
    if isinstance(made, Apply) and made.name in ("add", "sub") and all(isinstance(x, Elem) for x in made.args):
        left, right = (_entry(x) for x in made.args)
        return left + right if made.name == "add" else left - right
    return ints.of(entry)


@rule("index.Tensor")
def index(elem: Elem) -> Term | None:
    source, given = elem.value.operands[0], elem.value.listed(1)
    where = [d for d, v in enumerate(given) if v.op != "torch.constant.none"]
    tensors = [given[d] for d in where]
    adjacent = bool(where) and where == list(range(where[0], where[0] + len(where)))
    if (
        source.dims is None
        or not adjacent
        or any(v.dims is None or not v.dtype.endswith(("64", "32")) for v in tensors)
    ):
        return None
    rank = max(len(v.dims or ()) for v in tensors)
    at = Elem(elem.value, elem.idx[where[0] : where[0] + rank])
    proven = [_from_front(aligned(v, at)) for v in tensors]
    if None in proven and step(Elem(source, (ZERO,) * len(source.dims))) is not None:
        return None  # a negative entry counts from the end, which only an opaque tensor leaves unsaid
    picked = [ints.of(aligned(v, at)) if p is None else p for p, v in zip(proven, tensors, strict=True)]
    return Elem(source, (*elem.idx[: where[0]], *picked, *elem.idx[where[0] + rank :]))


def _from_front(entry: Elem | Lit | Number) -> Int | None:
    """An index entry where it is proven not to be negative."""
    cases = Reader().integer(entry)
    if cases is None or not all(ints.non_negative(value) for _, value in cases):
        return None
    return _entry(entry) if isinstance(entry, Elem) else cases[0][1]


@rule("cumsum")
def cumsum(elem: Elem) -> Term | None:
    """A function of the general element of its row: where that is proven zero, so is every sum."""
    source, dim = elem.value.operands[0], axis(len(elem.idx), elem.value.const(1))
    if dim is None or source.dims is None:
        return None
    k = variable(f"k{elem.value.order}", source.dims[dim])
    return Apply("cumsum", (Elem(source, (*elem.idx[:dim], k, *elem.idx[dim + 1 :])), Lit(dim)))
