"""sparse_flash_mla_metadata: the core split of sparse_flash_mla, made on the device from lengths."""

from .aclnn import Aclnn
from .constraint import on
from .quant_sparse_flash_mla_metadata import NONE_MEANS, PLAN_ATTRIBUTES, PLAN_TENSORS, plan_constraints
from .rows import METADATA_RESULT
from .rules import in_range, one_of
from .spec import Lengths, Spec, Variant
from .target import A2, A3, ASCEND950, CHIPS

SPEC = Spec(
    name="sparse_flash_mla_metadata",
    about="Plans how the cores share a sparse_flash_mla call. Pure: equal arguments give a plan every layer may share.",
    source="ops-transformer, sparse_flash_mla document and torch binding",
    published=(
        Variant(
            "cann_ops_transformer",
            """sparse_flash_mla_metadata(int num_heads_q, int num_heads_kv, int head_dim, *, Tensor?
        cu_seqlens_q=None, Tensor? cu_seqlens_ori_kv=None, Tensor? cu_seqlens_cmp_kv=None, Tensor? seqused_q=None,
        Tensor? seqused_ori_kv=None, Tensor? seqused_cmp_kv=None, Tensor? cmp_residual_kv=None, Tensor?
        ori_topk_length=None, Tensor? cmp_topk_length=None, int? batch_size=None, int? max_seqlen_q=None, int?
        max_seqlen_ori_kv=None, int? max_seqlen_cmp_kv=None, int? ori_topk=None, int? cmp_topk=None, int?
        cmp_ratio=None, int? ori_mask_mode=None, int? cmp_mask_mode=None, int? ori_win_left=None, int?
        ori_win_right=None, str? layout_q=None, str? layout_kv=None, bool? has_ori_kv=None, bool? has_cmp_kv=None)
        -> Tensor""",
        ),
    ),
    tensors=PLAN_TENSORS,
    attributes=PLAN_ATTRIBUTES,
    results=(METADATA_RESULT,),
    example={
        "num_heads_q": 64,
        "num_heads_kv": 1,
        "head_dim": 512,
        "batch_size": 2,
    },
    constraints=plan_constraints(
        one_of("has_ori_kv", True), on(CHIPS, in_range("num_heads_q", 1, 128)), (ASCEND950, A3, A2)
    ),
    chips=(ASCEND950, A3, A2),
    lengths=Lengths.COMPRESSED,
    aclnn=Aclnn(
        "aclnnSparseFlashMlaMetadata",
        """cuSeqlensQ cuSeqlensOriKv cuSeqlensCmpKv sequsedQ sequsedOriKv sequsedCmpKv cmpResidualKv oriTopkLength
        cmpTopkLength numHeadsQ numHeadsKv headDim batchSize maxSeqlenQ maxSeqlenOriKv maxSeqlenCmpKv oriTopk cmpTopk
        cmpRatio oriMaskMode cmpMaskMode oriWinLeft oriWinRight layoutQ layoutKv hasOriKv hasCmpKv metaData""",
        rename={"sequsedQ": "seqused_q", "sequsedOriKv": "seqused_ori_kv", "sequsedCmpKv": "seqused_cmp_kv"},
        outputs={"metaData": "metadata"},
    ),
    none_means=NONE_MEANS,
    disagreements=(
        "An earlier form of the aclnn function has no compressed lengths, residuals and topk lengths and one key "
        "length; this is the form of the current header.",
    ),
)
