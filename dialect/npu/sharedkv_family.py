"""What the two sharedkv operators and their plans share: paged keys, uncompressed lengths, a fixed window and
causal compression.
"""

from .call import Call
from .constraint import Constraint, rule
from .rows import FLOAT32, METADATA, Dtypes, TensorRow, index, tensor
from .rules import finite

PAGED = "PA_ND"
RESERVED = ("ori_sparse_indices", "seqused_q")
"""Accepted, without effect."""


def sharedkv_tensors(keys: Dtypes, query: Dtypes, row: str) -> dict[str, TensorRow]:
    """The tensor rows of the family in schema order; `row` names the last axis of the keys."""
    return {
        "q": tensor(query, by="layout_q", BSND="B S1 N1 D", TND="T1 N1 D", about="Queries."),
        "ori_kv": tensor(keys, f"blocks1 size1 N2 {row}", about="Blocks of original keys, also the values."),
        "cmp_kv": tensor(keys, f"blocks2 size2 N2 {row}", about="Blocks of compressed keys, also the values."),
        "ori_sparse_indices": index(
            by="layout_q", BSND="B S1 N2 K1", TND="T1 N2 K1", about="Reserved, without effect."
        ),
        "cmp_sparse_indices": index(
            by="layout_q",
            BSND="B S1 N2 K2",
            TND="T1 N2 K2",
            about="Compressed rows each query attends, -1 after the last.",
        ),
        "ori_block_table": index("B _", about="Blocks of the original keys of each batch."),
        "cmp_block_table": index("B _", about="Blocks of the compressed keys of each batch."),
        "cu_seqlens_q": index("B+1", about="Running sums of query lengths (TND)."),
        "cu_seqlens_ori_kv": index("B+1", about="Reserved for packed keys."),
        "cu_seqlens_cmp_kv": index("B+1", about="Reserved for packed keys."),
        "seqused_q": index("B", about="Reserved, without effect."),
        "seqused_kv": index(
            "B", about="Original key length of each batch; the compressed one is floor(length / ratio)."
        ),
        "sinks": tensor(FLOAT32, "N1", about="One logit a head, part of the softmax denominator only."),
        "metadata": METADATA,
    }


SHAREDKV_ATTRIBUTES = {
    "softmax_scale": "Factor of the dot products.",
    "cmp_ratio": "Original tokens a compressed row stands for.",
    "ori_mask_mode": "4: the band of ori_win_left and ori_win_right.",
    "cmp_mask_mode": "3: rows whose last token is visible, aligned right-down.",
    "ori_win_left": "Tokens to the left a row may see.",
    "ori_win_right": "Tokens to the right a row may see.",
    "layout_q": "BSND or TND.",
    "layout_kv": "PA_ND, pages.",
    "return_softmax_lse": "Reserved.",
}

PLAN_ATTRIBUTES = {
    "num_heads_q": "Query heads N1.",
    "num_heads_kv": "Key heads, 1.",
    "head_dim": "Head size, 512.",
    "batch_size": "Batches; needed with BSND.",
    "max_seqlen_q": "Longest query.",
    "max_seqlen_kv": "Longest original key length.",
    "ori_topk": "Reserved, 0.",
    "cmp_topk": "Width of cmp_sparse_indices; 0 without.",
    "has_ori_kv": "Whether ori_kv will be given.",
    "has_cmp_kv": "Whether cmp_kv will be given.",
    "device": "Where the published operator puts the plan; the plan of the host is on the CPU.",
}
PLAN_ATTRIBUTES |= {
    name: text for name, text in SHAREDKV_ATTRIBUTES.items() if name not in ("softmax_scale", "return_softmax_lse")
}

ACLNN_TENSORS = """q oriKv cmpKv oriSparseIndices cmpSparseIndices oriBlockTable cmpBlockTable cuSeqlensQ cuSeqlensOriKv
    cuSeqlensCmpKv sequsedQ sequsedKv sinks metadata"""
ACLNN_RENAME = {"sequsedQ": "seqused_q", "sequsedKv": "seqused_kv"}

TENSOR_ARGUMENTS = """Tensor? ori_kv=None, Tensor? cmp_kv=None, Tensor? ori_sparse_indices=None, Tensor?
cmp_sparse_indices=None,
    Tensor? ori_block_table=None, Tensor? cmp_block_table=None, Tensor? cu_seqlens_q=None, Tensor?
    cu_seqlens_ori_kv=None, Tensor? cu_seqlens_cmp_kv=None, Tensor? seqused_q=None, Tensor? seqused_kv=None, Tensor?
    sinks=None, Tensor? metadata=None"""
PLAN_TENSOR_ARGUMENTS = """Tensor? cu_seqlens_q=None, Tensor? cu_seqlens_ori_kv=None, Tensor? cu_seqlens_cmp_kv=None,
    Tensor? seqused_q=None, Tensor? seqused_kv=None"""
PLAN_SIZES = "int batch_size=0, int max_seqlen_q=0, int max_seqlen_kv=0, int ori_topk=0, int cmp_topk=0"
MASK_ARGUMENTS = "int ori_mask_mode=4, int cmp_mask_mode=3"
LAYOUT_ARGUMENTS = "str layout_q='BSND', str layout_kv='PA_ND'"


def lse_shape(call: Call) -> tuple:
    """[B, N2, S1, N1/N2] or [N2, T1, N1/N2] as the document has it, and (0,) when it was not asked for."""
    if not call["return_softmax_lse"]:
        return (0,)
    *rows, heads, _ = call.shape("q")
    return (rows[0], 1, rows[1], heads) if len(rows) == 2 else (1, rows[0], heads)


def mode(call: Call) -> str:
    """SWA (window), HCA (window and compressed prefix), CSA (window and list)."""
    if not call.has("cmp_kv"):
        return "SWA"
    return "CSA" if call.has("cmp_sparse_indices") else "HCA"


def ratio_with_compression(*ratios: int) -> Constraint:
    """The ratios with cmp_kv."""
    words = " or ".join(map(str, ratios))

    def check(call: Call) -> str | None:
        bad = call.has("cmp_kv") and call["cmp_ratio"] not in ratios
        return f"cmp_ratio is {call['cmp_ratio']} with cmp_kv, not {words}" if bad else None

    return Constraint(f"With `cmp_kv`, `cmp_ratio` is {words}.", check, f"pass cmp_ratio = {words}")


@rule("With `cmp_kv`, `cmp_ratio` is at least 1.", "pass the compression ratio")
def ratio_positive(call: Call) -> str | None:
    """The schema's default is 0: always pass the ratio."""
    return f"cmp_ratio is {call['cmp_ratio']} with cmp_kv" if call.has("cmp_kv") and call["cmp_ratio"] < 1 else None


@rule("Without `cmp_kv`, `cmp_ratio` is 1.", "pass cmp_ratio = 1")
def ratio_one_without_compression(call: Call) -> str | None:
    """The document allows only 1; the host check accepts 1, 4 and 128, so anything but 1 is a warning."""
    return None if call.has("cmp_kv") or call["cmp_ratio"] == 1 else f"cmp_ratio is {call['cmp_ratio']} without cmp_kv"


@rule("`ori_kv` and `cmp_kv` have one dtype.", "store both keys in one format")
def keys_alike(call: Call) -> str | None:
    kinds = {call.tensors[name].dtype for name in ("ori_kv", "cmp_kv") if call.has(name)}
    return (
        f"ori_kv is {call.tensors['ori_kv'].dtype} and cmp_kv is {call.tensors['cmp_kv'].dtype}"
        if len(kinds) > 1
        else None
    )


@rule("`softmax_scale` is a finite number other than 0.", "pass softmax_scale, for instance head size ** -0.5")
def scale_given(call: Call) -> str | None:
    """The schema's default is 0, which would average all values; the document says that it must be passed."""
    scale = call["softmax_scale"]
    return f"softmax_scale is {scale}" if scale == 0 or finite("softmax_scale").check(call) else None
