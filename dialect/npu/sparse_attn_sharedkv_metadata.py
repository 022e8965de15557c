"""sparse_attn_sharedkv_metadata: the core split of sparse_attn_sharedkv, made on the device from lengths."""

from .aclnn import Aclnn
from .kv_quant_sparse_attn_sharedkv_metadata import PLAN_TENSORS, plan_constraints
from .rows import METADATA_RESULT
from .rules import in_range, one_of
from .sharedkv_family import LAYOUT_ARGUMENTS, MASK_ARGUMENTS, PLAN_ATTRIBUTES, PLAN_SIZES, PLAN_TENSOR_ARGUMENTS
from .spec import Lengths, Spec, Variant
from .target import A2, A3


def _published(namespace: str, keywords: str, ratio: int, window: int, device: str) -> Variant:
    text = f"""npu_sparse_attn_sharedkv_metadata(int num_heads_q, int num_heads_kv, int head_dim,
    {keywords}{PLAN_TENSOR_ARGUMENTS},
        {PLAN_SIZES}, int cmp_ratio={ratio}, {MASK_ARGUMENTS}, int ori_win_left={window}, int ori_win_right=0,
        {LAYOUT_ARGUMENTS}, bool has_ori_kv=True, bool has_cmp_kv=True, str device='{device}') -> Tensor"""
    return Variant(namespace, text)


SPEC = Spec(
    name="sparse_attn_sharedkv_metadata",
    about="Plans how the cores share a sparse_attn_sharedkv call. Pure.",
    source="cann-recipes-infer and vllm-ascend torch bindings",
    published=(_published("custom", "*, ", -1, 127, "npu:0"), _published("_C_ascend", "", 4, 128, "npu")),
    tensors=PLAN_TENSORS,
    attributes=PLAN_ATTRIBUTES,
    results=(METADATA_RESULT,),
    example={
        "num_heads_q": 64,
        "num_heads_kv": 1,
        "head_dim": 512,
        "seqused_kv": "int32 2",
        "batch_size": 2,
        "cmp_ratio": 1,
    },
    constraints=plan_constraints(
        (A3, A2), one_of("num_heads_q", 64), one_of("cmp_ratio", -1, 1, 4, 128), in_range("ori_topk", 0)
    ),
    host_means={"cmp_ratio": {-1: 1}},  # the published default: no compression
    chips=(A3, A2),
    lengths=Lengths.UNCOMPRESSED,
    aclnn=Aclnn(
        "aclnnSparseAttnSharedkvMetadata",
        """cuSeqLensQ cuSeqLensOriKv cuSeqLensCmpKv sequsedQ sequsedKv numHeadsQ numHeadsKv headDim batchSize maxSeqlenQ
        maxSeqlenKv oriTopK cmpTopK cmpRatio oriMaskMode cmpMaskMode oriWinLeft oriWinRight layoutQ layoutKv hasOriKv
        hasCmpKv metadata""",
        rename={
            "cuSeqLensQ": "cu_seqlens_q",
            "cuSeqLensOriKv": "cu_seqlens_ori_kv",
            "cuSeqLensCmpKv": "cu_seqlens_cmp_kv",
            "sequsedQ": "seqused_q",
            "sequsedKv": "seqused_kv",
            "oriTopK": "ori_topk",
            "cmpTopK": "cmp_topk",
        },
        outputs={"metadata": "metadata"},
        dropped=("device",),
    ),
    disagreements=(
        "Defaults of cmp_ratio (-1, 4), ori_win_left (127, 128) and device differ between custom and _C_ascend.",
    ),
)
