"""lightning_indexer_metadata: the core split of lightning_indexer, made on the device from lengths."""

from .aclnn import Aclnn
from .quant_lightning_indexer import LENGTHS
from .quant_lightning_indexer_metadata import NONE_MEANS, PLAN_ATTRIBUTES, plan_constraints
from .rows import METADATA_RESULT
from .rules import in_range
from .spec import Lengths, Spec, Variant
from .target import A2, A3, ASCEND950

SPEC = Spec(
    name="lightning_indexer_metadata",
    about="Plans how the cores share a lightning_indexer call. Pure: equal arguments give a plan every layer may "
    "share.",
    source="ops-transformer, lightning_indexer torch binding",
    published=(
        Variant(
            "cann_ops_transformer",
            """lightning_indexer_metadata(int num_heads_q, int num_heads_k, int head_dim, int topk, *, Tensor?
        cu_seqlens_q=None, Tensor? cu_seqlens_k=None, Tensor? seqused_q=None, Tensor? seqused_k=None, Tensor?
        cmp_residual_k=None, int? batch_size=None, int? max_seqlen_q=None, int? max_seqlen_k=None, str?
        layout_q=None, str? layout_k=None, int? mask_mode=None, int? cmp_ratio=None) -> Tensor""",
        ),
    ),
    tensors=LENGTHS,
    attributes=PLAN_ATTRIBUTES,
    results=(METADATA_RESULT,),
    example={
        "num_heads_q": 64,
        "num_heads_k": 1,
        "head_dim": 128,
        "topk": 512,
        "seqused_k": "int32 2",
        "batch_size": 2,
        "max_seqlen_q": 3,
        "max_seqlen_k": 64,
        "layout_k": "PA_BBND",
    },
    constraints=plan_constraints(in_range("topk", 1), in_range("max_seqlen_q", -1)),
    chips=(ASCEND950, A3, A2),
    lengths=Lengths.COMPRESSED,
    aclnn=Aclnn(
        "aclnnLightningIndexerV2Metadata",
        """cuSeqlensQ cuSeqlensK sequsedQ sequsedK cmpResidualK numHeadsQ numHeadsK headDim topk batchSize maxSeqlenQ
        maxSeqlenK layoutQ layoutK maskMode cmpRatio metaData""",
        rename={"sequsedQ": "seqused_q", "sequsedK": "seqused_k"},
        outputs={"metaData": "metadata"},
    ),
    none_means=NONE_MEANS,
)
