"""cann_ops_transformer::quant_lightning_indexer: the indexer over quantised queries and keys, in five modes.

It ranks in bf16, which asking for quantised scores includes. In mode 2 head weights and scales are fp16: the weights of
a row are divided by their largest and so are the query scales, which changes no order within the row and keeps small
ones from vanishing.
"""

from __future__ import annotations

from typing import Any

from ...dialect.npu import SPECS
from ..analysis import ints
from ..build import Builder
from ..quantize.formats import READERS, Format
from . import indexers
from .contract import Contract, Draft, Use
from .indexers import Indexed, read
from .pages import paged
from .pieces import Piece, torch_value
from .quantised import Quantised, format_of, quantised, quantised_as
from .quantised_writes import quantised_key

SPEC = SPECS["quant_lightning_indexer"]
FORMATS = READERS["indexer"]
QUERIES, KEYS = ("query", "weights", "query_dequant_scale"), ("key", "key_dequant_scale")
CAUSAL, ZERO, LEAST = 3, ints.of(0), 1e-30


def make(use: Use) -> Draft:
    found, format = read(use), format_of(use)
    query = quantised(found.query, format)
    scalars: dict[str, Any] = {
        "topk": found.picks, "quant_mode": FORMATS[format.name].mode, "max_seqlen_q": found.longest,
    }  # fmt: skip
    tensors: dict[str, Piece] = {}
    if found.rule is not None:
        scalars |= {"mask_mode": CAUSAL, "cmp_ratio": found.rule.ratio}
        if found.rule.ratio != 1:
            tensors["cmp_residual_k"] = found.lengths(found.rule.residual)
    if found.used is not None:
        tensors["seqused_k"] = found.lengths(found.used)
    key = _key(use, found, format, tensors, scalars)
    first = {"query": query.codes, "key": key.codes, **_weights(found, query, format), "key_dequant_scale": key.scale}
    notes = (*found.notes, f"quantised to {format.name}, ranked in bf16", key.note)
    draft = Draft(SPEC, first | tensors, scalars, {0: found.taken}, notes)
    return found.packed(draft, QUERIES, KEYS) if found.dynamic else draft


def _key(use: Use, found: Indexed, format: Format, tensors: dict[str, Piece], scalars: dict[str, Any]) -> Quantised:
    """The key in the layout of the target; pages add their arguments to the call."""
    if use.target == "ascend950":
        b, t, d = use.axes("key", "btd")
        return quantised_key(use, "key", found.key, format, (b, t, d), (b, t, ZERO, d))
    pages = paged("the indexer's key", found.key)
    tensors |= {"block_table": pages.table}
    tensors.setdefault("seqused_k", found.lengths(found.key.dims[1]))
    scalars["layout_k"] = "PA_BBND"
    return quantised(pages.keys, format, "; ".join(filter(None, ("key is quantised whole at each call", pages.note))))


def _weights(found: Indexed, query: Quantised, format: Format) -> dict[str, Piece]:
    """Head weights and query scales as the mode wants them."""
    if format.name != "int8":
        return {"weights": found.weights, "query_dequant_scale": query.scale}
    return {
        "weights": divided_by_largest(found.weights),
        "query_dequant_scale": divided_by_largest(query.scale),
    }


def divided_by_largest(piece: Piece) -> Piece:
    """Factors of the heads [B, S, H] over the largest magnitude of each row, in fp16; a row of zeros stays zero."""

    def make(build: Builder) -> Any:
        whole = build.cast(torch_value(build, piece), "f32")
        magnitudes = build.torch("torch.aten.abs", [whole], piece.dims, "f32")
        one = (*piece.dims[:-1], ints.of(1))
        last = build.elements([build.integer(ints.of(-1))])
        largest = build.torch("torch.aten.amax", [magnitudes, last, build.boolean(True)], one, "f32")
        largest = build.torch("torch.aten.clamp_min", [largest, build.number(LEAST)], one, "f32")
        divided = build.torch("torch.aten.div.Tensor", [whole, largest], piece.dims, "f32")
        return build.to_builtin(build.cast(divided, "f16"))

    return Piece(piece.dims, "f16", make)


CONTRACTS = [
    Contract(
        kernel="cann_ops_transformer::quant_lightning_indexer",
        implements="sparse_attn.lightning_indexer",
        targets=SPEC.chips,
        requirements=(
            quantised_as(*FORMATS),
            indexers.with_relu,
            indexers.weighted,
            indexers.unscaled,
            indexers.proven_mask,
            indexers.indices_only,
        ),
        make=make,
    )
]
