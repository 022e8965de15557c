"""npu_sparse_attn_sharedkv: bf16 and fp16 attention over paged keys, a window of 128 and compressed keys; A3 and A2.

It is told the uncompressed length n and sees floor(n / ratio) compressed keys, so both must be those of the graph.
"""

from __future__ import annotations

from typing import Any

from ...dialect.npu import SPECS
from ..analysis import ints
from ..analysis.ints import Int
from . import attentions
from .attentions import CAUSAL, Attended, Tokens, compressed_count, exact_rule, list_of, read, same_selection, tokens
from .contract import Contract, Draft, Taken, Use, refuse
from .lengths import is_one
from .pages import Pages, paged
from .pieces import Piece

SPEC = SPECS["sparse_attn_sharedkv"]


def make(use: Use) -> Draft:
    found = read(use)
    attentions.check_static(found)
    seen = tokens(found)
    axes = use.axes("query", "bshd")
    ori = paged("the window's key", found.segment("ori_kv"))
    length = seen.length(found.keys)
    tensors: dict[str, Piece] = {
        "q": found.query(), "ori_kv": ori.keys, "ori_block_table": ori.table, "sinks": found.sinks(),
        "seqused_kv": found.lengths(length),
    }  # fmt: skip
    scalars: dict[str, Any] = {
        "softmax_scale": use.attribute("scale"), "cmp_ratio": 1, "ori_mask_mode": seen.mask, "cmp_mask_mode": CAUSAL,
        "ori_win_left": seen.left, "ori_win_right": seen.right,
    }  # fmt: skip
    pages = [ori]
    if found.compressed is not None:
        attentions.check_not_empty(found, seen)
        pages.append(compressed(found, seen, tensors, scalars))
    notes = tuple(page.note for page in pages if page.note)
    notes += (attentions.AS_PROMISED,) if seen.promised else ()
    return Draft(SPEC, tensors, scalars, {0: Taken(0, axes, axes)}, notes)


def compressed(found: Attended, seen: Tokens, tensors: dict[str, Piece], scalars: dict[str, Any]) -> Pages:
    """The compressed side, added to the call; raises Refused unless the length alone says what rows see."""
    count = compressed_count(found)
    pages = paged("the compressed key", found.segment("cmp_kv"))
    lists = found.use.operand("cmp_indices") is not None
    tensors |= {"cmp_kv": pages.keys, "cmp_block_table": pages.table}
    scalars["cmp_ratio"] = ratio_of(found, seen, count, lists)
    if lists:
        tensors["cmp_sparse_indices"] = list_of(same_selection(found, "cmp_indices", count, found.compressed))
    return pages


def ratio_of(found: Attended, seen: Tokens, count: Int | None, lists: bool) -> int:
    """The ratio at which floor((n - S + s + 1) / ratio) keys are what row s sees; raises Refused."""
    if count is None and is_one(found.row):  # all of them: the ratio of the mode, if that many tokens have that many
        ratio = 4 if lists else 128
        length = seen.length(found.keys)
        if ints.floordiv(length, ints.of(ratio)) != found.compressed:
            refuse(f"{length} tokens at ratio {ratio} have not the {found.compressed} compressed keys that it sees")
        return ratio
    rule = exact_rule(found, seen, count)
    if isinstance(rule, str):
        refuse(rule)
    return rule.ratio


CONTRACTS = [
    Contract(
        kernel="custom::npu_sparse_attn_sharedkv",
        implements="sparse_attn.attention",
        targets=SPEC.chips,
        requirements=(
            attentions.half_precision,
            attentions.with_tokens,
            attentions.shared_keys,
            attentions.whole_rows,
            attentions.proven_mask,
            attentions.no_token_list,
            attentions.no_lse,
            attentions.with_sinks,
        ),
        make=make,
    )
]
