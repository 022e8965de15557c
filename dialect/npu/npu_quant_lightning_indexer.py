"""npu_quant_lightning_indexer: the torch_npu indexer of DeepSeek-V3.2 for INT8, E4M3 and HIFLOAT8 keys, without
compression.
"""

from .aclnn import Aclnn
from .call import Call
from .constraint import on, rule
from .npu_lightning_indexer import INDEXER_ATTRIBUTES, KEY, QUERY, picks
from .rows import BFLOAT16, E4M3, FLOAT16, FLOAT32, HIFLOAT8, INT8, INT32, Result, tensor
from .rules import dim_in, dim_is, in_range, one_of, targets
from .shapes import dtypes_accepted, shapes_agree
from .spec import Lengths, Spec, Variant
from .target import A2, A3, ASCEND950, CHIPS
from .torch_npu_family import PAGED, dense, length_rules, lengths_rows

ATLAS = (A3, A2)
ELEMENTS = (INT8, E4M3, HIFLOAT8)
SCALES = (FLOAT16, FLOAT32)
LENGTHS = lengths_rows("key")

TENSORS = {
    "query": tensor(ELEMENTS, by="layout_query", about="Index queries.", **QUERY),
    "key": tensor(ELEMENTS, by="layout_key", about="Index keys.", **KEY),
    "weights": tensor(
        (FLOAT16, BFLOAT16, FLOAT32), by="layout_query", BSND="B S1 N1", TND="T1 N1", about="Weight of every head."
    ),
    "query_dequant_scale": tensor(
        SCALES, by="layout_query", BSND="B S1 N1", TND="T1 N1", about="A scale for each head."
    ),
    "key_dequant_scale": tensor(
        SCALES,
        by="layout_key",
        about="A scale for each key.",
        **{"BSND": "B S2 N2", "TND": "T2 N2", PAGED: "blocks size N2"},
    ),
    **LENGTHS,
}


@rule(
    "INT8 elements come with fp16 weights and scales on Atlas.", "convert elements to int8, weights and scales to fp16"
)
def atlas_dtypes(call: Call) -> str | None:
    wanted = {
        "query": INT8,
        "key": INT8,
        "weights": FLOAT16,
        "query_dequant_scale": FLOAT16,
        "key_dequant_scale": FLOAT16,
    }
    for name, dtype in wanted.items():
        if call.tensors[name].dtype not in (dtype, "i8"):
            return f"{name} is {call.tensors[name].dtype}, not {dtype}"
    return None


@rule("`query` and `key` have one dtype, and so have their scales.", "quantise both alike")
def alike(call: Call) -> str | None:
    for left, right in (("query", "key"), ("query_dequant_scale", "key_dequant_scale")):
        if call.tensors[left].dtype != call.tensors[right].dtype:
            return f"{left} is {call.tensors[left].dtype} and {right} is {call.tensors[right].dtype}"
    return None


CONSTRAINTS = dict(
    c1=targets(ASCEND950, A3, A2),
    c2=shapes_agree(TENSORS),
    c3=dtypes_accepted(TENSORS),
    c4=alike,
    c5=dim_is("D", 128, what="head size"),
    c6=on(CHIPS, dim_in("N1", 1, 64, what="query heads")),
    c7=in_range("sparse_count", 1),
    c8=on(CHIPS, in_range("sparse_count", 1, 2048)),
    c9=on(ATLAS, atlas_dtypes),
    c10=one_of("query_quant_mode", 0),
    c11=one_of("key_quant_mode", 0),
    c12=dense("query", "weights", "query_dequant_scale"),
    **length_rules("key", first=13),
)

QUANT_TENSORS = "Tensor query, Tensor key, Tensor weights, Tensor query_dequant_scale, Tensor key_dequant_scale"
QUANT_LENGTHS = "Tensor? actual_seq_lengths_query=None, Tensor? actual_seq_lengths_key=None, Tensor? block_table=None"
QUANT_MASK = (
    "int sparse_count=2048, int sparse_mode=3, int pre_tokens=9223372036854775807, int next_tokens=9223372036854775807"
)
QUANT_ATTRIBUTES = INDEXER_ATTRIBUTES | {
    "query_quant_mode": "0: a scale for each head of a token.",
    "key_quant_mode": "0: a scale for each key.",
}

SPEC = Spec(
    name="npu_quant_lightning_indexer",
    about="Top k of sum over heads of weight * relu(query . key), one scale for each head of a token.",
    source="op-plugin schema and quant_lightning_indexer document",
    published=(
        Variant(
            "npu",
            f"""npu_quant_lightning_indexer({QUANT_TENSORS}, int query_quant_mode, int key_quant_mode, *,
            {QUANT_LENGTHS},
        str layout_query="BSND", str layout_key="BSND", {QUANT_MASK}, int? query_dtype=None, int? key_dtype=None) ->
        Tensor""",
        ),
        Variant(
            "npu",
            f"""npu_quant_lightning_indexer({QUANT_TENSORS}, int query_quant_mode, int key_quant_mode, *,
            {QUANT_LENGTHS},
        str layout_query="BSND", str layout_key="BSND", {QUANT_MASK}) -> Tensor""",
        ),
    ),
    tensors=TENSORS,
    attributes=QUANT_ATTRIBUTES
    | {
        "query_dtype": "Set for HIFLOAT8 in a byte tensor.",
        "key_dtype": "Set for HIFLOAT8 in a byte tensor.",
    },
    results=(Result("sparse_indices", picks, INT32, about="The indices of the top k, -1 after the last."),),
    example={
        "query": "int8 2 3 64 128",
        "key": "int8 2 40 1 128",
        "weights": "float16 2 3 64",
        "query_dequant_scale": "float16 2 3 64",
        "key_dequant_scale": "float16 2 40 1",
        "query_quant_mode": 0,
        "key_quant_mode": 0,
    },
    constraints=CONSTRAINTS,
    chips=(ASCEND950, A3, A2),
    lengths=Lengths.UNCOMPRESSED,
    aclnn=Aclnn(
        "aclnnQuantLightningIndexer",
        """query key weights queryDequantScale keyDequantScale actualSeqLengthsQueryOptional
        actualSeqLengthsKeyOptional blockTableOptional queryQuantMode keyQuantMode layoutQueryOptional
        layoutKeyOptional sparseCount sparseMode preTokens nextTokens out""",
        rename={
            "actualSeqLengthsQueryOptional": "actual_seq_lengths_query",
            "actualSeqLengthsKeyOptional": "actual_seq_lengths_key",
            "blockTableOptional": "block_table",
            "layoutQueryOptional": "layout_query",
            "layoutKeyOptional": "layout_key",
        },
        outputs={"out": "sparse_indices"},
        dropped=("query_dtype", "key_dtype"),
    ),
    disagreements=("950 heads are 8, 16, 24, 32 or 64 in one version of the document, 1 to 64 in another.",),
    facts=("HIFLOAT8 travels in uint8; query_dtype and key_dtype say so to torch_npu.",),
)
