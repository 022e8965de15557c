"""lightning_indexer (LightningIndexerV2): quant_lightning_indexer without quantisation, for bf16 and fp16 queries
and keys.
"""

from .aclnn import Aclnn
from .call import Call
from .constraint import on, rule
from .quant_lightning_indexer import (
    ATLAS,
    INDEXER_ATTRIBUTES,
    KEY,
    LENGTHS,
    PAGED,
    QUERY,
    picks,
    values_or_nothing,
)
from .quant_lightning_indexer import CONSTRAINTS as QUANT_CONSTRAINTS
from .rows import BFLOAT16, FLOAT16, FLOAT32, INT32, METADATA, Result, index, tensor
from .rules import contiguous
from .shapes import dtypes_accepted, shapes_agree
from .spec import Lengths, Spec, Variant
from .target import A2, A3, ASCEND950

HALF = (BFLOAT16, FLOAT16)
LAYOUTS_Q = {layout: QUERY[layout] for layout in ("BSND", "TND")}
LAYOUTS_K = {layout: KEY[layout] for layout in ("BSND", "TND", PAGED)}

TENSORS = {
    "q": tensor(HALF, by="layout_q", about="Index queries.", **LAYOUTS_Q),
    "k": tensor(HALF, by="layout_k", about="Index keys, one for each compressed row.", **LAYOUTS_K),
    "w": tensor(FLOAT32, by="layout_q", BSND="B S1 N1", TND="T1 N1", about="Weight of every head."),
    **LENGTHS,
    "block_table": index("B _", about="Blocks of the keys of each batch."),
    "output_idx_offset": index(
        by="layout_q", BSND="B S1 N2", TND="T1 N2", about="Added to the valid indices of a row."
    ),
    "metadata": METADATA,
}


@rule("`q` and `k` have one dtype.", "convert one of them")
def one_dtype(call: Call) -> str | None:
    q, k = call.tensors["q"].dtype, call.tensors["k"].dtype
    return f"q is {q} and k is {k}" if q != k else None


# The rules of the quantised sibling under their numbers; c9, c10 and c46, its quantisation, are other rules here.
CONSTRAINTS = QUANT_CONSTRAINTS | {
    "c2": shapes_agree(TENSORS),
    "c3": dtypes_accepted(TENSORS),
    "c9": one_dtype,
    "c10": on(ASCEND950, contiguous("q", "w", axis0_free=("k",))),
    "c44": on(ATLAS, contiguous("q", "w", "k")),
}
CONSTRAINTS = {number: rule for number, rule in CONSTRAINTS.items() if number not in ("c45", "c46")}

SPEC = Spec(
    name="lightning_indexer",
    about="Top k of sum over heads of weight * relu(query . key) in bf16 or fp16; scores and ranking in fp32.",
    source="ops-transformer, lightning_indexer document and torch binding",
    published=(
        Variant(
            "cann_ops_transformer",
            """lightning_indexer(Tensor q, Tensor k, Tensor w, int topk, *, Tensor? cu_seqlens_q=None, Tensor?
        cu_seqlens_k=None, Tensor? seqused_q=None, Tensor? seqused_k=None, Tensor? cmp_residual_k=None, Tensor?
        block_table=None, Tensor? output_idx_offset=None, Tensor? metadata=None, int max_seqlen_q=-1, str
        layout_q="BSND", str layout_k="BSND", int mask_mode=0, int cmp_ratio=1, int return_value=0) -> (Tensor,
        Tensor)""",
        ),
    ),
    tensors=TENSORS,
    attributes=INDEXER_ATTRIBUTES,
    results=(
        Result("sparse_indices", picks("q", "k"), INT32, about="The indices of the top k, -1 after the last."),
        Result("sparse_values", values_or_nothing("q", "k"), FLOAT32, about="Their scores, -inf after the last."),
    ),
    example={
        "q": "bfloat16 2 3 64 128",
        "k": "bfloat16 9 16 1 128",
        "w": "float32 2 3 64",
        "topk": 512,
        "seqused_k": "int32 2",
        "block_table": "int32 2 4",
        "metadata": "int32 1024",
        "layout_k": "PA_BBND",
    },
    constraints=CONSTRAINTS,
    chips=(ASCEND950, A3, A2),
    lengths=Lengths.COMPRESSED,
    aclnn=Aclnn(
        "aclnnLightningIndexerV2",
        """q k w cuSeqlensQ cuSeqlensK sequsedQ sequsedK cmpResidualK blockTable outputIdxOffset metadata topk
        maxSeqlenQ layoutQ layoutK maskMode cmpRatio returnValue sparseIndicesOut sparseValuesOut""",
        rename={"sequsedQ": "seqused_q", "sequsedK": "seqused_k"},
        outputs={"sparseIndicesOut": "sparse_indices", "sparseValuesOut": "sparse_values"},
    ),
    disagreements=(
        "The aclnn function has a later form with two arguments and two results for candidate blocks; this is the form "
        "of the published header. An early document makes returnValue a bool.",
        "The document gives output_idx_offset one value a batch; the golden takes one a query row, as here.",
    ),
    facts=("The order of NaN scores is undefined.",),
)
