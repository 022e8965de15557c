"""quant_sparse_flash_mla_metadata: the core split of quant_sparse_flash_mla, made on the device from lengths."""

from typing import Any

from .aclnn import Aclnn
from .call import Call
from .constraint import Constraint, on, rule, warn
from .mla_family import MLA_ATTRIBUTES, PAGED, mla_tensors
from .rows import HIFLOAT8, METADATA_RESULT
from .rules import dim_in, forbidden, in_range, one_of, targets
from .rules_lengths import is_not, layout_pair, remainders
from .shapes import dtypes_accepted, shapes_agree
from .spec import Lengths, Spec, Variant
from .target import ASCEND950, CHIPS

PLAN_TENSORS = {
    name: row
    for name, row in mla_tensors(HIFLOAT8, scaled=False).items()
    if name.startswith(("cu_seqlens", "seqused", "cmp_residual")) or name.endswith("topk_length")
}

PLAN_ATTRIBUTES = {
    "num_heads_q": "Query heads N1.",
    "num_heads_kv": "Key heads, 1.",
    "head_dim": "Head size, 512.",
    "batch_size": "Batches; needed with BSND.",
    "max_seqlen_q": "Longest query; needed with TND.",
    "max_seqlen_ori_kv": "Longest original key length; needed with TND.",
    "max_seqlen_cmp_kv": "Longest compressed key length.",
    "ori_topk": "K1, the width of ori_sparse_indices; 0 without.",
    "cmp_topk": "K2, the width of cmp_sparse_indices; 0 without.",
    "has_ori_kv": "Whether ori_kv will be given.",
    "has_cmp_kv": "Whether cmp_kv will be given.",
} | {
    name: MLA_ATTRIBUTES[name]
    for name in (
        "cmp_ratio",
        "ori_mask_mode",
        "cmp_mask_mode",
        "ori_win_left",
        "ori_win_right",
        "layout_q",
        "layout_kv",
    )
}


SIZES = ("batch_size", "max_seqlen_q", "max_seqlen_ori_kv", "max_seqlen_cmp_kv", "ori_topk", "cmp_topk")
NONE_MEANS: dict[str, Any] = dict.fromkeys(SIZES, 0)
NONE_MEANS |= {"cmp_ratio": 1, "ori_mask_mode": 0, "cmp_mask_mode": 0, "ori_win_left": -1, "ori_win_right": -1}
NONE_MEANS |= {"layout_q": "BSND", "layout_kv": "BSND", "has_ori_kv": True, "has_cmp_kv": True}


@rule(
    "BSND needs `batch_size`; TND needs `max_seqlen_q`, and `max_seqlen_ori_kv` when the keys are TND.",
    "pass the sizes of the call that will follow",
)
def sizes_known(call: Call) -> str | None:
    if call["layout_q"] == "BSND":
        return None if call["batch_size"] > 0 else f"batch_size is {call['batch_size']} with layout_q BSND"
    wanted = ("max_seqlen_q", "max_seqlen_ori_kv") if call["layout_kv"] == "TND" else ("max_seqlen_q",)
    missing = [name for name in wanted if call[name] <= 0]
    return f"{' and '.join(missing)} not given with layout_q TND" if missing else None


def plan_constraints(mode: Constraint, heads: Constraint, chips: tuple[str, ...]) -> dict[str, Constraint]:
    """The constraints of the plan of this family; the numbers are those of quant_sparse_flash_mla_metadata."""
    return {
        "c1": targets(*chips),
        "c2": shapes_agree(PLAN_TENSORS),
        "c3": dtypes_accepted(PLAN_TENSORS),
        "c4": heads,
        "c5": one_of("num_heads_kv", 1),
        "c6": on(CHIPS, one_of("head_dim", 512)),
        "c7": mode,
        "c8": layout_pair("layout_q", "layout_kv", PAGED),
        "c9": one_of("ori_mask_mode", 0, 3, 4),
        "c10": one_of("cmp_mask_mode", 0, 3),
        "c11": in_range("cmp_ratio", 1, 128),
        "c12": in_range("ori_win_left", -1),
        "c13": in_range("ori_win_right", -1),
        "c14": on(CHIPS, sizes_known),
        "c15": forbidden("cu_seqlens_q", when=is_not("layout_q", "TND"), because="without layout_q TND"),
        "c16": in_range("ori_topk", 0),
        "c17": in_range("cmp_topk", 0),
        "c18": remainders("cmp_residual_kv", "cmp_ratio"),
        "c19": on(CHIPS, dim_in("B", 1, None, what="batches")),
        "c20": on(CHIPS, warn(forbidden("ori_topk_length", "cmp_topk_length", because="to a plan: reserved"))).noting(
            "The schema accepts the topk lengths; the document calls them reserved."
        ),
    }


SPEC = Spec(
    name="quant_sparse_flash_mla_metadata",
    about="Plans how the cores share a quant_sparse_flash_mla call. Pure: equal arguments give a plan every layer "
    "may share.",
    source="ops-transformer, quant_sparse_flash_mla document and torch binding",
    published=(
        Variant(
            "cann_ops_transformer",
            """quant_sparse_flash_mla_metadata(int num_heads_q, int num_heads_kv, int head_dim, int quant_mode, *,
        Tensor? cu_seqlens_q=None, Tensor? cu_seqlens_ori_kv=None, Tensor? cu_seqlens_cmp_kv=None, Tensor?
        seqused_q=None, Tensor? seqused_ori_kv=None, Tensor? seqused_cmp_kv=None, Tensor? cmp_residual_kv=None,
        Tensor? ori_topk_length=None, Tensor? cmp_topk_length=None, int? batch_size=None, int? max_seqlen_q=None,
        int? max_seqlen_ori_kv=None, int? max_seqlen_cmp_kv=None, int? ori_topk=None, int? cmp_topk=None, int?
        cmp_ratio=None, int? ori_mask_mode=None, int? cmp_mask_mode=None, int? ori_win_left=None, int?
        ori_win_right=None, str? layout_q=None, str? layout_kv=None, bool? has_ori_kv=None, bool? has_cmp_kv=None)
        -> Tensor""",
        ),
    ),
    tensors=PLAN_TENSORS,
    attributes={"quant_mode": "1, as in the call that follows."} | PLAN_ATTRIBUTES,
    results=(METADATA_RESULT,),
    example={
        "num_heads_q": 64,
        "num_heads_kv": 1,
        "head_dim": 512,
        "quant_mode": 1,
        "batch_size": 2,
    },
    constraints=plan_constraints(one_of("quant_mode", 1), on(CHIPS, in_range("num_heads_q", 1, 128)), (ASCEND950,)),
    chips=(ASCEND950,),
    lengths=Lengths.COMPRESSED,
    aclnn=Aclnn(
        "aclnnQuantSparseFlashMlaMetadata",
        """cuSeqlensQ cuSeqlensOriKv cuSeqlensCmpKv sequsedQ sequsedOriKv sequsedCmpKv cmpResidualKv oriTopkLength
        cmpTopkLength numHeadsQ numHeadsKv headDim quantMode batchSize maxSeqlenQ maxSeqlenOriKv maxSeqlenCmpKv
        oriTopk cmpTopk cmpRatio oriMaskMode cmpMaskMode oriWinLeft oriWinRight layoutQ layoutKv hasOriKv hasCmpKv
        metadata""",
        rename={"sequsedQ": "seqused_q", "sequsedOriKv": "seqused_ori_kv", "sequsedCmpKv": "seqused_cmp_kv"},
        outputs={"metadata": "metadata"},
    ),
    none_means=NONE_MEANS,
    facts=(
        "Runs on the device's AICPU, so a graph captured from shapes alone stays right while lengths change.",
        "Its upstream fake result is on device npu whatever the inputs; here it follows the inputs, or is on the "
        "CPU without any.",
    ),
)
