"""quant_lightning_indexer (QuantLightningIndexerV2): scores every key for a query with quantised products and keeps
the top k.
"""

from collections.abc import Callable

from .aclnn import Aclnn
from .call import Call
from .constraint import on, rule, warn
from .rows import (
    BFLOAT16,
    E4M3,
    E8M0,
    FLOAT16,
    FLOAT32,
    FP4X2,
    HIFLOAT8,
    INT8,
    INT32,
    METADATA,
    Result,
    Shape,
    index,
    tensor,
)
from .rules import contiguous, dim_in, dim_is, forbidden, in_range, not_empty, one_of, power_of_two, required, targets
from .rules_lengths import is_, is_not, layout_pair, prefix_sums, remainders, slot_lengths, table_covers, used_within
from .shapes import dtypes_accepted, shapes_agree
from .spec import Lengths, Spec, Variant
from .target import A2, A3, ASCEND950, CHIPS

ATLAS = (A3, A2)
PAGED = "PA_BBND"
FILL_LIMIT = 400_000_000
"""Padding entries beyond which the device may time out."""

ELEMENT = {1: E4M3, 2: INT8, 3: E4M3, 4: HIFLOAT8, 5: FP4X2}
SCALE = {1: FLOAT32, 2: FLOAT16, 3: E8M0, 4: FLOAT32, 5: E8M0}
WEIGHT = {1: FLOAT32, 2: FLOAT16, 3: FLOAT32, 4: FLOAT32, 5: FLOAT32}


def of_mode(table: dict[int, str]) -> Callable[[Call], str | tuple[str, ...]]:
    """The dtype a quantisation mode asks for; an unknown mode accepts all, its own constraint refuses it."""
    return lambda call: table.get(call["quant_mode"], tuple(table.values()))


def element_layout(layout: str) -> Callable[[Call], str]:
    """FP4 elements lie two in a byte along D."""
    return lambda call: call[layout] + ("/2" if call["quant_mode"] == 5 else "")


def scale_layout(layout: str) -> Callable[[Call], str]:
    """One scale for the tensor (mode 4), for each head of a token (1, 2), or for 32 elements (3, 5)."""
    return lambda call: (
        "" if call["quant_mode"] == 4 else call[layout] + ("/32" if call["quant_mode"] in (3, 5) else "")
    )


QUERY = {"BSND": "B S1 N1 D", "TND": "T1 N1 D", "BSND/2": "B S1 N1 D/2", "TND/2": "T1 N1 D/2"}
KEY = {"BSND": "B S2 N2 D", "TND": "T2 N2 D", PAGED: "blocks size N2 D"}
KEY |= {f"{layout}/2": shape + "/2" for layout, shape in KEY.items()}
QUERY_SCALE = {"": "1", "BSND": "B S1 N1", "TND": "T1 N1", "BSND/32": "B S1 N1 D/64 2", "TND/32": "T1 N1 D/64 2"}
KEY_SCALE = {"": "1", "BSND": "B S2 N2", "TND": "T2 N2", PAGED: "blocks size N2"}
KEY_SCALE |= {f"{layout}/32": f"{KEY_SCALE[layout]} D/64 2" for layout in ("BSND", "TND", PAGED)}

LENGTHS = {
    "cu_seqlens_q": index("B+1", about="Running sums of query lengths (TND)."),
    "cu_seqlens_k": index("B+1", about="Running sums of compressed key lengths (TND)."),
    "seqused_q": index("B", about="Valid query tokens of each batch; with TND the rest of a slot is filled with -1."),
    "seqused_k": index("B", about="Valid compressed keys of each batch."),
    "cmp_residual_k": index("B", about="Tokens after the last complete compressed key."),
}
TENSORS = {
    "query": tensor(of_mode(ELEMENT), by=element_layout("layout_q"), about="Index queries.", **QUERY),
    "key": tensor(
        of_mode(ELEMENT), by=element_layout("layout_k"), about="Index keys, one for each compressed row.", **KEY
    ),
    "weights": tensor(of_mode(WEIGHT), by="layout_q", BSND="B S1 N1", TND="T1 N1", about="Weight of every head."),
    "query_dequant_scale": tensor(of_mode(SCALE), by=scale_layout("layout_q"), about="Query scales.", **QUERY_SCALE),
    "key_dequant_scale": tensor(of_mode(SCALE), by=scale_layout("layout_k"), about="Key scales.", **KEY_SCALE),
    **LENGTHS,
    "block_table": index("B _", about="Blocks of the keys of each batch."),
    "output_idx_offset": index(
        by="layout_q", BSND="B S1 N2", TND="T1 N2", about="Added to the valid indices of a row."
    ),
    "metadata": METADATA,
}

INDEXER_ATTRIBUTES = {
    "topk": "How many indices a row keeps.",
    "max_seqlen_q": "Longest query; -1: any.",
    "layout_q": "BSND or TND.",
    "layout_k": "BSND, TND or PA_BBND.",
    "mask_mode": "0: all used keys. 3: causal, aligned right-down, in units of compressed rows.",
    "cmp_ratio": "Tokens a compressed key stands for.",
    "return_value": "1: also return the scores.",
}


def paged(call: Call) -> bool:
    return call["layout_k"] == PAGED


def residual_matters(call: Call) -> bool:
    return call["cmp_ratio"] != 1 and call["mask_mode"] == 3


def picks(query: str, key: str) -> Shape:
    """[B, S1, N2, topk] or [T1, N2, topk]."""

    def shape(call: Call) -> tuple:
        heads = call.shape(key)[-2]
        return (*call.shape(query)[:-2], heads, call["topk"])

    return shape


def values_or_nothing(query: str, key: str) -> Shape:
    """As the indices, or (0,) when values were not asked for."""
    return lambda call: picks(query, key)(call) if call["return_value"] else (0,)


@rule("Every `output_idx_offset` is positive.", "add offsets above 0, or leave the argument out")
def positive_offsets(call: Call) -> str | None:
    low = min(call.values("output_idx_offset") or [1])
    return f"output_idx_offset holds {low}" if low <= 0 else None


@rule(
    f"With TND and seqused_q, sum((slot length - used length) * topk) stays within {FILL_LIMIT}.",
    "split the batch, or pack the queries without padding",
)
def fill_volume(call: Call) -> str | None:
    """The document warns of a device time-out above the figure; no checker enforces it, so it is a warning."""
    used = call.values("seqused_q")
    slots = slot_lengths(call, "cu_seqlens_q", "S1", 0) if used and call["layout_q"] == "TND" else None
    if not slots:
        return None
    volume = sum((slot - length) * call["topk"] for slot, length in zip(slots, used, strict=False))
    return f"seqused_q leaves {volume} invalid entries to fill" if volume > FILL_LIMIT else None


@rule("MX scales (modes 3, 5) start at an even element of their storage.", "copy the scale into its own storage")
def even_scale_offset(call: Call) -> str | None:
    for name in ("query_dequant_scale", "key_dequant_scale") if call["quant_mode"] in (3, 5) else ():
        fact = call.tensor(name)
        if fact is not None and fact.offset is not None and fact.offset % 2:
            return f"{name} starts at storage element {fact.offset}"
    return None


CONSTRAINTS = {
    "c1": targets(ASCEND950, A3, A2),
    "c2": shapes_agree(TENSORS),
    "c3": dtypes_accepted(TENSORS),
    "c4": on(CHIPS, not_empty()),
    "c5": dim_is("D", 128, what="head size").noting(
        "The document asks for a multiple of 64 in modes 3 and 5; every other source fixes 128."
    ),
    "c6": dim_is("N2", 1, what="key heads"),
    "c7": on(ASCEND950, dim_in("N1", 1, 64, what="query heads")),
    "c8": on(ATLAS, dim_is("N1", 64, what="query heads")),
    "c9": one_of("quant_mode", 1, 2, 3, 4, 5),
    "c10": on(ATLAS, one_of("quant_mode", 2)),
    "c11": in_range("topk", 1).noting("The document gives a default of 2048; in torch it must be passed."),
    "c12": on(ASCEND950, in_range("topk", 1, 8192)),
    "c13": on(ATLAS, in_range("topk", 1, 2048)),
    "c14": in_range("cmp_ratio", 1, 128),
    "c15": on(ATLAS, power_of_two("cmp_ratio", 128)),
    "c16": layout_pair("layout_q", "layout_k", PAGED).noting(
        "README and aclnn document write PA_BSND; the tiling check accepts only PA_BBND."
    ),
    "c17": on(ATLAS, one_of("layout_k", PAGED)),
    "c18": on(ATLAS, forbidden("output_idx_offset", because="on this chip")),
    "c19": on(ATLAS, one_of("return_value", 0)),
    "c20": one_of("mask_mode", 0, 3),
    "c21": one_of("return_value", 0, 1),
    "c22": in_range("max_seqlen_q", -1),
    "c23": required("cmp_residual_k", when=residual_matters, because="with cmp_ratio above 1 and mask_mode 3"),
    "c24": on(
        CHIPS,
        forbidden(
            "cmp_residual_k", when=lambda call: not residual_matters(call), because="with cmp_ratio 1 or mask_mode 0"
        ),
    ),
    "c25": required("block_table", "seqused_k", when=paged, because="with layout_k PA_BBND").noting(
        "The document wants positive table values; 0 is valid in every test."
    ),
    "c26": forbidden("block_table", when=is_not("layout_k", PAGED), because="without layout_k PA_BBND"),
    "c27": required("cu_seqlens_q", when=is_("layout_q", "TND"), because="with layout_q TND"),
    "c28": forbidden("cu_seqlens_q", when=is_not("layout_q", "TND"), because="without layout_q TND"),
    "c29": required("cu_seqlens_k", when=is_("layout_k", "TND"), because="with layout_k TND"),
    "c30": forbidden("cu_seqlens_k", when=is_not("layout_k", "TND"), because="without layout_k TND"),
    "c31": on(ATLAS, forbidden("seqused_q", when=is_("layout_q", "TND"), because="with layout_q TND")).noting(
        "The document's table gives seqused_q to BSND only, its notes to TND on 950 as well."
    ),
    "c32": on(ATLAS, forbidden("seqused_k", when=is_("layout_k", "TND"), because="with layout_k TND")),
    "c33": on(CHIPS, required("metadata", because="(the metadata operator makes it)")),
    "c34": on(CHIPS, dim_in("B", 1, 65535, what="batches")),
    "c35": on(CHIPS, dim_in("size", 16, 1024, what="rows of a block", multiple=16)),
    "c36": remainders("cmp_residual_k", "cmp_ratio"),
    "c37": prefix_sums("cu_seqlens_q", "T1"),
    "c38": prefix_sums("cu_seqlens_k", "T2"),
    "c39": used_within("seqused_q", "cu_seqlens_q", "S1"),
    "c40": used_within("seqused_k", "cu_seqlens_k", "S2"),
    "c41": table_covers("block_table", "seqused_k", "size"),
    "c42": positive_offsets,
    "c43": on(ASCEND950, warn(fill_volume)),
    "c44": on(
        ASCEND950,
        contiguous("query", "weights", "query_dequant_scale", axis0_free=("key", "key_dequant_scale")),
    ).noting("The document allows a stride on axis 0 without naming a chip; sources allow it on 950 only."),
    "c45": on(ATLAS, contiguous("query", "weights", "query_dequant_scale", "key", "key_dequant_scale")),
    "c46": on(ASCEND950, even_scale_offset),
}

SPEC = Spec(
    name="quant_lightning_indexer",
    about="Top k of sum over heads of weight * relu(query . key), with quantised queries and keys in five modes.",
    source="ops-transformer, quant_lightning_indexer document, torch binding and tiling check",
    published=(
        Variant(
            "cann_ops_transformer",
            """quant_lightning_indexer(Tensor query, Tensor key, Tensor weights, Tensor query_dequant_scale, Tensor
        key_dequant_scale, int topk, int quant_mode, *, Tensor? cu_seqlens_q=None, Tensor? cu_seqlens_k=None,
        Tensor? seqused_q=None, Tensor? seqused_k=None, Tensor? cmp_residual_k=None, Tensor? block_table=None,
        Tensor? output_idx_offset=None, Tensor? metadata=None, int max_seqlen_q=-1, str layout_q="BSND", str
        layout_k="BSND", int mask_mode=0, int cmp_ratio=1, int return_value=0) -> (Tensor, Tensor)""",
        ),
    ),
    tensors=TENSORS,
    attributes={
        "quant_mode": "1: E4M3, a scale a head. 2: INT8, a scale a head. 3: E4M3, a scale for 32 elements. "
        "4: HIFLOAT8, one scale. 5: FP4 pairs, a scale for 32 elements.",
        **INDEXER_ATTRIBUTES,
    },
    results=(
        Result("sparse_indices", picks("query", "key"), INT32, about="The indices of the top k, -1 after the last."),
        Result(
            "sparse_values", values_or_nothing("query", "key"), BFLOAT16, about="Their scores, -inf after the last."
        ),
    ),
    example={
        "query": "int8 2 3 64 128",
        "key": "int8 9 16 1 128",
        "weights": "float16 2 3 64",
        "query_dequant_scale": "float16 2 3 64",
        "key_dequant_scale": "float16 9 16 1",
        "topk": 512,
        "quant_mode": 2,
        "seqused_k": "int32 2",
        "block_table": "int32 2 4",
        "metadata": "int32 1024",
        "layout_k": "PA_BBND",
    },
    constraints=CONSTRAINTS,
    chips=(ASCEND950, A3, A2),
    lengths=Lengths.COMPRESSED,
    aclnn=Aclnn(
        "aclnnQuantLightningIndexerV2",
        """query key weights queryDequantScale keyDequantScale cuSeqLensQ cuSeqLensK sequsedQ sequsedK cmpResidualK
        blockTable outputIdxOffset metadata topk quantMode maxSeqlenQ layoutQ layoutK maskMode cmpRatio returnValue
        sparseIndicesOut sparseValuesOut""",
        rename={
            "cuSeqLensQ": "cu_seqlens_q",
            "cuSeqLensK": "cu_seqlens_k",
            "sequsedQ": "seqused_q",
            "sequsedK": "seqused_k",
        },
        outputs={"sparseIndicesOut": "sparse_indices", "sparseValuesOut": "sparse_values"},
    ),
    mode=lambda call: f"quant_mode {call['quant_mode']}",
    disagreements=(
        "Documents apply relu after multiplying both scales; the golden before. They differ for negative scales.",
        "In mode 2 scores carry a factor 1/1024 that no document mentions; the golden ranks them in fp32, the "
        "kernel in bf16.",
        "The golden rounds scores to bf16 half to even, the kernel half away from zero.",
        "The document implies sorted results; the 950 kernel's lists are in index order.",
        "One README fills values that were not asked for with bf16 -inf; API document and operator document give "
        "shape (0,).",
        "The published document names the first five arguments q, k, w, q_descale, k_descale: pass them by position.",
    ),
    facts=("The order of NaN scores is undefined.", "May be captured in an aclgraph."),
)
