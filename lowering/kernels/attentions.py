"""What the attention kernels have in common: what they ask of an op, and its segments in their terms."""

from __future__ import annotations

import dataclasses

from ..analysis import ints
from ..analysis.ints import Int
from ..normalize.forms import peel
from ..normalize.term import Elem
from .contract import Decision, Use, refuse, size_of, static
from .indexers import visible_count
from .lengths import Rows, clamped, counted, is_one, rows, within
from .pieces import Piece, arranged, per_batch, viewed

ZERO, ONE = ints.of(0), ints.of(1)
HALF = ("bf16", "f16")
ALL, CAUSAL, BAND = 0, 3, 4
AS_PROMISED = "positions are consecutive and lie inside the keys, as promised"
WINDOW = 128  # the one window that every kernel knows: 127 tokens back and the row's own


def half_precision(use: Use) -> str | None:
    for name in ("query", "ori_kv", "cmp_kv"):
        value = use.operand(name)
        if value is not None and value.dtype not in HALF:
            return f"{name} is {value.dtype}; the kernel takes bf16 or fp16: run the model in one of these"
    return None


def proven_mask(use: Use) -> str | None:
    if use.operand("mask") is not None:
        return "part of the mask is not proven; the kernel takes no mask operand"
    return None


def with_tokens(use: Use) -> str | None:
    return "it has compressed keys only; the kernel needs a window" if use.operand("ori_kv") is None else None


def shared_keys(use: Use) -> str | None:
    """One key head for all query heads, whose rows are the values too."""
    groups = use.dims("ori_kv")[2]
    if groups != ONE:
        return (
            f"it has {groups} key heads; the kernel reads one latent key for all of them: absorb the projections first"
        )
    return (
        "the values are a tensor of their own; the kernel reads them off the key rows"
        if use.operand("ori_value")
        else None
    )


def whole_rows(use: Use) -> str | None:
    width, row = use.attribute("value_width"), use.dims("ori_kv")[3]
    return (
        None if width == -1 or row == ints.of(width) else f"its values are {width} of the {row} channels of a key row"
    )


def with_sinks(use: Use) -> str | None:
    return "it has no sinks; the kernel requires them" if use.operand("sinks") is None else None


def no_token_list(use: Use) -> str | None:
    if use.operand("ori_indices") is not None:
        return "it lists uncompressed keys; the kernel's lists are of compressed keys"
    return None


def check_lse(found: Attended) -> None:
    """Every row has a key, so that the kernel's log-sum-exp is that of the graph; raises Refused."""
    use = found.use
    count = found.keys if use.attribute("ori_mask") == "none" else token_count(found)
    ahead = use.attribute("ori_mask") == "band" and use.attribute("ori_right") not in (-1, 0)
    if use.operand("ori_indices") is not None or ahead or not ints.non_negative(count - ONE):
        refuse("its log-sum-exp is used, and a row without keys has -inf in the graph and 0 in the kernel")


def no_lse(use: Use) -> str | None:
    return "its log-sum-exp is used; the kernel's differs on rows without keys" if use.attribute("return_lse") else None


@dataclasses.dataclass(frozen=True)
class Tokens:
    """How rows see the uncompressed keys. `rule` is None when all see all; `used` when all keys are in use.

    `promised`: that positions follow each other, or lie inside the keys, is what the user assumed.
    """

    mask: int
    left: int
    right: int
    rule: Rows | None
    used: Int | None
    promised: bool = False

    def length(self, keys: Int) -> Int:
        return self.used if self.used is not None else keys


@dataclasses.dataclass(frozen=True)
class Attended:
    """An attention in the kernels' terms: [B, S, N, D] over [B, T, 1, D] and, maybe, [B, Tc, 1, D]."""

    use: Use
    batch: Int
    row: Int
    batches: Int
    tokens: Int
    keys: Int
    compressed: Int | None

    def lengths(self, value: Int) -> Piece:
        """An int32 [B] of an expression over the batch."""
        return per_batch(value, self.batch, self.batches)

    def query(self) -> Piece:
        axes = self.use.axes("query", "bshd")
        return arranged(self.use.needed("query"), axes, axes)

    def segment(self, name: str) -> Piece:
        b, t, g, d = self.use.axes(name, "btgd")
        return arranged(self.use.needed(name), (b, t, g, d), (b, t, g, d))

    def sinks(self) -> Piece:
        (h,) = self.use.axes("sinks", "h")
        return arranged(self.use.needed("sinks"), (h,), (h,), "f32")


def read(use: Use) -> Attended:
    b, s, _, _ = use.axes("query", "bshd")
    compressed = use.operand("cmp_kv")
    return Attended(
        use, b, s, size_of(b), size_of(s), use.dims("ori_kv")[1],
        use.dims("cmp_kv")[1] if compressed is not None else None,
    )  # fmt: skip


def check_static(found: Attended) -> None:
    """Every size is a number; raises Refused. For kernels whose plans are told sizes only as numbers."""
    static(found.batches, "the batch")
    static(found.tokens, "the query length")
    static(found.keys, "the key length")
    if found.compressed is not None:
        static(found.compressed, "the number of compressed keys")


def token_count(found: Attended) -> Int:
    """How many of the uncompressed keys lie before or at row s."""
    operand = found.use.operand("visible")
    if operand is None:
        return found.keys - found.tokens + ONE + found.row
    count = counted(operand, found.batch, found.row)
    return count if count is not None else refuse("the number of visible keys of a row has cases")


def tokens(found: Attended) -> Tokens:
    """The mask of the uncompressed keys; raises Refused."""
    use, mask = found.use, found.use.attribute("ori_mask")
    if mask == "none":
        if not is_one(found.row):
            return Tokens(ALL, -1, -1, None, None)
        return _as_window(found, Tokens(CAUSAL, -1, -1, Rows(found.keys), None))
    rule = rows(token_count(found), found.row, found.tokens, 1, use.promised)
    if isinstance(rule, str):
        refuse(rule)
    length, keys = rule.length, found.keys
    if mask == "band" and use.attribute("ori_right") != 0 and length != keys:
        return _open_window(found, keys - length)
    if mask == "causal" and is_one(found.row):
        length = clamped(length, keys)
    elif not within(length, keys) and not use.promised:
        refuse(
            f"the last row sees up to {length} keys, not proven to be among the {keys} there are: the window is that "
            "of a cache whose absolute positions are not known"
        )
    used = length if length != keys else None
    promised = rule.promised or not within(length, keys)
    if mask == "causal":
        return _as_window(found, Tokens(CAUSAL, -1, -1, rule, used, promised))
    left, right = use.attribute("ori_left"), use.attribute("ori_right")
    return _as_window(found, Tokens(BAND, left, right, rule, used, promised))


def _open_window(found: Attended, behind: Int) -> Tokens:
    """A window that reaches ahead of a row which stands `behind` keys before the last; raises Refused.

    Kernels align the last row with the last key and hide what lies beyond it. A single row may as well stand there,
    with a window that reaches back as far.
    """
    left, right = found.use.attribute("ori_left"), found.use.attribute("ori_right")
    if right != -1 or not is_one(found.row) or not behind.is_const or behind.const < 0 or left == -1:
        refuse("its window reaches ahead of a row, over keys that the kernel takes to be unused")
    return _as_window(found, Tokens(BAND, left + behind.const, 0, Rows(found.keys), None))


def _as_window(found: Attended, seen: Tokens) -> Tokens:
    """The usual window where it lets through the same: no key lies further back than it reaches."""
    causal = seen.mask == CAUSAL or seen.right == 0
    few = ints.non_negative(ints.of(WINDOW) - found.keys)
    if causal and few and (seen.left == -1 or ints.non_negative(ints.of(seen.left) - found.keys + ONE)):
        return dataclasses.replace(seen, mask=BAND, left=WINDOW - 1, right=0)
    return seen


def check_not_empty(found: Attended, seen: Tokens) -> None:
    """Kernels skip a batch without uncompressed keys, whatever its compressed ones."""
    used = seen.used
    if used is not None and not found.use.promised and not ints.non_negative(used - ONE):
        refuse(
            f"{used} uncompressed keys are not proven to be at least one, and the kernel skips a batch without any: "
            'pass options={"assume": ("contiguous_positions",)} if positions are those of the keys'
        )


def compressed_count(found: Attended) -> Int | None:
    """How many compressed keys row s sees, None when it sees all."""
    use = found.use
    if use.attribute("cmp_mask") == "none":
        return None
    operand = use.operand("cmp_visible")
    if operand is None:
        return ints.floordiv(token_count(found), ints.of(use.attribute("cmp_ratio")))
    count = counted(operand, found.batch, found.row)
    return count if count is not None else refuse("the number of visible compressed keys of a row has cases")


def exact_rule(found: Attended, seen: Tokens, count: Int | None) -> Rows | str:
    """The rule of the compressed keys, or why it is not the one in which all readings of the documents agree.

    They agree where the uncompressed length is the restored one: compressed length * ratio + residual.
    """
    if count is None:
        return "it sees all compressed keys"
    own = seen.length(found.keys)
    rule = rows(count, found.row, found.tokens, found.use.attribute("cmp_ratio"), found.use.promised, (own,))
    if isinstance(rule, str):
        return rule
    if rule.length != own:
        return (
            f"the uncompressed length {own} is not proven to be {rule.length}, the length that the "
            "visible compressed keys count by"
        )
    if found.compressed is None or not within(rule.compressed, found.compressed):
        return f"{rule.compressed} compressed keys are not proven to be among the {found.compressed} there are"
    return rule


def indexer_of(use: Use, name: str) -> Decision:
    """The indexer kernel that makes a key list; raises Refused when it does not come from one."""
    b, s, k = use.axes(name, "bsk")
    source = peel(Elem(use.needed(name), (b, s, k)))
    made = use.lists.get(source.value.order) if source.value.op == "sparse_attn.lightning_indexer" else None
    if made is None or made.draft is None or source.value.result != 0 or source.idx != (b, s, k):
        refuse("its key list does not come straight from an indexer kernel, which fills it from the front")
    return made


def same_selection(
    found: Attended, name: str, count: Int | None, keys: Int | None, counted_entries: bool = False
) -> Decision:
    """The indexer of a list whose rows see exactly the keys the attention lets through; raises Refused.

    With `counted_entries` the call says how many entries of a list count, so the keys need not be as many as the
    indexer's: an entry beyond the attended keys is an error in the graph too.
    """
    made = indexer_of(found.use, name)
    b, s, _, _ = made.use.axes("query", "bshd")
    listed = visible_count(made.use, b, s)
    if made.use.dims("key")[1] != (keys or ZERO) and not counted_entries:
        extent = made.use.dims("key")[1]
        refuse(f"its list is of {extent} keys and it attends {keys}, which are not proven the same")
    if listed != count:
        refuse(
            f"its list is of keys below {listed} and it lets through keys below {count}, which are not proven the same"
        )
    return made


def list_of(made: Decision) -> Piece:
    """The whole list of an indexer kernel, [B, S, 1, k]: valid entries first, then -1."""
    assert made.draft is not None
    b, s, _, _ = made.use.axes("query", "bshd")
    width = ints.of(next(made.draft.scalars[name] for name in ("topk", "sparse_count") if name in made.draft.scalars))
    dims = (size_of(b), size_of(s), ONE, width)
    if made.draft.scalars.get("layout_q") != "TND":
        return Piece(dims, "i32", lambda build: made.made.results[0])
    return viewed(Piece((dims[0] * dims[1], ONE, width), "i32", lambda build: made.made.results[0]), dims)
