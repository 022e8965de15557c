"""softmax between two contractions as an attention site."""

from __future__ import annotations

from collections.abc import Callable

from ..analysis import ints
from ..analysis.graph import Value
from ..analysis.ints import Fn, Int, Var
from ..normalize.forms import contraction, peel, variables
from ..normalize.term import Elem, variable
from ..pattern import no_match
from . import logits
from .roles import Site

ANCHORS = ("torch.aten._softmax", "torch.aten.softmax.int", "torch.aten._safe_softmax")
CARRIES = (  # what may stand between the probabilities and their contraction with the values
    "slice.Tensor", "clone", "_to_copy", "expand", "view", "_unsafe_view", "reshape", "transpose.int", "permute",
    "unsqueeze", "squeeze.dim", "alias", "detach",
)  # fmt: skip
CONTRACTS = ("matmul", "bmm", "mm", "einsum", "mul.Tensor")
ZERO, ONE = ints.of(0), ints.of(1)


def match(anchor: Value) -> Site:
    """Find the contraction that uses the probabilities and read everything back from it; raises NoMatch."""
    if not anchor.dims or anchor.const(1) not in (-1, len(anchor.dims) - 1):
        no_match("softmax does not run over the last axis")
    out = general(root_of(anchor))
    probabilities, value, j = weighted(out, lambda p: peel(p, lossy=True).value is anchor)
    probabilities = peel(probabilities, lossy=True)
    source = Elem(anchor.operands[0], probabilities.idx)
    found = logits.match(source, j.name)
    return site(out, found, value, source, _sink(anchor, source, j), _empty_rows(anchor, found))


def weighted(out: Elem, are_probabilities: Callable[[Elem], bool]) -> tuple[Elem, Elem, Var]:
    """(probabilities, values, key variable) of the sum of weighted values that `out` is; raises NoMatch."""
    product = contraction(out)
    if product is None or len(product.factors) != 2 or len(product.over) != 1:
        no_match("its probabilities are not contracted with values")
    sides = [(p, v) for p, v in (product.factors, product.factors[::-1]) if are_probabilities(p)]
    if not sides:
        no_match("its probabilities are not contracted with values")
    if product.coefficient != 1.0:
        no_match(f"its probabilities are multiplied by {product.coefficient:g} after the softmax", 3)
    return sides[0][0], peel(sides[0][1]), product.over[0]


def site(out: Elem, found: logits.Logits, value: Elem, source: Elem, sink: Elem | None, empty_rows: str) -> Site:
    """The site whose logits `source` were read as `found`; raises NoMatch where an axis plays no part."""
    b, s, h, e = _roles(found, value, out, source, sink)
    return Site(
        root=out, query=found.query, key=found.key, value=value, scale=found.scale, batch=b, row=s, head=h,
        channel=found.channel, value_channel=e, key_axis=source.idx[-1],
        masks=found.masks, sink=sink, empty_rows=empty_rows,
    )  # fmt: skip


def _empty_rows(anchor: Value, found: logits.Logits) -> str:
    """What a row without keys gives; finite fills make it the average of all values."""
    fills = {m.fill for m in found.masks if m.fill}
    if fills == {"min"}:
        return "mean"
    if len(fills) > 1:
        no_match("its masks mix finite and infinite fills, which differ on rows that see no key", 3)
    return "zero" if anchor.op.endswith("_safe_softmax") else "nan"


def general(root: Value) -> Elem:
    assert root.dims is not None
    return Elem(root, tuple(variable(f"o{i}", d) for i, d in enumerate(root.dims)))


def root_of(anchor: Value, also: tuple[str, ...] = ()) -> Value:
    """The contraction fed by the probabilities, seen with batch and heads apart; `also` may stand between as well."""
    queue, seen = [anchor], set()
    while queue:
        value = queue.pop(0)
        for user, _ in value.uses:
            if user is None or id(user) in seen:
                continue
            seen.add(id(user))
            kind = user.op.removeprefix("torch.aten.")
            if kind in (*CARRIES, *also) or user.op == "torch.prim.ListConstruct":
                queue.append(user)
            elif kind in CONTRACTS:
                return _unflattened(_summed(user))
    return no_match("its probabilities are not contracted with values")


def _summed(value: Value) -> Value:
    """mul followed by sum is the contraction; any other op is one itself."""
    if value.op == "torch.aten.mul.Tensor":
        return next((u for u, _ in value.uses if u is not None and u.op == "torch.aten.sum.dim_IntList"), value)
    return value


def _unflattened(value: Value) -> Value:
    """A rank 3 product whose only use gives batch and heads dimensions of their own is seen as that."""
    users = [u for u, _ in value.uses]
    views = ("torch.aten.view", "torch.aten._unsafe_view", "torch.aten.reshape")
    if value.dims and len(value.dims) == 3 and len(users) == 1 and users[0] is not None and users[0].op in views:
        return users[0]
    return value


def _sink(anchor: Value, source: Elem, j: Var) -> Elem | None:
    """The sink logit when the softmax has one column more than there are keys."""
    assert anchor.dims is not None
    columns = anchor.dims[-1]
    if columns == j.size:
        return None
    if columns != j.size + 1 or source.idx[-1] != ints.of(j):
        no_match(f"its softmax runs over {columns} columns, its values are {j.size}", 2)
    return logits.sink(source, j.size, j.name)


def _roles(found: logits.Logits, value: Elem, out: Elem, source: Elem, sink: Elem | None) -> tuple[Int, Int, Int, Int]:
    """(batch, row, head, value channel) among the variables of the result."""
    axes = [i for i in out.idx if not i.is_const]
    query, key, values = variables(found.query), _own(found.key), _own(value)
    channels = [i for i in axes if _name(i) in values and _name(i) not in query]
    if len(channels) > 1:
        no_match("its values have more than one axis that the queries lack", 3)
    rest = [i for i in axes if i not in channels]
    sunk = variables(sink) if sink is not None else frozenset()
    shared = key | values | sunk
    row = _row([i for i in source.idx[:-1] if i in rest and _name(i) not in shared], source, found)
    others = [i for i in source.idx[:-1] if i in rest and i != row]
    if len(others) > 2:
        no_match("its queries have more than batch, row and head axes", 3)
    batch, head = _batch_and_head(others, source, row)
    return batch, row, head, channels[0] if channels else ZERO


def _own(elem: Elem) -> frozenset[str]:
    """The variables that index `elem`, without those that only choose an entry of a list that indexes it."""
    return frozenset(a.name for i in elem.idx for a in _outside_lists(i))


def _outside_lists(index: Int) -> set[Var]:
    found: set[Var] = set()
    for atom, _ in index.terms:
        if isinstance(atom, Var):
            found.add(atom)
        elif isinstance(atom, Fn):
            found |= {v for x in atom.args for v in _outside_lists(x)}
    return found


def _name(axis: Int) -> str:
    return axis.atom.name if isinstance(axis.atom, Var) else ""


def _row(rows: list[Int], source: Elem, found: logits.Logits) -> Int:
    """The query row: what a mask depends on, else the axis before the keys (of size one while decoding)."""
    masked = set().union(*(variables(m.term) for m in found.masks if isinstance(m.term, Elem)))
    picked = [i for i in rows if _name(i) in masked]
    if picked:
        return picked[-1]
    before = source.idx[-2] if len(source.idx) > 1 else ZERO
    return before if before in rows or before.is_const else ZERO


def _batch_and_head(others: list[Int], source: Elem, row: Int) -> tuple[Int, Int]:
    """The batch comes first; with a single axis its place among the (batch, head, row) axes tells."""
    if len(others) == 2:
        return others[0], others[1]
    if not others:
        return ZERO, ZERO
    lead = [i for i in source.idx[:-1] if i != row] if not row.is_const else list(source.idx[:-2])
    return (ZERO, others[0]) if len(lead) < 2 or lead[0] != others[0] else (others[0], ZERO)
