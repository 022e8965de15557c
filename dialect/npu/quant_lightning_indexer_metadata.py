"""quant_lightning_indexer_metadata: the core split of quant_lightning_indexer, made on the device from lengths."""

from .aclnn import Aclnn
from .call import Call
from .constraint import Constraint, on, rule
from .quant_lightning_indexer import ATLAS, INDEXER_ATTRIBUTES, LENGTHS, PAGED, residual_matters
from .rows import METADATA_RESULT
from .rules import dim_in, forbidden, in_range, one_of, power_of_two, required, targets
from .rules_lengths import is_not, layout_pair, remainders
from .shapes import dtypes_accepted, shapes_agree
from .spec import Lengths, Spec, Variant
from .target import A2, A3, ASCEND950, CHIPS

PLAN_ATTRIBUTES = {
    "num_heads_q": "Query heads N1.",
    "num_heads_k": "Key heads, 1.",
    "head_dim": "Head size, 128.",
    "batch_size": "Batches; needed with BSND and no lengths.",
    "max_seqlen_k": "Longest key; needed with BSND.",
} | INDEXER_ATTRIBUTES
del PLAN_ATTRIBUTES["return_value"]

NONE_MEANS = {"batch_size": 0, "max_seqlen_q": -1, "max_seqlen_k": -1, "layout_q": "BSND", "layout_k": "BSND"}
NONE_MEANS |= {"mask_mode": 0, "cmp_ratio": 1}


@rule(
    "BSND needs `max_seqlen_q` and `max_seqlen_k` above 0, and `batch_size` when `seqused_q` does not tell it.",
    "pass the sizes of the call that will follow",
)
def sizes_known(call: Call) -> str | None:
    if call["layout_q"] != "BSND":
        return None
    needed = (
        ("max_seqlen_q", "max_seqlen_k") if call.has("seqused_q") else ("batch_size", "max_seqlen_q", "max_seqlen_k")
    )
    missing = [name for name in needed if call[name] <= 0]
    return f"{' and '.join(missing)} not given with layout_q BSND" if missing else None


def plan_constraints(mode: Constraint, mode_atlas: Constraint) -> dict[str, Constraint]:
    """The constraints of an indexer's plan; `mode` and `mode_atlas` are what its quantisation adds."""
    return {
        "c1": targets(ASCEND950, A3, A2),
        "c2": shapes_agree(LENGTHS),
        "c3": dtypes_accepted(LENGTHS),
        "c4": on(ASCEND950, in_range("num_heads_q", 1, 64)),
        "c5": on(ATLAS, one_of("num_heads_q", 64)),
        "c6": one_of("num_heads_k", 1),
        "c7": on(CHIPS, one_of("head_dim", 128)),
        "c8": mode,
        "c9": on(ATLAS, mode_atlas),
        "c10": on(ASCEND950, in_range("topk", 1, 8192)),
        "c11": on(ATLAS, in_range("topk", 1, 2048)),
        "c12": layout_pair("layout_q", "layout_k", PAGED),
        "c13": on(ATLAS, one_of("layout_k", PAGED)),
        "c14": one_of("mask_mode", 0, 3),
        "c15": in_range("cmp_ratio", 1, 128),
        "c16": on(ATLAS, power_of_two("cmp_ratio", 128)),
        "c17": on(CHIPS, sizes_known),
        "c18": required(
            "cmp_residual_k", when=residual_matters, because="with cmp_ratio above 1 and mask_mode 3"
        ).noting("The host check reads it without testing that it is there."),
        "c19": forbidden("cu_seqlens_q", when=is_not("layout_q", "TND"), because="without layout_q TND"),
        "c20": remainders("cmp_residual_k", "cmp_ratio"),
        "c21": on(CHIPS, dim_in("B", 1, 65535, what="batches")),
    }


SPEC = Spec(
    name="quant_lightning_indexer_metadata",
    about="Plans how the cores share a quant_lightning_indexer call. Pure: equal arguments give a plan every "
    "layer may share.",
    source="ops-transformer, quant_lightning_indexer document and torch binding",
    published=(
        Variant(
            "cann_ops_transformer",
            """quant_lightning_indexer_metadata(int num_heads_q, int num_heads_k, int head_dim, int topk, int
        quant_mode, *, Tensor? cu_seqlens_q=None, Tensor? cu_seqlens_k=None, Tensor? seqused_q=None, Tensor?
        seqused_k=None, Tensor? cmp_residual_k=None, int? batch_size=None, int? max_seqlen_q=None, int?
        max_seqlen_k=None, str? layout_q=None, str? layout_k=None, int? mask_mode=None, int? cmp_ratio=None) ->
        Tensor""",
        ),
    ),
    tensors=LENGTHS,
    attributes={"quant_mode": "As in the call that follows."} | PLAN_ATTRIBUTES,
    results=(METADATA_RESULT,),
    example={
        "num_heads_q": 64,
        "num_heads_k": 1,
        "head_dim": 128,
        "topk": 2048,
        "quant_mode": 2,
        "seqused_k": "int32 2",
        "batch_size": 2,
        "max_seqlen_q": 3,
        "max_seqlen_k": 64,
        "layout_k": "PA_BBND",
    },
    constraints=plan_constraints(one_of("quant_mode", 1, 2, 3, 4, 5), one_of("quant_mode", 2)),
    chips=(ASCEND950, A3, A2),
    lengths=Lengths.COMPRESSED,
    aclnn=Aclnn(
        "aclnnQuantLightningIndexerV2Metadata",
        """cuSeqlensQ cuSeqlensK sequsedQ sequsedK cmpResidualK numHeadsQ numHeadsK
        headDim topk quantMode batchSize maxSeqlenQ maxSeqlenK layoutQ layoutK maskMode cmpRatio metadata""",
        rename={"sequsedQ": "seqused_q", "sequsedK": "seqused_k"},
        outputs={"metadata": "metadata"},
    ),
    none_means=NONE_MEANS,
    facts=(
        "Runs on the device's AICPU; it checks lengths and residuals at run time.",
        "topk above 6144 halves the row tile.",
    ),
)
