"""npu_vllm_quant_lightning_indexer: npu_quant_lightning_indexer over compressed keys, with a plan.

cann-recipes-infer publishes it as custom::npu_quant_lightning_indexer, vllm-ascend under this name. Key lengths
count uncompressed tokens; the operator divides them by cmp_ratio.
"""

from .aclnn import Aclnn
from .constraint import on
from .npu_lightning_indexer import picks
from .npu_quant_lightning_indexer import CONSTRAINTS as PLAIN_CONSTRAINTS
from .npu_quant_lightning_indexer import QUANT_ATTRIBUTES, QUANT_LENGTHS, QUANT_MASK, QUANT_TENSORS
from .npu_quant_lightning_indexer import TENSORS as PLAIN_TENSORS
from .rows import FLOAT32, INT32, METADATA, Result
from .rules import in_range, required
from .shapes import dtypes_accepted, shapes_agree
from .spec import Lengths, Spec, Variant
from .target import A2, A3, ASCEND950, CHIPS
from .torch_npu_family import length_rules

TENSORS = PLAIN_TENSORS | {"metadata": METADATA}

# The rules without compression under their numbers; those on key lengths divide by the ratio.
CONSTRAINTS = {
    **PLAIN_CONSTRAINTS,
    "c2": shapes_agree(TENSORS),
    "c3": dtypes_accepted(TENSORS),
    **length_rules("key", first=13, ratio="cmp_ratio"),
    "c29": in_range("cmp_ratio", 1, 128),
    "c30": on(CHIPS, required("metadata", because="(npu_vllm_quant_lightning_indexer_metadata makes it)")),
}

SPEC = Spec(
    name="npu_vllm_quant_lightning_indexer",
    about="Top k of sum over heads of weight * relu(query . key) over compressed keys, one scale for each head of "
    "a token.",
    source="cann-recipes-infer and vllm-ascend torch bindings",
    published=(
        Variant(
            "_C_ascend",
            f"""npu_vllm_quant_lightning_indexer({QUANT_TENSORS}, int query_quant_mode=0, int key_quant_mode=0,
            {QUANT_LENGTHS},
        Tensor? metadata=None, str layout_query="BSND", str layout_key="BSND", {QUANT_MASK}, int cmp_ratio=1,
        bool return_value=False) -> (Tensor sparse_indices, Tensor sparse_values)""",
        ),
        Variant(
            "custom",
            f"""npu_quant_lightning_indexer({QUANT_TENSORS}, int query_quant_mode, int key_quant_mode, *,
            {QUANT_LENGTHS},
        Tensor? metadata=None, str layout_query='BSND', str layout_key='PA_BSND', {QUANT_MASK}, int cmp_ratio=1,
        bool return_value=False) -> (Tensor, Tensor)""",
        ),
    ),
    tensors=TENSORS,
    attributes=QUANT_ATTRIBUTES
    | {"cmp_ratio": "Tokens a key stands for; 1 without compression.", "return_value": "Whether scores are returned."},
    results=(
        Result("sparse_indices", picks, INT32, about="The indices of the top k, -1 after the last."),
        Result(
            "sparse_values",
            lambda call: picks(call) if call["return_value"] else (0,),
            FLOAT32,
            about="Their scores; (0,) when not asked for.",
        ),
    ),
    example={
        "query": "int8 2 3 64 128",
        "key": "int8 2 40 1 128",
        "weights": "float16 2 3 64",
        "query_dequant_scale": "float16 2 3 64",
        "key_dequant_scale": "float16 2 40 1",
        "query_quant_mode": 0,
        "key_quant_mode": 0,
        "metadata": "int32 1024",
    },
    constraints=CONSTRAINTS,
    chips=(ASCEND950, A3, A2),
    lengths=Lengths.UNCOMPRESSED,
    aclnn=Aclnn(
        "aclnnVllmQuantLightningIndexer",
        """query key weights queryDequantScale keyDequantScale actualSeqLengthsQuery actualSeqLengthsKey blockTable
        metadata queryQuantMode keyQuantMode layoutQuery layoutKey sparseCount sparseMode preTokens nextTokens cmpRatio
        returnValue stride scaleStride sparseIndices sparseValues""",
        strides={"stride": "key", "scaleStride": "key_dequant_scale"},
        outputs={"sparseIndices": "sparse_indices", "sparseValues": "sparse_values"},
    ),
    disagreements=("layout_key defaults to PA_BSND in custom and to BSND in _C_ascend; always pass it.",),
)
