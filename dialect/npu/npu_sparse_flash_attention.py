"""npu_sparse_flash_attention: the torch_npu attention of DeepSeek-V3.2 over a list of keys (or of small blocks of
keys).
"""

from .aclnn import Aclnn
from .call import Call
from .constraint import Constraint, on, rule
from .rows import BFLOAT16, FLOAT16, FLOAT32, Result, dtype_like, index, like, tensor
from .rules import dim_is, finite, one_of, power_of_two, required, targets
from .rules_lengths import sparse_prefix
from .shapes import dtypes_accepted, shapes_agree
from .spec import Lengths, Spec, Variant
from .target import A2, A3, ASCEND950, CHIPS
from .torch_npu_family import PAGED, TOKENS, dense, length_rules, lengths_rows

HALF = (BFLOAT16, FLOAT16)


def queries(rest: str, about: str) -> dict:
    return {"by": "layout_query", "BSND": f"B S1 {rest}", "TND": f"T1 {rest}", "about": about}


def keys(rest: str, about: str) -> dict:
    shapes = {"BSND": f"B S2 N2 {rest}", "TND": f"T2 N2 {rest}", PAGED: f"blocks size N2 {rest}"}
    return {"by": "layout_kv", "about": about} | shapes


TENSORS = {
    "query": tensor(HALF, **queries("N1 D", "Queries, the part without rotary.")),
    "key": tensor(HALF, **keys("D", "Keys, the part without rotary.")),
    "value": tensor(HALF, **keys("D", "Values: the same storage as the keys.")),
    "sparse_indices": index(
        **queries("N2 K", "Keys (or blocks of sparse_block_size keys) each row attends, -1 after the last.")
    ),
    **lengths_rows("kv"),
    "query_rope": tensor(HALF, **queries("N1 R", "Rotary part of the queries.")),
    "key_rope": tensor(HALF, **keys("R", "Rotary part of the keys.")),
    "sinks": tensor(FLOAT32, "N1", about="One logit a head, part of the softmax denominator only."),
}


def softmax_shape(call: Call) -> tuple:
    """[B, N2, S1, N1/N2] or [N2, T1, N1/N2], and (0,) when it was not asked for."""
    if not call["return_softmax_lse"]:
        return (0,)
    *rows, heads, _ = call.shape("query")
    return (rows[0], 1, rows[1], heads) if len(rows) == 2 else (1, rows[0], heads)


@rule("All halves have the dtype of the query.", "convert keys, values and rotary parts to the dtype of query")
def one_dtype(call: Call) -> str | None:
    wanted = call.tensors["query"].dtype
    for name in ("key", "value", "query_rope", "key_rope"):
        if call.has(name) and call.tensors[name].dtype != wanted:
            return f"{name} is {call.tensors[name].dtype} and query is {wanted}"
    return None


def whole_sparse_blocks(high: int) -> Constraint:
    """The sparse block is a power of two that divides the page."""
    power = power_of_two("sparse_block_size", high)

    def check(call: Call) -> str | None:
        size = call.dim("size")
        if problem := power.check(call):
            return problem
        return (
            f"sparse_block_size {call['sparse_block_size']} does not divide a block of {size}"
            if size and size % call["sparse_block_size"]
            else None
        )

    return Constraint(f"{power.says[:-1]} and divides the rows of a block.", check, power.fix)


CONSTRAINTS = dict(
    c1=targets(ASCEND950, A3, A2),
    c2=shapes_agree(TENSORS),
    c3=dtypes_accepted(TENSORS),
    c4=one_dtype,
    c5=dim_is("D", 512, what="head size without rotary"),
    c6=dim_is("R", 64, what="rotary head size"),
    c7=one_of("attention_mode", 2).noting(
        "The schema's default is 0; vllm's copy of the operator has 2. Only 2 exists."
    ),
    c8=required("query_rope", "key_rope", because="with attention_mode 2"),
    c9=whole_sparse_blocks(128),
    c10=finite("scale_value"),
    c11=on(CHIPS, dim_is("N1", 1, 2, 4, 8, 16, 32, 64, 128, what="query heads")),
    c12=on(CHIPS, sparse_prefix("sparse_indices")),
    c13=dense("query", "sparse_indices", "query_rope"),
    **length_rules("kv", first=14),
)

_SCHEMA = """npu_sparse_flash_attention(Tensor query, Tensor key, Tensor value, Tensor sparse_indices,
    float scale_value, *, Tensor? block_table=None, Tensor? actual_seq_lengths_query=None,
    Tensor? actual_seq_lengths_kv=None, Tensor? query_rope=None, Tensor? key_rope=None, int sparse_block_size=1,
    str layout_query="BSND", str layout_kv="BSND", int sparse_mode=3, int pre_tokens=9223372036854775807,
    int next_tokens=9223372036854775807, int attention_mode=0, bool return_softmax_lse=False, Tensor? sinks=None)
    -> (Tensor, Tensor, Tensor)"""

SPEC = Spec(
    name="npu_sparse_flash_attention",
    about="Multi-head latent attention over listed keys, with the rotary parts given apart.",
    source="op-plugin schema and sparse_flash_attention document",
    published=(
        Variant("npu", _SCHEMA),
        Variant("npu", _SCHEMA.replace("Tensor value,", "Tensor? value,")),
    ),
    tensors=TENSORS,
    attributes={
        "scale_value": "Factor of the dot products.",
        "sparse_block_size": "Keys a list entry stands for.",
        "layout_query": "BSND or TND.",
        "layout_kv": "BSND, TND or PA_BSND.",
        "sparse_mode": "0: the list only. 3: causal as well, aligned right-down.",
        **TOKENS,
        "attention_mode": "2: keys and values share storage, rotary parts apart.",
        "return_softmax_lse": "Whether the maximum and the sum of the softmax are returned.",
    },
    results=(
        Result("attention_out", like("query"), dtype_like("query"), about="The attention output."),
        Result("softmax_max", softmax_shape, FLOAT32, about="Largest score of a row; (0,) when not asked for."),
        Result("softmax_sum", softmax_shape, FLOAT32, about="Sum of exp(score - largest); (0,) when not asked for."),
    ),
    example={
        "query": "bfloat16 2 3 64 512",
        "key": "bfloat16 2 40 1 512",
        "value": "bfloat16 2 40 1 512",
        "sparse_indices": "int32 2 3 1 16",
        "scale_value": 0.05,
        "query_rope": "bfloat16 2 3 64 64",
        "key_rope": "bfloat16 2 40 1 64",
        "attention_mode": 2,
    },
    constraints=CONSTRAINTS,
    chips=(ASCEND950, A3, A2),
    lengths=Lengths.UNCOMPRESSED,
    aclnn=Aclnn(
        "aclnnSparseFlashAttention",
        """query key value sparseIndices blockTableOptional actualSeqLengthsQueryOptional actualSeqLengthsKvOptional
        queryRopeOptional keyRopeOptional scaleValue sparseBlockSizeOptional layoutQueryOptional layoutKvOptional
        sparseMode preTokens nextTokens attentionMode returnSoftmaxLse attentionOut softmaxMax softmaxSum""",
        rename={
            "blockTableOptional": "block_table",
            "actualSeqLengthsQueryOptional": "actual_seq_lengths_query",
            "actualSeqLengthsKvOptional": "actual_seq_lengths_kv",
            "queryRopeOptional": "query_rope",
            "keyRopeOptional": "key_rope",
            "sparseBlockSizeOptional": "sparse_block_size",
            "layoutQueryOptional": "layout_query",
            "layoutKvOptional": "layout_kv",
        },
        outputs={"attentionOut": "attention_out", "softmaxMax": "softmax_max", "softmaxSum": "softmax_sum"},
        dropped=("sinks",),
    ),
    disagreements=(
        "It returns the maximum and the sum of the softmax, not a log-sum-exp.",
        "The document requires value; torch_npu 2.13 registers it as optional.",
    ),
)
