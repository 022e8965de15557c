"""What an integer tensor's elements are proven to lie between, and which lists are proven to hold no key twice."""

from __future__ import annotations

from ...dialect.segments import SEGMENTS
from ..analysis import ints
from ..analysis.graph import Value
from ..analysis.ints import Int
from .masks import Reader
from .term import BOUNDS, Apply, Elem, step

ZERO, ONE = ints.of(0), ints.of(1)
INTEGERS = ("si64", "si32", "i64", "i32")
RANKED = {  # op: the result that holds positions
    "torch.aten.topk": 1, "torch.aten.sort": 1, "torch.aten.sort.stable": 1,
    "sparse_attn.topk": 0, "sparse_attn.lightning_indexer": 0,
}  # fmt: skip
MOVES = (
    "torch_c.to_builtin_tensor", "torch_c.from_builtin_tensor", "torch.tensor_static_info_cast", "torch.aten._to_copy",
    "torch.aten.to.dtype", "torch.aten.clone", "torch.aten.view", "torch.aten._unsafe_view", "torch.aten.unsqueeze",
    "torch.aten.squeeze.dim", "torch.aten.select.int", "torch.aten.slice.Tensor", "torch.aten.expand",
    "torch.aten.permute", "torch.aten.transpose.int", "torch.prims.convert_element_type", "torch.aten.detach",
)  # fmt: skip
CHOICES = tuple(f"torch.aten.{name}" for name in ("where.self", "where.ScalarOther", "clamp", "clamp_min", "maximum"))


def source(elem: Elem) -> Elem:
    """The element behind ops that move integers without changing them."""
    while elem.value.op in MOVES and elem.value.dtype in INTEGERS:
        made = step(elem)
        if isinstance(made, Apply) and made.name == "cast":
            made = made.args[0]
        if not isinstance(made, Elem) or made.value.dtype not in INTEGERS:
            break
        elem = made
    return elem


def _moved(elem: Elem) -> tuple[Int, Int] | None:
    found = source(elem)
    return found.bounds if found != elem else None


def _ranked(elem: Elem) -> tuple[Int, Int] | None:
    """Positions among the ranked elements; -1 where one of our ops hides a pick."""
    keys = _ranked_size(elem.value)
    if elem.value.result != RANKED[elem.value.op] or keys is None:
        return None
    return (ints.of(-1) if _marks_hidden(elem.value) else ZERO), keys - ONE


def _ranked_size(value: Value) -> Int | None:
    dims = value.operands[0].dims
    if not dims:
        return None
    if value.op == "sparse_attn.lightning_indexer":
        keys = value.operands[1].dims
        return keys[1] if keys else None
    if value.op.startswith("torch."):
        axis = value.const(2 if value.op.endswith("topk") else 2 if value.op.endswith("stable") else 1, -1)
        return dims[axis] if isinstance(axis, int) else None
    block = value.operation.opview.block
    return ints.floordiv(dims[-1] + (block - 1), ints.of(block))


def _chosen(elem: Elem) -> tuple[Int, Int] | None:
    """From 0 to the largest of what is chosen from, where no choice is negative and one is proven to be the largest."""
    cases = Reader().integer(elem) if elem.value.dtype in INTEGERS else None
    if cases is None or any(value == ints.of(elem) or not ints.non_negative(value) for _, value in cases):
        return None
    tops = [value.atom.bounds[1] if isinstance(value.atom, Elem) and value.atom.bounds else value for _, value in cases]
    return next(((ZERO, top) for top in tops if all(ints.non_negative(top - value) for _, value in cases)), None)


def _marks_hidden(value: Value) -> bool:
    if value.op.startswith("torch."):
        return False
    masked = list(value.operation.attributes[SEGMENTS])[-1]  # the operand `mask` is the last one
    return bool(masked) or value.operation.opview.mask_mode != "none"


def is_distinct(elem: Elem) -> bool:
    """`elem`, the general entry of a list, is a position of a ranking: none comes twice."""
    found = source(elem)
    return RANKED.get(found.value.op) == found.value.result


BOUNDS.update(dict.fromkeys(CHOICES, _chosen))
BOUNDS.update(dict.fromkeys(MOVES, _moved))
BOUNDS.update(dict.fromkeys(RANKED, _ranked))
