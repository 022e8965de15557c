"""kv_quant_sparse_attn_sharedkv_metadata: the core split of kv_quant_sparse_attn_sharedkv, made on the device from
lengths.
"""

from .aclnn import Aclnn
from .constraint import Constraint, on, warn
from .rows import BFLOAT16, METADATA_RESULT
from .rules import dim_in, forbidden, in_range, one_of, required, targets
from .rules_lengths import is_, is_not, used_within
from .shapes import dtypes_accepted, shapes_agree
from .sharedkv_family import (
    LAYOUT_ARGUMENTS,
    MASK_ARGUMENTS,
    PAGED,
    PLAN_ATTRIBUTES,
    PLAN_SIZES,
    PLAN_TENSOR_ARGUMENTS,
    sharedkv_tensors,
)
from .spec import Lengths, Spec, Variant
from .target import ASCEND950, CHIPS

PLAN_TENSORS = {
    name: row
    for name, row in sharedkv_tensors(BFLOAT16, BFLOAT16, "D").items()
    if name.startswith(("cu_seqlens", "seqused"))
}


def plan_constraints(
    chips: tuple[str, ...], heads: Constraint, ratio: Constraint, quantization: Constraint
) -> dict[str, Constraint]:
    """The constraints of a sharedkv plan."""
    return {
        "c1": targets(*chips),
        "c2": shapes_agree(PLAN_TENSORS),
        "c3": dtypes_accepted(PLAN_TENSORS),
        "c4": on(CHIPS, heads),
        "c5": one_of("num_heads_kv", 1),
        "c6": on(CHIPS, one_of("head_dim", 512)).noting(
            "Model code passes 640, the bytes of a row; the document wants 512."
        ),
        "c7": quantization,
        "c8": one_of("layout_q", "BSND", "TND"),
        "c9": one_of("layout_kv", PAGED),
        "c10": one_of("ori_mask_mode", 4),
        "c11": one_of("cmp_mask_mode", 3),
        "c12": in_range("ori_win_left", 0),
        "c13": in_range("ori_win_right", 0),
        "c14": on(CHIPS, ratio),
        "c15": on(CHIPS, required("seqused_kv")),
        "c16": on(CHIPS, required("cu_seqlens_q", when=is_("layout_q", "TND"), because="with layout_q TND")),
        "c17": forbidden("cu_seqlens_q", when=is_not("layout_q", "TND"), because="without layout_q TND"),
        "c18": warn(forbidden("seqused_q", because="though reserved: it has no effect")),
        "c19": in_range("cmp_topk", 0),
        "c20": used_within("seqused_kv", "", ""),
        "c21": on(CHIPS, dim_in("B", 1, None, what="batches")),
    }


def _published(namespace: str, keywords: str, device: str) -> Variant:
    text = f"""npu_kv_quant_sparse_attn_sharedkv_metadata(int num_heads_q, int num_heads_kv, int head_dim, int
    kv_quant_mode,
        {keywords}{PLAN_TENSOR_ARGUMENTS}, {PLAN_SIZES}, int tile_size=0, int rope_head_dim=0, int cmp_ratio=-1,
        {MASK_ARGUMENTS}, int ori_win_left=127, int ori_win_right=0, {LAYOUT_ARGUMENTS}, bool has_ori_kv=True, bool
        has_cmp_kv=True, str device='{device}') -> Tensor"""
    return Variant(namespace, text)


SPEC = Spec(
    name="kv_quant_sparse_attn_sharedkv_metadata",
    about="Plans how the cores share a kv_quant_sparse_attn_sharedkv call. Pure.",
    source="cann-recipes-infer and vllm-ascend torch bindings",
    published=(_published("custom", "*, ", "npu:0"), _published("_C_ascend", "", "npu")),
    tensors=PLAN_TENSORS,
    attributes=PLAN_ATTRIBUTES
    | {
        "kv_quant_mode": "1, as in the call that follows.",
        "tile_size": "64 or left 0: it does not matter to the plan.",
        "rope_head_dim": "64 or left 0: it does not matter to the plan.",
    },
    results=(METADATA_RESULT,),
    example={
        "num_heads_q": 64,
        "num_heads_kv": 1,
        "head_dim": 512,
        "kv_quant_mode": 1,
        "seqused_kv": "int32 2",
        "batch_size": 2,
        "cmp_ratio": 1,
    },
    constraints=plan_constraints(
        (ASCEND950,),
        one_of("num_heads_q", 64, 128),
        one_of("cmp_ratio", -1, 1, 4, 128),
        one_of("kv_quant_mode", 1),
    ),
    host_means={"cmp_ratio": {-1: 1}},  # the published default: no compression
    chips=(ASCEND950,),
    lengths=Lengths.UNCOMPRESSED,
    aclnn=Aclnn(
        "aclnnKvQuantSparseAttnSharedkvMetadata",
        """cuSeqlensQ cuSeqlensOriKv cuSeqlensCmpKv sequsedQ sequsedKv numHeadsQ numHeadsKv headDim batchSize
        maxSeqlenQ maxSeqlenKv oriTopk cmpTopk kvQuantMode tileSize ropeHeadDim cmpRatio oriMaskMode cmpMaskMode
        oriWinLeft oriWinRight layoutQ layoutKv hasOriKv hasCmpKv metadata""",
        rename={"sequsedQ": "seqused_q", "sequsedKv": "seqused_kv"},
        outputs={"metadata": "metadata"},
        dropped=("device",),
    ),
    disagreements=("The default device is npu:0 in custom and npu in _C_ascend.",),
)
