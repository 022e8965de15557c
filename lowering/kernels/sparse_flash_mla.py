"""cann_ops_transformer::sparse_flash_mla: bf16 and fp16 attention over a window and compressed keys, on every chip.

Modes: a window (SWA), with a prefix of compressed keys (HCA), with a list of them (CSA); on Ascend 950 also a list of
uncompressed keys, alone or with a list of compressed ones. How many compressed keys
a row sees is read from the compressed length and its residual by the document and from the uncompressed length by the
CPU reference, so mask mode 3 is used only where both are proven the same. Elsewhere the rows' own counts are passed:
lists with their lengths in mask mode 0, a prefix as a list of all rows.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from ...dialect.npu import SPECS
from ..analysis import ints
from ..analysis.ints import Int
from ..build import Builder
from . import attentions
from .attentions import (
    ALL,
    CAUSAL,
    ONE,
    ZERO,
    Attended,
    Tokens,
    compressed_count,
    exact_rule,
    indexer_of,
    list_of,
    read,
    same_selection,
    token_count,
    tokens,
)
from .contract import Contract, Draft, Taken, Use, refuse, static
from .indexers import LIST_WIDTHS
from .lengths import Rows, clamped, is_one
from .pieces import Piece, counting, filled, per_row, repeated, torch_value

SPEC = SPECS["sparse_flash_mla"]
RATIO_OF_LIST, RATIO_OF_PREFIX = 4, 128


@dataclasses.dataclass
class Arguments:
    """The call being put together."""

    tensors: dict[str, Piece]
    scalars: dict[str, Any]
    notes: list[str]


def make(use: Use) -> Draft:
    """The first form of the call that the target's limits let through; without any, the first form."""
    found = read(use)
    seen = tokens(found)
    if found.compressed is None:
        return _draft(found, seen, None, None)
    attentions.check_not_empty(found, seen)
    count = compressed_count(found)
    rule = _other_extent(found) or exact_rule(found, seen, count)
    if found.use.operand("ori_indices") is not None and not isinstance(rule, str):
        rule = "lists of both kinds are counted row by row"
    if isinstance(rule, str):
        return _draft(found, seen, rule, count)
    draft = _draft(found, seen, rule, count)
    if (problem := draft.problem(use.target)) is not None:
        other = _draft(found, seen, problem, count)
        return other if other.problem(use.target) is None else draft
    return draft


def _other_extent(found: Attended) -> str | None:
    """Why a list is to be counted by its own length: the indexer's keys are not proven to be as many."""
    if found.use.operand("cmp_indices") is None:
        return None
    keys = indexer_of(found.use, "cmp_indices").use.dims("key")[1]
    return f"the list is of {keys} keys, {found.compressed} are attended" if keys != found.compressed else None


def _draft(found: Attended, seen: Tokens, rule: Rows | str | None, count: Int | None) -> Draft:
    """The call with its compressed side by the kernel's rule, or by the rows' own counts and a sentence why."""
    use = found.use
    call = Arguments(
        {"q": found.query(), "ori_kv": found.segment("ori_kv"), "sinks": found.sinks()},
        {
            "softmax_scale": use.attribute("scale"),
            "cmp_ratio": 1,
            "ori_mask_mode": seen.mask,
            "ori_win_left": seen.left,
            "ori_win_right": seen.right,
        },
        [attentions.AS_PROMISED] if seen.promised else [],
    )
    if use.operand("ori_indices") is not None:
        _listed_tokens(found, call, rule)
    elif seen.used is not None or not found.keys.is_const:
        call.tensors["seqused_ori_kv"] = found.lengths(seen.length(found.keys))
    if not found.tokens.is_const:
        call.tensors["seqused_q"] = found.lengths(found.tokens)
    if rule is not None:
        _compressed(found, call, rule, count)
    axes = use.axes("query", "bshd")
    results = {0: Taken(0, axes, axes)}
    if use.attribute("return_lse"):
        attentions.check_lse(found)
        b, s, h, _ = axes
        call.scalars["return_softmax_lse"] = True
        results[1] = Taken(1, (b, ZERO, s, h), (b, s, h))
    return Draft(SPEC, call.tensors, call.scalars, results, tuple(call.notes))


def _listed_tokens(found: Attended, call: Arguments, rule: Rows | str | None) -> None:
    """A list of uncompressed keys: no mask, each row's list has its own length; raises Refused.

    The kernel has this mode alone, and with a list of compressed keys that is counted in the same way.
    """
    if rule is not None and (not isinstance(rule, str) or found.use.operand("cmp_indices") is None):
        refuse("it lists uncompressed keys beside compressed ones that are not listed; the kernel has no such mode")
    count = token_count(found) if found.use.attribute("ori_mask") != "none" else None
    if found.use.attribute("ori_mask") == "band":
        refuse("it lists uncompressed keys inside a window; the kernel lists them without a mask")
    made = same_selection(found, "ori_indices", count, found.keys, counted_entries=True)
    listed = list_of(made)
    entries = ints.minimum(listed.dims[3], made.use.dims("key")[1])
    call.tensors |= {"ori_sparse_indices": listed, "ori_topk_length": _entries(found, count, entries)}
    call.tensors["seqused_ori_kv"] = found.lengths(found.keys)
    call.scalars |= {"ori_mask_mode": ALL, "ori_win_left": -1, "ori_win_right": -1}


def _entries(found: Attended, count: Int | None, entries: Int) -> Piece:
    """How many entries of each row's list count, [B, S, 1]."""
    if count is None:
        return filled([found.batches, found.tokens, 1], entries)
    return per_row(clamped(count, entries), found.batch, found.row, (found.batches, found.tokens))


def _compressed(found: Attended, call: Arguments, rule: Rows | str, count: Int | None) -> None:
    call.tensors["cmp_kv"] = found.segment("cmp_kv")
    if not compressed_of(found).is_const:  # plans are told lengths by tensors where they are no numbers
        call.tensors["seqused_cmp_kv"] = found.lengths(compressed_of(found))
    lists = found.use.operand("cmp_indices") is not None
    extent = compressed_of(found)
    if lists:
        made = same_selection(found, "cmp_indices", count, extent, counted_entries=isinstance(rule, str))
        call.tensors["cmp_sparse_indices"], extent = list_of(made), made.use.dims("key")[1]
    if not isinstance(rule, str):
        _by_rule(found, call, rule)
    elif lists:
        _counted_list(found, call, count, ints.minimum(call.tensors["cmp_sparse_indices"].dims[3], extent))
    elif count is None or is_one(found.row):
        _whole(found, call, count)
    else:
        call.tensors["cmp_sparse_indices"] = _every_row(found)
        _counted_list(found, call, count, extent)
        call.notes.append(f"the visible compressed keys are passed as a list with a length for each row: {rule}")


def compressed_of(found: Attended) -> Int:
    assert found.compressed is not None
    return found.compressed


def _by_rule(found: Attended, call: Arguments, rule: Rows) -> None:
    call.scalars |= {"cmp_mask_mode": CAUSAL, "cmp_ratio": rule.ratio}
    if rule.compressed != compressed_of(found):
        call.tensors["seqused_cmp_kv"] = found.lengths(rule.compressed)
    if rule.ratio != 1:
        call.tensors["cmp_residual_kv"] = found.lengths(rule.residual)
    if rule.promised and attentions.AS_PROMISED not in call.notes:
        call.notes.append(attentions.AS_PROMISED)


def _counted_list(found: Attended, call: Arguments, count: Int | None, entries: Int) -> None:
    """Mask mode 0: the length of each row's list says which entries count, at most `entries`. The ratio is without
    effect in this mode.
    """
    call.scalars |= {"cmp_mask_mode": ALL, "cmp_ratio": RATIO_OF_LIST}
    call.tensors["cmp_topk_length"] = _entries(found, count, entries)


def _whole(found: Attended, call: Arguments, count: Int | None) -> None:
    """Mask mode 0: all compressed keys in use; a single query token uses as many as it sees."""
    call.scalars |= {"cmp_mask_mode": ALL, "cmp_ratio": RATIO_OF_PREFIX}
    if count is not None:
        call.tensors["seqused_cmp_kv"] = found.lengths(clamped(count, compressed_of(found)))


def _every_row(found: Attended) -> Piece:
    """The list 0, 1, 2, ... of all compressed keys for each query token, and -1 up to a width that the chip knows."""
    count = static(compressed_of(found), "the width of a list of all compressed keys")
    width = count if found.use.target == "ascend950" else next((w for w in LIST_WIDTHS if w >= count), count)
    dims = (found.batches, found.tokens, ONE, ints.of(width))

    def build_list(build: Builder) -> Any:
        row = torch_value(build, counting(1, count))
        if width != count:
            amounts = build.elements([build.integer(ints.of(n)) for n in (0, width - count)])
            padding = [amounts, build.integer(ints.of(-1))]
            row = build.torch("torch.aten.constant_pad_nd", [row, *padding], (ONE, dims[3]), "si32")
        return build.to_builtin(repeated(build, build.unsqueeze(build.unsqueeze(row, 0), 0), dims))

    return Piece(dims, "i32", build_list)


CONTRACTS = [
    Contract(
        kernel="cann_ops_transformer::sparse_flash_mla",
        implements="sparse_attn.attention",
        targets=SPEC.chips,
        requirements=(
            attentions.half_precision,
            attentions.with_tokens,
            attentions.shared_keys,
            attentions.whole_rows,
            attentions.proven_mask,
            attentions.with_sinks,
        ),
        make=make,
    )
]
