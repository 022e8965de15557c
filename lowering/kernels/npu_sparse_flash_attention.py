"""npu::npu_sparse_flash_attention: absorbed latent attention over listed keys; 512 latent channels and 64 rotary ones.

A key row is 576 channels of which the first 512 are the value; the kernel takes the two parts apart.
"""

from __future__ import annotations

from ...dialect.npu import SPECS
from ..analysis import ints
from ..analysis.ints import Int
from ..normalize.term import variable
from . import attentions
from .attentions import ALL, ONE, ZERO, Attended, indexer_of, list_of, read, tokens
from .contract import Contract, Draft, Taken, Use, refuse
from .indexers import visible_count
from .pieces import Piece, arranged

SPEC = SPECS["npu_sparse_flash_attention"]
LATENT, ROTARY, CAUSAL = 512, 64, 3


def absorbed(use: Use) -> str | None:
    """One key head whose rows hold the values in front and the rotary part behind."""
    reason = attentions.shared_keys(use)
    if reason is not None:
        return reason
    width, row = use.attribute("value_width"), use.dims("ori_kv")[3]
    if width != LATENT or row != ints.of(LATENT + ROTARY):
        return (
            f"its key rows are {row} channels with {width} of value; the kernel takes {LATENT} and {ROTARY} of rotary"
        )
    return None


def listed(use: Use) -> str | None:
    return "it lists no keys; the kernel needs a list" if use.operand("ori_indices") is None else None


def tokens_only(use: Use) -> str | None:
    return "it has compressed keys; the kernel knows none" if use.operand("cmp_kv") is not None else None


def no_window(use: Use) -> str | None:
    return "it has a window; the kernel is causal or sees all" if use.attribute("ori_mask") == "band" else None


def make(use: Use) -> Draft:
    found = read(use)
    seen = tokens(found)
    _check_rows(found)
    nope, rope = variable("d", ints.of(LATENT)), variable("r", ints.of(ROTARY))
    key = _part(use, "ori_kv", nope, ZERO)
    tensors = {
        "query": _part(use, "query", nope, ZERO), "query_rope": _part(use, "query", rope, ints.of(LATENT)),
        "key": key, "value": key,  # one storage
        "key_rope": _part(use, "ori_kv", rope, ints.of(LATENT)),
        "sparse_indices": list_of(indexer_of(use, "ori_indices")),
    }  # fmt: skip
    if use.operand("sinks") is not None:
        tensors["sinks"] = found.sinks()
    if seen.used is not None:
        tensors["actual_seq_lengths_kv"] = found.lengths(seen.used)
    mode = ALL if use.attribute("ori_mask") == "none" else CAUSAL
    scalars = {"scale_value": use.attribute("scale"), "sparse_mode": mode, "attention_mode": 2}
    b, s, h, _ = use.axes("query", "bshd")
    at = (b, s, h, nope)
    return Draft(SPEC, tensors, scalars, {0: Taken(0, at, at)}, (attentions.AS_PROMISED,) if seen.promised else ())


def _part(use: Use, name: str, channel: Int, start: Int) -> Piece:
    b, s, h, _ = use.axes(name, "bshd" if name == "query" else "btgd")
    return arranged(use.needed(name), (b, s, h, channel + start), (b, s, h, channel))


def _check_rows(found: Attended) -> None:
    """Every row has a key, or a row without keys gives zeros in the graph too; raises Refused."""
    use = found.use
    if use.operand("sinks") is not None or use.attribute("empty_rows") == "zero":
        return
    made = indexer_of(use, "ori_indices")
    b, s, _, _ = made.use.axes("query", "bshd")
    listed_count = visible_count(made.use, b, s)
    own = attentions.token_count(found) if use.attribute("ori_mask") != "none" else None
    both = [count for count in (listed_count, own) if count is not None]
    if not all(ints.non_negative(count - ONE) for count in both) or len(set(both)) > 1:
        refuse(f"a row without keys is `{use.attribute('empty_rows')}` in the graph and zero in the kernel")


CONTRACTS = [
    Contract(
        kernel="npu::npu_sparse_flash_attention",
        implements="sparse_attn.attention",
        targets=SPEC.chips,
        requirements=(
            attentions.half_precision,
            attentions.with_tokens,
            tokens_only,
            listed,
            absorbed,
            no_window,
            attentions.proven_mask,
            attentions.no_lse,
        ),
        make=make,
    )
]
