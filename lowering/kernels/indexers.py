"""What the indexer kernels have in common: what they ask of an op, and its operands in their layout."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from ..analysis import ints
from ..analysis.ints import Int
from ..analysis.liveness import live_uses
from ..fuse.consumers import consumers
from ..normalize.term import variable
from .contract import Draft, Requirement, Taken, Use, flat_row, refuse, size_of
from .lengths import Rows, clamped, counted, is_one, rows, within
from .pieces import Piece, arranged, joined, per_batch, scaled, starts

ZERO, ONE = ints.of(0), ints.of(1)
HALF = ("bf16", "f16")
TIES = "which of equal scores ends a list is the choice of the kernel, as torch leaves it open"
LIST_WIDTHS = (512, 1024)  # of lists that the attention kernels of A3 and A2 take


def half_precision(use: Use) -> str | None:
    for name in ("query", "key"):
        dtype = use.needed(name).dtype
        if dtype not in HALF:
            return f"{name} is {dtype}; the kernel takes bf16 or fp16: run the model in one of these"
    return None


def with_relu(use: Use) -> str | None:
    if use.attribute("activation") != "relu":
        return "the scores have no ReLU; the kernel always applies one"
    scale = use.attribute("scale")
    return None if scale > 0 else f"the scores are scaled by {scale:g} before ReLU; only a positive factor can move"


def weighted(use: Use) -> str | None:
    if use.attribute("reduce") != "weighted":
        return "the heads are not weighted; the kernel always weights them"
    return None


def unscaled(use: Use) -> str | None:
    if use.operand("key_scale") is not None or use.operand("query_scale") is not None:
        return "the scores carry dequantisation scales; the un-quantised kernel takes none"
    return None


def proven_mask(use: Use) -> str | None:
    if use.operand("mask") is not None:
        return "part of the mask is not proven; the kernel takes no mask operand"
    return None


def indices_only(use: Use) -> str | None:
    indices, values = use.value.siblings
    if live_uses(values, set(use.alive)):
        return "the scores of the picked keys are used; the kernel gives indices in an order of its own"
    b, s, _, _ = use.axes("query", "bshd")
    for consumer in consumers(indices, set(use.alive), (b, s, variable("j", use.dims("key")[1]))):
        if isinstance(consumer, str):
            return f"{consumer}; the kernel gives them in an order of its own, which only an attention may use"
    return None


def ranks(precision: str, *targets: str) -> Requirement:
    """The kernel ranks in `precision` on these targets (all without any), where the graph ranks in fp32."""

    def check(use: Use) -> str | None:
        if precision == "f32" or use.accept_ranking == precision or (targets and use.target not in targets):
            return None
        return (
            f"the graph ranks its scores in fp32 and the kernel in {precision}, so that near ties may be picked "
            f'differently: pass options={{"accept_ranking": "{precision}"}} to allow that'
        )

    return check


COMMON = (half_precision, with_relu, weighted, unscaled, proven_mask, indices_only)


@dataclasses.dataclass(frozen=True)
class Indexed:
    """An indexer op in the kernels' terms: [B, S, H, d] over [B, T, 1, d], and which keys its rows see.

    `picks` is the width of the kernel's list. `rule` is None without a mask. `used` are the keys in use, None when
    it is all of them.
    """

    query: Piece
    key: Piece
    weights: Piece
    batch: Int
    batches: Int
    tokens: Int
    keys: Int
    picks: int
    rule: Rows | None
    used: Int | None
    taken: Taken
    notes: tuple[str, ...]

    @property
    def dynamic(self) -> bool:
        """A size is known only at run time."""
        return not all(size.is_const for size in (self.batches, self.tokens, self.keys))

    @property
    def longest(self) -> int:
        """The query length, -1 (any) where it is not a number."""
        return self.tokens.const if self.tokens.is_const else -1

    def lengths(self, value: Int) -> Piece:
        """An int32 [B] of an expression over the batch."""
        return per_batch(value, self.batch, self.batches)

    def packed(self, draft: Draft, queries: Sequence[str], keys: Sequence[str]) -> Draft:
        """The same call with batch and tokens as one axis: its plan reads all sizes from tensors, no size as a number.

        `queries` and `keys` name the tensors that are [B, S, ...] and [B, T, ...]; keys in pages stay as they are.
        """
        both = (*queries, *(() if draft.scalars.get("layout_k") == "PA_BBND" else keys))
        tensors = {n: joined(p) if n in both and len(p.dims) > 1 else p for n, p in draft.tensors.items()}
        scalars = {**draft.scalars, "layout_q": "TND", "max_seqlen_q": -1}
        tensors["cu_seqlens_q"] = starts(self.batches, self.tokens)
        if scalars.get("layout_k") != "PA_BBND":
            scalars["layout_k"] = "TND"
            tensors["cu_seqlens_k"] = starts(self.batches, self.keys)
        taken = dataclasses.replace(self.taken, at=(flat_row(self.taken.order[:2]), *self.taken.at[2:]))
        return dataclasses.replace(draft, tensors=tensors, scalars=scalars, results={0: taken})


def read(use: Use) -> Indexed:
    """The op in the kernels' terms; raises Refused."""
    b, s, h, d = use.axes("query", "bshd")
    t = variable("t", use.dims("key")[1])
    batches, tokens, keys = size_of(b), size_of(s), use.dims("key")[1]
    rule, used = _seen(use, b, s, keys)
    k = variable("k", ints.minimum(ints.of(use.attribute("k")), keys))
    picks = list_width(use, keys)
    weights = arranged(use.needed("weights"), (b, s, h), (b, s, h), "f32")
    notes = (
        ["positions are consecutive and lie inside the keys, as promised"] if rule is not None and rule.promised else []
    )
    if not ints.non_negative(ints.of(use.attribute("k")) - keys):
        notes.append(TIES)
    if use.attribute("scale") != 1.0:
        notes.append(f"the factor {use.attribute('scale'):g} of the scores moves into the weights, in fp32")
    return Indexed(
        query=arranged(use.needed("query"), (b, s, h, d), (b, s, h, d)),
        key=arranged(use.needed("key"), (b, t, d), (b, t, ZERO, d)),
        weights=scaled(weights, use.attribute("scale")),
        batch=b, batches=batches, tokens=tokens, keys=keys, picks=picks, rule=rule, used=used,
        taken=Taken(0, (b, s, ZERO, k), (b, s, k)), notes=tuple(notes),
    )  # fmt: skip


def list_width(use: Use, keys: Int) -> int:
    """How many picks to ask for. A list of all keys may have a longer tail, and attention of A3 and A2 wants it so."""
    k = use.attribute("k")
    if use.target == "ascend950" or not ints.non_negative(ints.of(k) - keys):
        return k
    return next((width for width in LIST_WIDTHS if width >= k), k)


def visible_count(use: Use, b: Int, s: Int) -> Int | None:
    """How many keys row s sees, None without a mask; raises Refused for a count with cases."""
    mode, operand = use.attribute("mask_mode"), use.operand("visible")
    if mode == "none":
        return None
    if operand is None:
        return use.dims("key")[1] - size_of(s) + s + ONE
    found = counted(operand, b, s)
    return found if found is not None else refuse("the number of visible keys of a row has cases")


def _seen(use: Use, b: Int, s: Int, keys: Int) -> tuple[Rows | None, Int | None]:
    """The rule of the rows and the used keys (compressed ones with a ratio)."""
    count = visible_count(use, b, s)
    if count is None:
        return None, None
    rule = rows(count, s, size_of(s), use.attribute("ratio"), use.promised)
    if isinstance(rule, str):
        refuse(rule)
    used = rule.compressed
    if used == keys:
        return rule, None
    if is_one(s):
        return Rows(clamped(used, keys) * rule.ratio, rule.ratio), clamped(used, keys)
    if not within(used, keys) and not use.promised:
        refuse(f"the number of keys in use, {used}, is not proven to stay within the {keys} there are")
    return rule, used
