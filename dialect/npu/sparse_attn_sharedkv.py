"""sparse_attn_sharedkv: kv_quant_sparse_attn_sharedkv with plain bf16 or fp16 keys, on Atlas A3 and A2."""

from .aclnn import Aclnn
from .constraint import on
from .kv_quant_sparse_attn_sharedkv import CONSTRAINTS as QUANT_CONSTRAINTS
from .rows import BFLOAT16, FLOAT16, FLOAT32, Result, dtype_like, like
from .rules import dim_is, required, targets
from .shapes import dtypes_accepted, shapes_agree
from .sharedkv_family import (
    ACLNN_RENAME,
    ACLNN_TENSORS,
    LAYOUT_ARGUMENTS,
    MASK_ARGUMENTS,
    SHAREDKV_ATTRIBUTES,
    TENSOR_ARGUMENTS,
    lse_shape,
    mode,
    sharedkv_tensors,
)
from .sparse_flash_mla import one_dtype
from .spec import Lengths, Spec, Variant
from .target import A2, A3, CHIPS

HALF = (BFLOAT16, FLOAT16)
TENSORS = sharedkv_tensors(HALF, HALF, "D")

# The rules of the quantised sibling without those of its row format, renumbered; then what differs.
_SHARED = [rule for number, rule in QUANT_CONSTRAINTS.items() if number not in ("c9", "c10", "c11", "c43")]
CONSTRAINTS = {f"c{number}": rule for number, rule in enumerate(_SHARED, start=1)} | {
    "c1": targets(A3, A2),
    "c2": shapes_agree(TENSORS),
    "c3": dtypes_accepted(TENSORS),
    "c5": dim_is("D", 512, what="head size"),
    "c6": one_dtype,
    "c7": on(CHIPS, dim_is("N1", 64, what="query heads")),
    "c15": on(CHIPS, required("metadata", because="(sparse_attn_sharedkv_metadata makes it)")),
    "c31": on(CHIPS, dim_is("K2", 512, what="list width")),
}


def _published(namespace: str, window: int) -> Variant:
    text = f"""npu_sparse_attn_sharedkv(Tensor q, *, {TENSOR_ARGUMENTS}, float softmax_scale=0, int cmp_ratio=0,
    {MASK_ARGUMENTS},
        int ori_win_left={window}, int ori_win_right=0, {LAYOUT_ARGUMENTS}, bool return_softmax_lse=False) ->
        (Tensor, Tensor)"""
    return Variant(namespace, text)


SPEC = Spec(
    name="sparse_attn_sharedkv",
    about="Attention of bf16 or fp16 queries over a window of paged keys and selected or prefixed compressed keys.",
    source="cann-recipes-infer document and torch binding; vllm-ascend torch binding",
    published=(_published("custom", 127), _published("_C_ascend", 128)),
    tensors=TENSORS,
    attributes=SHAREDKV_ATTRIBUTES,
    results=(
        Result("attention_out", like("q"), dtype_like("q"), about="The attention output."),
        Result("softmax_lse", lse_shape, FLOAT32, about="(0,) when not asked for."),
    ),
    example={
        "q": "bfloat16 2 3 64 512",
        "ori_kv": "bfloat16 9 16 1 512",
        "ori_block_table": "int32 2 3",
        "seqused_kv": "int32 2",
        "sinks": "float32 64",
        "metadata": "int32 1024",
        "softmax_scale": 0.05,
        "cmp_ratio": 1,
    },
    constraints=CONSTRAINTS,
    chips=(A3, A2),
    lengths=Lengths.UNCOMPRESSED,
    aclnn=Aclnn(
        "aclnnSparseAttnSharedkv",
        ACLNN_TENSORS
        + """ softmaxScale cmpRatio oriMaskMode cmpMaskMode oriKvStride cmpKvStride oriWinLeft oriWinRight layoutQ
        layoutKv returnSoftmaxLse attnOutOut softmaxLseOut""",
        rename=ACLNN_RENAME,
        strides={"oriKvStride": "ori_kv", "cmpKvStride": "cmp_kv"},
        outputs={"attnOutOut": "attention_out", "softmaxLseOut": "softmax_lse"},
    ),
    mode=mode,
    disagreements=("ori_win_left defaults to 127 in custom and to 128 in _C_ascend; always pass it.",),
    facts=("Inference only.",),
)
