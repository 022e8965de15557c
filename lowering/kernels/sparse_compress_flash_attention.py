"""pypto::sparse_compress_flash_attention: a window of 128 and 512 listed compressed keys, for packed bf16 queries.

Its compressed count moves by one key a row, floor(n / ratio) - S + s + 1, where every other operator's moves by one key
in `ratio` rows: they agree for one query token a request only.
"""

from __future__ import annotations

from ...dialect.npu import SPECS
from ..analysis import ints
from . import attentions
from .attentions import ONE, compressed_count, exact_rule, list_of, read, same_selection, tokens
from .contract import Contract, Draft, Taken, Use, flat_row, refuse
from .pages import flat, paged
from .pieces import Piece, starts, viewed

SPEC = SPECS["sparse_compress_flash_attention"]
BLOCK, RATIO = 128, 4


def one_token(use: Use) -> str | None:
    tokens = use.dims("query")[1]
    if tokens == ONE:
        return None
    return f"it has {tokens} query tokens a request; the kernel counts the compressed keys of more than one differently"


def listed(use: Use) -> str | None:
    return "it lists no compressed keys; the kernel needs a list" if use.operand("cmp_indices") is None else None


def make(use: Use) -> Draft:
    found = read(use)
    seen = tokens(found)
    count = compressed_count(found)
    rule = exact_rule(found, seen, count)
    if isinstance(rule, str):
        refuse(rule)
    if count is None or not ints.non_negative(count - ONE):
        refuse(f"{count} visible compressed keys are not proven to be at least one, and rows without any are undefined")
    if (seen.mask, seen.left, seen.right) != (attentions.BAND, attentions.WINDOW - 1, 0):
        refuse(f"its window is not the {attentions.WINDOW} tokens that the kernel knows")
    ori, cmp = (
        paged(name, found.segment(key), BLOCK)
        for name, key in (("the window's key", "ori_kv"), ("the compressed key", "cmp_kv"))
    )
    made = same_selection(found, "cmp_indices", count, found.compressed)
    tensors = {
        "query_npu": _packed(found.query()),
        "q_act_seqs_npu": starts(found.batches, ONE),  # each request has one query token
        "ori_kv_npu": flat(ori), "cmp_kv_npu": flat(cmp),
        "ori_block_table_npu": ori.table, "cmp_block_table_npu": cmp.table,
        "atten_sink_npu": found.sinks(),
        "seqused_kv_npu": found.lengths(seen.length(found.keys)),
        "cmp_sparse_indices_npu": _list(list_of(made)),
    }  # fmt: skip
    scalars = {"softmax_scale": use.attribute("scale"), "win_size": attentions.WINDOW, "cmp_ratio": rule.ratio}
    notes = tuple(page.note for page in (ori, cmp) if page.note)
    return Draft(SPEC, tensors, scalars, {0: _result(use)}, notes)


def _packed(query: Piece) -> Piece:
    """[B, 1, N, D] as [B * N, D]."""
    batches, _, heads, width = query.dims
    return viewed(query, (batches * heads, width))


def _list(indices: Piece) -> Piece:
    """[B, 1, 1, K] as [B, K]."""
    return viewed(indices, (indices.dims[0], indices.dims[3]))


def _result(use: Use) -> Taken:
    b, s, h, d = use.axes("query", "bshd")
    return Taken(0, (flat_row((b, h)), d), (b, s, h, d))


CONTRACTS = [
    Contract(
        kernel="pypto::sparse_compress_flash_attention",
        implements="sparse_attn.attention",
        targets=SPEC.chips,
        requirements=(
            attentions.half_precision,
            attentions.with_tokens,
            listed,
            one_token,
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
