"""quant_sparse_flash_mla: attention of HIFLOAT8 queries over a window of original keys and, by list or prefix,
compressed keys.

Keys and values are the same tensor. The kernel exists on Ascend 950 only.
"""

from .aclnn import Aclnn
from .constraint import on, warn
from .mla_family import (
    MLA_ATTRIBUTES,
    PAGED,
    compressed_length_open,
    documented_list_modes,
    length_for_unmasked_list,
    lse_shape,
    mla_tensors,
    mode,
    no_compressed_leftovers,
    original_length_open,
    paged,
    residual_matters,
    window_only_with_band,
)
from .rows import BFLOAT16, FLOAT32, HIFLOAT8, Result, like
from .rules import contiguous, dim_in, dim_is, finite, forbidden, in_range, not_empty, one_of, required, targets
from .rules_lengths import (
    both,
    given,
    is_,
    is_not,
    layout_pair,
    prefix_sums,
    remainders,
    sparse_prefix,
    table_covers,
    used_within,
)
from .shapes import dtypes_accepted, shapes_agree
from .spec import Lengths, Spec, Variant
from .target import ASCEND950, CHIPS

TENSORS = mla_tensors(HIFLOAT8, scaled=True)

CONSTRAINTS = {
    "c1": targets(ASCEND950),
    "c2": shapes_agree(TENSORS),
    "c3": dtypes_accepted(TENSORS),
    "c4": on(CHIPS, not_empty()).noting(
        'The document says that "non-empty" tensors are unsupported; it means empty ones.'
    ),
    "c5": dim_is("D", 512, what="head size"),
    "c6": dim_is("N2", 1, what="key heads"),
    "c7": on(CHIPS, dim_in("N1", 1, 128, what="query heads")),
    "c8": layout_pair("layout_q", "layout_kv", PAGED),
    "c9": one_of("quant_mode", 1).noting(
        "The operator document calls mode 1 per token; API document, tests and the model pass one scale a tensor, "
        "shape [1]."
    ),
    "c10": required("ori_kv", "q_descale", "ori_kv_descale").noting(
        "The document calls them optional; the checker does not."
    ),
    "c11": on(CHIPS, required("sinks")).noting("The document calls sinks optional; the checker requires them."),
    "c12": on(CHIPS, required("metadata", because="(quant_sparse_flash_mla_metadata makes it)")),
    "c13": required("cmp_kv_descale", when=given("cmp_kv"), because="with cmp_kv"),
    "c14": on(CHIPS, no_compressed_leftovers),
    "c15": in_range("cmp_ratio", 1, 128),
    "c16": one_of("ori_mask_mode", 0, 3, 4),
    "c17": one_of("cmp_mask_mode", 0, 3),
    "c18": in_range("ori_win_left", -1),
    "c19": in_range("ori_win_right", -1),
    "c20": window_only_with_band,
    "c21": required(
        "cmp_residual_kv", when=residual_matters, because="with cmp_kv, cmp_mask_mode 3 and cmp_ratio above 1"
    ).noting("The document calls it optional; the checker requires it."),
    "c22": length_for_unmasked_list,
    "c23": on(CHIPS, warn(documented_list_modes)),
    "c24": required("ori_block_table", when=paged, because="with layout_kv PA_BBND").noting(
        "Documents say that table values are positive; 0 is a block id like any other, -1 marks an unused entry."
    ),
    "c25": required("cmp_block_table", when=both(paged, given("cmp_kv")), because="with layout_kv PA_BBND and cmp_kv"),
    "c26": forbidden("ori_block_table", "cmp_block_table", when=is_not("layout_kv", PAGED), because="without PA_BBND"),
    "c27": required("seqused_ori_kv", when=original_length_open, because="with layout_kv PA_BBND").noting(
        "The document asks for it always with PA_BBND; the checker not in the fully sparse modes."
    ),
    "c28": required("seqused_cmp_kv", when=compressed_length_open, because="with layout_kv PA_BBND and cmp_kv").noting(
        "The document calls it optional and derives the length from the block table; the checker wants it."
    ),
    "c29": required("cu_seqlens_q", when=is_("layout_q", "TND"), because="with layout_q TND"),
    "c30": required("cu_seqlens_ori_kv", when=is_("layout_kv", "TND"), because="with layout_kv TND").noting(
        "The document takes the original length from it alone; code and golden let seqused_ori_kv shorten it."
    ),
    "c31": required(
        "cu_seqlens_cmp_kv",
        when=both(is_("layout_kv", "TND"), given("cmp_kv")),
        because="with layout_kv TND and cmp_kv",
    ),
    "c32": forbidden("cu_seqlens_q", when=is_not("layout_q", "TND"), because="without layout_q TND"),
    "c33": forbidden(
        "cu_seqlens_ori_kv", "cu_seqlens_cmp_kv", when=is_not("layout_kv", "TND"), because="without TND keys"
    ),
    "c34": on(CHIPS, dim_in("size1", 1, 1024, what="rows of an original block")),
    "c35": on(CHIPS, dim_in("size2", 1, 1024, what="rows of a compressed block")),
    "c36": table_covers("ori_block_table", "seqused_ori_kv", "size1"),
    "c37": table_covers("cmp_block_table", "seqused_cmp_kv", "size2"),
    "c38": one_of("topk_value_mode", 1).noting(
        "The document leaves its values open; the checker that runs accepts 1, an older one still mentions 2."
    ),
    "c39": finite("softmax_scale").noting("The schema's default is None, the document's 1.0; always pass it."),
    "c40": prefix_sums("cu_seqlens_q", "T1"),
    "c41": prefix_sums("cu_seqlens_ori_kv", "T2"),
    "c42": prefix_sums("cu_seqlens_cmp_kv", "T3"),
    "c43": used_within("seqused_q", "cu_seqlens_q", "S1"),
    "c44": used_within("seqused_ori_kv", "cu_seqlens_ori_kv", "S2"),
    "c45": used_within("seqused_cmp_kv", "cu_seqlens_cmp_kv", "S3"),
    "c46": remainders("cmp_residual_kv", "cmp_ratio").noting("With mask mode 0 the kernel ignores the residual."),
    "c47": on(CHIPS, sparse_prefix("cmp_sparse_indices")).noting(
        "The kernel does not look for -1 inside the counted prefix; the golden stops there."
    ),
    "c48": on(CHIPS, sparse_prefix("ori_sparse_indices")),
    "c49": on(CHIPS, contiguous("q", "q_descale", "sinks", axis0_free=("ori_kv", "cmp_kv"))),
}

SPEC = Spec(
    name="quant_sparse_flash_mla",
    about="HIFLOAT8 multi-head latent attention over a window of original keys and selected or prefixed "
    "compressed keys.",
    source="ops-transformer, quant_sparse_flash_mla document, torch binding and argument checker",
    published=(
        Variant(
            "cann_ops_transformer",
            """quant_sparse_flash_mla(Tensor q, *, Tensor? ori_kv=None, Tensor? cmp_kv=None, Tensor? q_descale=None,
        Tensor? ori_kv_descale=None, Tensor? cmp_kv_descale=None, Tensor? ori_sparse_indices=None, Tensor?
        cmp_sparse_indices=None, Tensor? ori_block_table=None, Tensor? cmp_block_table=None, Tensor?
        cu_seqlens_q=None, Tensor? cu_seqlens_ori_kv=None, Tensor? cu_seqlens_cmp_kv=None, Tensor? seqused_q=None,
        Tensor? seqused_ori_kv=None, Tensor? seqused_cmp_kv=None, Tensor? cmp_residual_kv=None, Tensor?
        ori_topk_length=None, Tensor? cmp_topk_length=None, Tensor? sinks=None, Tensor? metadata=None, int
        quant_mode=None, float softmax_scale=None, int cmp_ratio=None, int ori_mask_mode=0, int cmp_mask_mode=0, int
        ori_win_left=-1, int ori_win_right=-1, str layout_q="BSND", str layout_kv="BSND", int topk_value_mode=1,
        bool return_softmax_lse=False) -> (Tensor, Tensor)""",
        ),
    ),
    tensors=TENSORS,
    attributes={"quant_mode": "1: HIFLOAT8 with one scale for each of query, original and compressed keys."}
    | MLA_ATTRIBUTES,
    results=(
        Result("attn_out", like("q"), BFLOAT16, about="The attention output."),
        Result("softmax_lse", lse_shape, FLOAT32, about="m + ln(denominator), sink included; (0,) when not asked for."),
    ),
    example={
        "q": "hifloat8 2 3 8 512",
        "ori_kv": "hifloat8 2 40 1 512",
        "q_descale": "float32 1",
        "ori_kv_descale": "float32 1",
        "sinks": "float32 8",
        "metadata": "int32 1024",
        "quant_mode": 1,
        "softmax_scale": 0.05,
        "cmp_ratio": 1,
    },
    constraints=CONSTRAINTS,
    chips=(ASCEND950,),
    lengths=Lengths.COMPRESSED,
    aclnn=Aclnn(
        "aclnnQuantSparseFlashMla",
        """q oriKv cmpKv qDescale oriKvDescale cmpKvDescale oriSparseIndices cmpSparseIndices oriBlockTable
        cmpBlockTable cuSeqlensQ cuSeqlensOriKv cuSeqlensCmpKv sequsedQ sequsedOriKv sequsedCmpKv cmpResidualKv
        oriTopkLength cmpTopkLength sinks metadata quantMode softmaxScale cmpRatio oriMaskMode cmpMaskMode
        oriWinLeft oriWinRight layoutQ layoutKv topkValueMode returnSoftmaxLse attnOut softmaxLseOut""",
        rename={"sequsedQ": "seqused_q", "sequsedOriKv": "seqused_ori_kv", "sequsedCmpKv": "seqused_cmp_kv"},
        outputs={"attnOut": "attn_out", "softmaxLseOut": "softmax_lse"},
    ),
    mode=mode,
    disagreements=(
        "The API document gives attn_out the dtype of q; it is bfloat16.",
        "softmax_lse that was not asked for is [1] zeros in the document, 0-d in the python meta kernel and (0,) "
        "in C++; (0,) here.",
        "The document's defaults are softmax_scale 1.0 and cmp_ratio 1 with quant_mode second and positional; the "
        "schema has None and keywords.",
        "A batch of original length 0 is skipped by the kernel; the golden still attends its compressed rows.",
    ),
    facts=("Inference only.", "May be captured in an aclgraph."),
)
