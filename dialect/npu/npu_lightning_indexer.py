"""npu_lightning_indexer: the torch_npu indexer of DeepSeek-V3.2 for bf16 and fp16 keys, without compression."""

from .aclnn import Aclnn
from .call import Call
from .constraint import on, rule
from .rows import BFLOAT16, FLOAT16, FLOAT32, INT32, Result, tensor
from .rules import dim_in, dim_is, in_range, targets
from .shapes import dtypes_accepted, shapes_agree
from .spec import Lengths, Spec, Variant
from .target import A2, A3, ASCEND950, CHIPS
from .torch_npu_family import PAGED, TOKENS, dense, length_rules, lengths_rows

HALF = (BFLOAT16, FLOAT16)
QUERY = {"BSND": "B S1 N1 D", "TND": "T1 N1 D"}
KEY = {"BSND": "B S2 N2 D", "TND": "T2 N2 D", PAGED: "blocks size N2 D"}

TENSORS = {
    "query": tensor(HALF, by="layout_query", about="Index queries.", **QUERY),
    "key": tensor(HALF, by="layout_key", about="Index keys.", **KEY),
    "weights": tensor((*HALF, FLOAT32), by="layout_query", BSND="B S1 N1", TND="T1 N1", about="Weight of every head."),
    **lengths_rows("key"),
}


@rule("`query` and `key` have one dtype.", "convert one of them")
def one_dtype(call: Call) -> str | None:
    query, key = call.tensors["query"].dtype, call.tensors["key"].dtype
    return f"query is {query} and key is {key}" if query != key else None


def picks(call: Call) -> tuple:
    """[B, S1, 1, k] or [T1, 1, k]."""
    return (*call.shape("query")[:-2], call.shape("key")[-2], call["sparse_count"])


INDEXER_ATTRIBUTES = {
    "layout_query": "BSND or TND.",
    "layout_key": "BSND, TND or PA_BSND.",
    "sparse_count": "How many indices a row keeps.",
    "sparse_mode": "0: all keys. 3: causal, aligned right-down.",
    **TOKENS,
}

CONSTRAINTS = dict(
    c1=targets(ASCEND950, A3, A2),
    c2=shapes_agree(TENSORS),
    c3=dtypes_accepted(TENSORS),
    c4=one_dtype,
    c5=dim_is("D", 128, what="head size"),
    c6=on(CHIPS, dim_in("N1", 1, 64, what="query heads")),
    c7=in_range("sparse_count", 1),
    c8=on(CHIPS, in_range("sparse_count", 1, 2048)),
    c9=dense("query", "weights"),
    **length_rules("key", first=10),
)

SPEC = Spec(
    name="npu_lightning_indexer",
    about="Top k of sum over heads of weight * relu(query . key) over uncompressed keys.",
    source="op-plugin schema and lightning_indexer document",
    published=(
        Variant(
            "npu",
            """npu_lightning_indexer(Tensor query, Tensor key, Tensor weights, *, Tensor?
        actual_seq_lengths_query=None, Tensor? actual_seq_lengths_key=None, Tensor? block_table=None, str
        layout_query="BSND", str layout_key="BSND", int sparse_count=2048, int sparse_mode=3, int
        pre_tokens=9223372036854775807, int next_tokens=9223372036854775807, bool return_value=False) -> (Tensor,
        Tensor)""",
        ),
    ),
    tensors=TENSORS,
    attributes=INDEXER_ATTRIBUTES | {"return_value": "Whether scores are returned."},
    results=(
        Result("sparse_indices", picks, INT32, about="The indices of the top k, -1 after the last."),
        Result(
            "sparse_values",
            lambda call: picks(call) if call["return_value"] else (0,),
            lambda call: call.tensors["query"].dtype,
            about="Their scores; (0,) when not asked for.",
        ),
    ),
    example={
        "query": "bfloat16 2 3 64 128",
        "key": "bfloat16 2 40 1 128",
        "weights": "bfloat16 2 3 64",
    },
    constraints=CONSTRAINTS,
    chips=(ASCEND950, A3, A2),
    lengths=Lengths.UNCOMPRESSED,
    aclnn=Aclnn(
        "aclnnLightningIndexer",
        """query key weights actualSeqLengthsQueryOptional actualSeqLengthsKeyOptional blockTableOptional
        layoutQueryOptional layoutKeyOptional sparseCount sparseMode preTokens nextTokens returnValues
        sparseIndicesOut sparseValuesOut""",
        rename={
            "actualSeqLengthsQueryOptional": "actual_seq_lengths_query",
            "actualSeqLengthsKeyOptional": "actual_seq_lengths_key",
            "blockTableOptional": "block_table",
            "layoutQueryOptional": "layout_query",
            "layoutKeyOptional": "layout_key",
            "returnValues": "return_value",
        },
        outputs={"sparseIndicesOut": "sparse_indices", "sparseValuesOut": "sparse_values"},
    ),
)
