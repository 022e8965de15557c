"""sparse_flash_mla: quant_sparse_flash_mla without quantisation, for bf16 and fp16, also on Atlas A3 and A2."""

from .aclnn import Aclnn
from .call import Call
from .constraint import Constraint, on, rule
from .mla_family import MLA_ATTRIBUTES, lse_shape, mla_tensors, mode
from .quant_lightning_indexer import ATLAS
from .quant_sparse_flash_mla import CONSTRAINTS as QUANT_CONSTRAINTS
from .rows import BFLOAT16, FLOAT16, FLOAT32, Result, dtype_like, like
from .rules import contiguous, dim_in, dim_is, one_of, required, targets
from .shapes import dtypes_accepted, shapes_agree
from .spec import Lengths, Spec, Variant
from .target import A2, A3, ASCEND950, CHIPS

TENSORS = mla_tensors((BFLOAT16, FLOAT16), scaled=False)
RATIO_OF_MODE = {"SWA": 1, "CSA": 4, "HCA": 128}


@rule("`q`, `ori_kv` and `cmp_kv` have one dtype.", "convert them to the dtype of q")
def one_dtype(call: Call) -> str | None:
    wanted = call.tensors["q"].dtype
    for name in ("ori_kv", "cmp_kv"):
        if call.has(name) and call.tensors[name].dtype != wanted:
            return f"{name} is {call.tensors[name].dtype} and q is {wanted}"
    return None


@rule(
    "The ratio is 1 with a window only, 4 with a list, 128 with a compressed prefix.",
    "use one of these modes, or ascend950",
)
def ratio_of_mode(call: Call) -> str | None:
    """The lists of supported ratios differ between the document's chapters; this is the one of its argument table."""
    wanted = RATIO_OF_MODE.get(mode(call))
    if wanted is None:
        return f"the mode is {mode(call)}"
    return (
        None if call["cmp_ratio"] == wanted else f"cmp_ratio is {call['cmp_ratio']} in mode {mode(call)}, not {wanted}"
    )


def window_is(left: int, right: int) -> Constraint:
    """A fixed band."""

    def check(call: Call) -> str | None:
        window = (call["ori_win_left"], call["ori_win_right"])
        return (
            None if window == (left, right) else f"ori_win_left/right are {window[0]}/{window[1]}, not {left}/{right}"
        )

    fix = f"pass ori_win_left = {left}, ori_win_right = {right}, or use ascend950"
    return Constraint(f"`ori_win_left`/`ori_win_right` are {left}/{right}.", check, fix)


# The rules of the quantised sibling under their numbers; its quantisation (c9, c13) makes room for what is new here.
CONSTRAINTS = QUANT_CONSTRAINTS | {
    "c1": targets(ASCEND950, A3, A2),
    "c2": shapes_agree(TENSORS),
    "c3": dtypes_accepted(TENSORS),
    "c9": one_dtype,
    "c10": required("ori_kv"),
    "c12": on(CHIPS, required("metadata", because="(sparse_flash_mla_metadata makes it)")),
    "c13": on(ATLAS, dim_is("N1", 1, 2, 4, 8, 16, 32, 64, 128, what="query heads")),
    "c49": on(CHIPS, contiguous("q", "sinks", axis0_free=("ori_kv", "cmp_kv"))),
    "c50": on(ATLAS, dim_in("size1", 16, 1024, what="rows of an original block", multiple=16)),
    "c51": on(ATLAS, dim_in("size2", 16, 1024, what="rows of a compressed block", multiple=16)),
    "c52": on(ATLAS, window_is(127, 0)),
    "c53": on(ATLAS, ratio_of_mode),
    "c54": on(ATLAS, dim_is("K2", 512, 1024, what="compressed list width")),
    "c55": on(ATLAS, contiguous("ori_kv", "cmp_kv")),
    "c56": on(ATLAS, one_of("ori_mask_mode", 4)),
}

_TENSOR_ARGUMENTS = """Tensor? ori_kv=None, Tensor? cmp_kv=None, Tensor? ori_sparse_indices=None, Tensor?
cmp_sparse_indices=None,
    Tensor? ori_block_table=None, Tensor? cmp_block_table=None, Tensor? cu_seqlens_q=None, Tensor?
    cu_seqlens_ori_kv=None, Tensor? cu_seqlens_cmp_kv=None, Tensor? seqused_q=None, Tensor? seqused_ori_kv=None,
    Tensor? seqused_cmp_kv=None, Tensor? cmp_residual_kv=None, Tensor? ori_topk_length=None, Tensor?
    cmp_topk_length=None, Tensor? sinks=None, Tensor? metadata=None, float softmax_scale=1.0, int cmp_ratio=1"""
_LAYOUT_ARGUMENTS = 'str layout_q="BSND", str layout_kv="BSND", int topk_value_mode=1, bool return_softmax_lse=False'


def _published(masks: str) -> Variant:
    text = f"sparse_flash_mla(Tensor q, *, {_TENSOR_ARGUMENTS}, {masks}, {_LAYOUT_ARGUMENTS}) -> (Tensor, Tensor)"
    return Variant("cann_ops_transformer", text)


SPEC = Spec(
    name="sparse_flash_mla",
    about="Multi-head latent attention over a window of original keys and selected or prefixed compressed keys, "
    "bf16 or fp16.",
    source="ops-transformer, sparse_flash_mla document, torch binding and argument checker",
    published=(
        _published("int ori_mask_mode=0, int cmp_mask_mode=0, int ori_win_left=-1, int ori_win_right=-1"),
        _published("int ori_mask_mode=4, int cmp_mask_mode=3, int ori_win_left=127, int ori_win_right=0"),
    ),
    tensors=TENSORS,
    attributes=MLA_ATTRIBUTES,
    results=(
        Result("attn_out", like("q"), dtype_like("q"), about="The attention output, in the dtype of q."),
        Result("softmax_lse", lse_shape, FLOAT32, about="m + ln(denominator), sink included; (0,) when not asked for."),
    ),
    example={
        "q": "bfloat16 2 3 64 512",
        "ori_kv": "bfloat16 9 16 1 512",
        "ori_block_table": "int32 2 3",
        "seqused_ori_kv": "int32 2",
        "sinks": "float32 64",
        "metadata": "int32 1024",
        "softmax_scale": 0.05,
        "cmp_ratio": 1,
        "ori_mask_mode": 4,
        "ori_win_left": 127,
        "ori_win_right": 0,
        "layout_kv": "PA_BBND",
    },
    constraints=CONSTRAINTS,
    chips=(ASCEND950, A3, A2),
    lengths=Lengths.COMPRESSED,
    aclnn=Aclnn(
        "aclnnSparseFlashMla",
        """q oriKv cmpKv oriSparseIndices cmpSparseIndices oriBlockTable cmpBlockTable cuSeqlensQ cuSeqlensOriKv
        cuSeqlensCmpKv sequsedQ sequsedOriKv sequsedCmpKv cmpResidualKv oriTopkLength cmpTopkLength sinks metadata
        softmaxScale cmpRatio oriMaskMode cmpMaskMode oriWinLeft oriWinRight layoutQ layoutKv topkValueMode
        returnSoftmaxLse attnOut softmaxLseOut""",
        rename={"sequsedQ": "seqused_q", "sequsedOriKv": "seqused_ori_kv", "sequsedCmpKv": "seqused_cmp_kv"},
        outputs={"attnOut": "attn_out", "softmaxLseOut": "softmax_lse"},
    ),
    mode=mode,
    disagreements=(
        "The golden takes the compressed threshold from the original length and ignores the residual; the "
        "document from both. "
        "They agree when the lengths are consistent.",
        "Default masks are 0/0 and windows -1/-1 in the current schema, 4/3 and 127/0 in the document and an "
        "earlier schema.",
    ),
    facts=("Inference only.",),
)
