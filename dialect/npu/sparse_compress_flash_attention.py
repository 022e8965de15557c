"""sparse_compress_flash_attention: the pypto attention over a window of 128 and 512 selected compressed rows, for
packed queries.

Heads and tokens share the first axis, blocks and their rows too. There is no plan and no aclnn function: it is
compiled at run time.
"""

from .call import Call, known
from .constraint import Constraint, on, rule
from .rows import BFLOAT16, FLOAT32, Result, index, like, tensor
from .rules import contiguous, dim_is, finite, in_range, not_empty, one_of, targets
from .rules_lengths import prefix_sums, table_covers, used_within
from .shapes import dtypes_accepted, shapes_agree
from .spec import Lengths, Spec, Variant
from .target import A2, A3, ASCEND950, CHIPS

BLOCK = 128

TENSORS = {
    "query_npu": tensor(BFLOAT16, "Q D", about="Queries, N1 heads of T1 tokens: Q = T1 * N1 rows."),
    "q_act_seqs_npu": index("B+1", about="Running sums of query lengths."),
    "ori_kv_npu": tensor(BFLOAT16, "R1 D", about="Original keys, blocks of 128 rows, also the values."),
    "cmp_kv_npu": tensor(BFLOAT16, "R2 D", about="Compressed keys, blocks of 128 rows, also the values."),
    "ori_block_table_npu": index("B _", about="Blocks of the original keys of each batch."),
    "cmp_block_table_npu": index("B _", about="Blocks of the compressed keys of each batch."),
    "atten_sink_npu": tensor(FLOAT32, "N1", about="One logit a head, part of the softmax denominator only."),
    "seqused_kv_npu": index("B", about="Original key length of each batch."),
    "cmp_sparse_indices_npu": index("T1 K", about="Compressed rows; the first `visible` entries of a row count."),
}


@rule("The query has T1 * N1 rows.", "reshape the query to [T1 * N1, D]")
def heads_and_tokens(call: Call) -> str | None:
    rows, tokens, heads = (call.dim(symbol) for symbol in ("Q", "T1", "N1"))
    if not known(rows, tokens, heads) or rows == tokens * heads:
        return None
    return f"query_npu has {rows} rows, {tokens} tokens of {heads} heads have {tokens * heads}"


def whole_blocks(symbol: str, name: str) -> Constraint:
    def check(call: Call) -> str | None:
        rows = call.dim(symbol)
        return f"{name} has {rows} rows, not whole blocks of {BLOCK}" if rows is not None and rows % BLOCK else None

    return Constraint(f"`{name}` has whole blocks of {BLOCK} rows.", check, "allocate the cache in whole blocks")


@rule(f"A block table has a column for every block of {BLOCK} rows of the longest batch.", "widen the block table")
def tables_cover(call: Call) -> str | None:
    call.dims["size"] = BLOCK
    return table_covers("ori_block_table_npu", "seqused_kv_npu", "size").check(call) or table_covers(
        "cmp_block_table_npu", "seqused_kv_npu", "size", ratio="cmp_ratio"
    ).check(call)


CONSTRAINTS = {
    "c1": targets(ASCEND950, A3, A2),
    "c2": shapes_agree(TENSORS),
    "c3": dtypes_accepted(TENSORS),
    "c4": on(CHIPS, not_empty()),
    "c5": dim_is("D", 512, what="head size"),
    "c6": on(CHIPS, dim_is("N1", 64, what="query heads")),
    "c7": heads_and_tokens,
    "c8": on(CHIPS, dim_is("K", 512, what="list width")),
    "c9": on(CHIPS, one_of("win_size", 128)),
    "c10": on(CHIPS, one_of("cmp_ratio", 4)),
    "c11": in_range("win_size", 1),
    "c12": in_range("cmp_ratio", 1),
    "c13": whole_blocks("R1", "ori_kv_npu"),
    "c14": whole_blocks("R2", "cmp_kv_npu"),
    "c15": tables_cover,
    "c16": prefix_sums("q_act_seqs_npu", "T1"),
    "c17": used_within("seqused_kv_npu", "", "").noting(
        "The document requires it and also says what happens without it: all tokens take part. It is required here."
    ),
    "c18": finite("softmax_scale"),
    "c19": on(CHIPS, contiguous("query_npu", "ori_kv_npu", "cmp_kv_npu", "cmp_sparse_indices_npu")),
}

SPEC = Spec(
    name="sparse_compress_flash_attention",
    about="Attention of packed bf16 queries over a window of 128 original keys and up to 512 selected compressed keys.",
    source="cann-recipes-infer, SparseCompressedFlashAttention document and pypto implementation",
    published=(
        Variant(
            "pypto",
            """sparse_compress_flash_attention(Tensor query_npu, Tensor q_act_seqs_npu, Tensor ori_kv_npu, Tensor
            cmp_kv_npu,
        Tensor ori_block_table_npu, Tensor cmp_block_table_npu, Tensor atten_sink_npu, Tensor seqused_kv_npu,
        Tensor cmp_sparse_indices_npu, float softmax_scale, int win_size, int cmp_ratio) -> (Tensor)""",
        ),
    ),
    tensors=TENSORS,
    attributes={
        "softmax_scale": "Factor of the dot products.",
        "win_size": "Original keys a row sees, its own included: 128.",
        "cmp_ratio": "Original tokens a compressed row stands for: 4.",
    },
    results=(Result("attention_out", like("query_npu"), BFLOAT16, about="The attention output, shaped as the query."),),
    example={
        "query_npu": "bfloat16 192 512",
        "q_act_seqs_npu": "int32 3",
        "ori_kv_npu": "bfloat16 512 512",
        "cmp_kv_npu": "bfloat16 256 512",
        "ori_block_table_npu": "int32 2 2",
        "cmp_block_table_npu": "int32 2 1",
        "atten_sink_npu": "float32 64",
        "seqused_kv_npu": "int32 2",
        "cmp_sparse_indices_npu": "int32 3 512",
        "softmax_scale": 0.05,
        "win_size": 128,
        "cmp_ratio": 4,
    },
    constraints=CONSTRAINTS,
    chips=(ASCEND950, A3, A2),
    lengths=Lengths.UNCOMPRESSED,
    disagreements=(
        "Visible compressed rows are seqused // ratio - s1 + 1 + i here, floor((seqused - s1 + 1 + i) / ratio) in "
        "the other operators: "
        "equal for one query token only.",
        "The upstream meta kernel gives a 4-D result; the real one has the shape of the query.",
        "The scraped document lost operators of its formula; the repository's document has them.",
        "A row that sees no compressed key repeats the row before it in the golden; what the kernel does is unknown.",
        "Entries beyond the visible count are 0 upstream; -1 is not interpreted.",
    ),
    facts=("Inference only.", "May be captured in an aclgraph.", "Only the packed TND form exists."),
)
