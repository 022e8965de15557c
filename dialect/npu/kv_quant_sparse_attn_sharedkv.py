"""kv_quant_sparse_attn_sharedkv: bf16 queries over paged 640-byte rows, a window and compressed rows by list or prefix.

A row is 64 bf16 rotary elements, 448 E4M3 elements, 7 E8M0 scales (one for 64 elements), and padding. Ascend 950 only.
"""

from .aclnn import Aclnn
from .constraint import on, warn
from .rows import BFLOAT16, E4M3, FLOAT32, KV_ROW, Result, like
from .rules import (
    contiguous,
    dim_in,
    dim_is,
    exactly_with,
    forbidden,
    in_range,
    not_empty,
    one_of,
    required,
    targets,
)
from .rules_lengths import absent, is_, is_not, prefix_sums, sparse_prefix, table_covers, used_within
from .shapes import dtypes_accepted, shapes_agree
from .sharedkv_family import (
    ACLNN_RENAME,
    ACLNN_TENSORS,
    LAYOUT_ARGUMENTS,
    MASK_ARGUMENTS,
    PAGED,
    RESERVED,
    SHAREDKV_ATTRIBUTES,
    TENSOR_ARGUMENTS,
    keys_alike,
    lse_shape,
    mode,
    ratio_one_without_compression,
    ratio_positive,
    ratio_with_compression,
    scale_given,
    sharedkv_tensors,
)
from .spec import Lengths, Spec, Variant
from .target import ASCEND950, CHIPS

CONTIGUOUS = ("q", "ori_sparse_indices", "cmp_sparse_indices")
TENSORS = sharedkv_tensors((E4M3, KV_ROW), BFLOAT16, "W")

CONSTRAINTS = {
    "c1": targets(ASCEND950),
    "c2": shapes_agree(TENSORS),
    "c3": dtypes_accepted(TENSORS),
    "c4": on(CHIPS, not_empty()),
    "c5": dim_is("D", 512, what="head size of q"),
    "c6": dim_is("W", 640, what="bytes of a key row"),
    "c7": on(CHIPS, dim_is("N1", 64, 128, what="query heads")).noting(
        "N1 is the head count of one tensor-parallel rank, so dividing 64 or 128 heads over ranks leaves the "
        "supported set."
    ),
    "c8": dim_is("N2", 1, what="key heads"),
    "c9": one_of("kv_quant_mode", 1).noting(
        "The model recipes also pass 10 for HIFLOAT8 rows; no document describes it."
    ),
    "c10": one_of("tile_size", 64).noting("The document's default is None, the schema's 0; always pass it."),
    "c11": one_of("rope_head_dim", 64).noting("The schema's default is 0; always pass it."),
    "c12": one_of("layout_q", "BSND", "TND"),
    "c13": one_of("layout_kv", PAGED),
    "c14": required("ori_kv", "ori_block_table").noting(
        "The document calls both optional though every mode has them; the host check asks for either block table."
    ),
    "c15": exactly_with("cmp_kv", "cmp_block_table"),
    "c16": required("seqused_kv").noting("The document calls it optional; paged keys have no other length."),
    "c17": on(CHIPS, required("sinks")),
    "c18": on(CHIPS, required("metadata", because="(kv_quant_sparse_attn_sharedkv_metadata makes it)")),
    "c19": on(CHIPS, ratio_with_compression(4, 128)),
    "c20": ratio_positive,
    "c21": on(CHIPS, warn(ratio_one_without_compression)),
    "c22": one_of("ori_mask_mode", 4),
    "c23": one_of("cmp_mask_mode", 3),
    "c24": on(CHIPS, one_of("ori_win_left", 127)).noting("The host check asks only for at least 0."),
    "c25": on(CHIPS, one_of("ori_win_right", 0)).noting("The host check asks only for at least 0."),
    "c26": in_range("ori_win_left", 0),
    "c27": in_range("ori_win_right", 0),
    "c28": on(CHIPS, one_of("return_softmax_lse", False)).noting(
        "Reserved; the value is documented as invalid, and its text sums over original keys only."
    ),
    "c29": warn(forbidden(*RESERVED, because="though reserved: it has no effect")),
    "c30": on(CHIPS, forbidden("cu_seqlens_ori_kv", "cu_seqlens_cmp_kv", because="though reserved for packed keys")),
    "c31": required("cu_seqlens_q", when=is_("layout_q", "TND"), because="with layout_q TND"),
    "c32": forbidden("cu_seqlens_q", when=is_not("layout_q", "TND"), because="without layout_q TND"),
    "c33": forbidden("cmp_sparse_indices", when=absent("cmp_kv"), because="without cmp_kv"),
    "c34": on(CHIPS, dim_is("K2", 512, 1024, what="list width")).noting(
        "The document says K counts blocks taken at once; code and vectors take rows."
    ),
    "c35": on(CHIPS, dim_is("K1", 512, 1024, what="original list width")),
    "c36": on(CHIPS, dim_in("size1", 16, 1024, what="rows of an original block", multiple=16)),
    "c37": on(CHIPS, dim_in("size2", 16, 1024, what="rows of a compressed block", multiple=16)),
    "c38": table_covers("ori_block_table", "seqused_kv", "size1"),
    "c39": table_covers("cmp_block_table", "seqused_kv", "size2", ratio="cmp_ratio"),
    "c40": prefix_sums("cu_seqlens_q", "T1"),
    "c41": used_within("seqused_kv", "", ""),
    "c42": on(CHIPS, sparse_prefix("cmp_sparse_indices")),
    "c43": keys_alike,
    "c44": on(CHIPS, contiguous(*CONTIGUOUS, axis0_free=("ori_kv", "cmp_kv"))).noting(
        "The document asks for contiguous keys; the aclnn call takes an axis-0 stride for both."
    ),
    "c45": scale_given,
}

_ATTRIBUTES = f"""int tile_size=0, int rope_head_dim=0, float softmax_scale=0, int cmp_ratio=0, {MASK_ARGUMENTS},
    int ori_win_left=127, int ori_win_right=0, {LAYOUT_ARGUMENTS}, bool return_softmax_lse=False"""


def _published(namespace: str, keywords: str) -> Variant:
    text = f"""npu_kv_quant_sparse_attn_sharedkv(Tensor q, int kv_quant_mode, {keywords}{TENSOR_ARGUMENTS},
    {_ATTRIBUTES})
        -> (Tensor, Tensor)"""
    return Variant(namespace, text)


SPEC = Spec(
    name="kv_quant_sparse_attn_sharedkv",
    about="Attention of bf16 queries over a window of paged 640-byte rows and selected or prefixed compressed rows.",
    source="ops-transformer, KvQuantSparseAttnSharedkv document; cann-recipes-infer and vllm-ascend torch bindings",
    published=(_published("custom", "*, "), _published("_C_ascend", "")),
    tensors=TENSORS,
    attributes={
        "kv_quant_mode": "1: E4M3 elements with a scale for each tile.",
        "tile_size": "Elements of a scale, 64.",
        "rope_head_dim": "Rotary elements of a row, 64.",
    }
    | SHAREDKV_ATTRIBUTES,
    results=(
        Result("attention_out", like("q"), BFLOAT16, about="The attention output."),
        Result("softmax_lse", lse_shape, FLOAT32, about="Documented as invalid; (0,) when not asked for."),
    ),
    example={
        "q": "bfloat16 2 3 64 512",
        "kv_quant_mode": 1,
        "ori_kv": "float8_e4m3fn 9 16 1 640",
        "ori_block_table": "int32 2 3",
        "seqused_kv": "int32 2",
        "sinks": "float32 64",
        "metadata": "int32 1024",
        "tile_size": 64,
        "rope_head_dim": 64,
        "softmax_scale": 0.05,
        "cmp_ratio": 1,
    },
    constraints=CONSTRAINTS,
    chips=(ASCEND950,),
    lengths=Lengths.UNCOMPRESSED,
    aclnn=Aclnn(
        "aclnnKvQuantSparseAttnSharedkv",
        ACLNN_TENSORS
        + """ kvQuantMode tileSize ropeHeadDim softmaxScale cmpRatio oriMaskMode cmpMaskMode oriWinLeft oriWinRight
        layoutQ layoutKv oriKvStride0 cmpKvStride0 returnSoftmaxLse attnOut softmaxLse""",
        rename=ACLNN_RENAME,
        strides={"oriKvStride0": "ori_kv", "cmpKvStride0": "cmp_kv"},
        outputs={"attnOut": "attention_out", "softmaxLse": "softmax_lse"},
    ),
    mode=mode,
    disagreements=(
        "C++ shape inference reads return_softmax_lse from another attribute's slot and gives the lse the shape "
        "of q with last dim 1; "
        "here it has the document's shape.",
        "Model code writes rows with bf16 scales and passes head size 640 to the plan; document and kernel want "
        "E8M0 scales and 512.",
        "A kernel comment swaps the sizes of the rotary and the other part of a row.",
        "Everything after kv_quant_mode is keyword-only in custom, and may be positional in _C_ascend.",
    ),
    facts=("Inference only.", "May be captured in an aclgraph."),
)
