"""npu_vllm_quant_lightning_indexer_metadata: the plan of npu_vllm_quant_lightning_indexer."""

from .aclnn import Aclnn
from .constraint import on
from .npu_lightning_indexer import INDEXER_ATTRIBUTES
from .rows import METADATA_RESULT
from .rules import in_range, one_of, targets
from .rules_lengths import layout_pair, used_within
from .shapes import dtypes_accepted, shapes_agree
from .spec import Lengths, Spec, Variant
from .target import A2, A3, ASCEND950, CHIPS
from .torch_npu_family import OPEN, PAGED, lengths_rows

TENSORS = {name: row for name, row in lengths_rows("key").items() if name != "block_table"}

CONSTRAINTS = {
    "c1": targets(ASCEND950, A3, A2),
    "c2": shapes_agree(TENSORS),
    "c3": dtypes_accepted(TENSORS),
    "c4": on(CHIPS, in_range("num_heads_q", 1, 64)),
    "c5": one_of("num_heads_k", 1),
    "c6": on(CHIPS, one_of("head_dim", 128)),
    "c7": one_of("query_quant_mode", 0),
    "c8": one_of("key_quant_mode", 0),
    "c9": layout_pair("layout_query", "layout_key", PAGED),
    "c10": on(CHIPS, in_range("sparse_count", 1, 2048)),
    "c11": one_of("sparse_mode", 0, 3),
    "c12": one_of("pre_tokens", OPEN),
    "c13": one_of("next_tokens", OPEN),
    "c14": in_range("cmp_ratio", 1, 128),
    "c15": used_within("actual_seq_lengths_key", "", ""),
}

_HEAD = "int num_heads_q, int num_heads_k, int head_dim, int query_quant_mode, int key_quant_mode,"
_LENGTHS = "Tensor? actual_seq_lengths_query=None, Tensor? actual_seq_lengths_key=None"


def _published(namespace: str, name: str, keywords: str, device: str) -> Variant:
    text = f"""{name}({_HEAD} {keywords}{_LENGTHS}, int batch_size=0, int max_seqlen_q=0, int max_seqlen_k=0, str
        layout_query='BSND', str layout_key='BSND', int sparse_count=2048, int sparse_mode=3, int
        pre_tokens=9223372036854775807, int next_tokens=9223372036854775807, int cmp_ratio=1, str device='{device}')
        -> Tensor"""
    return Variant(namespace, text)


SPEC = Spec(
    name="npu_vllm_quant_lightning_indexer_metadata",
    about="Plans how the cores share a compressing quantised indexer call. Pure.",
    source="cann-recipes-infer and vllm-ascend torch bindings",
    published=(
        _published("_C_ascend", "npu_vllm_quant_lightning_indexer_metadata", "", "npu"),
        _published("custom", "npu_quant_lightning_indexer_metadata", "*, ", "npu:0"),
    ),
    tensors=TENSORS,
    attributes=INDEXER_ATTRIBUTES
    | {
        "num_heads_q": "Query heads N1.",
        "num_heads_k": "Key heads, 1.",
        "head_dim": "Head size, 128.",
        "query_quant_mode": "As in the call that follows.",
        "key_quant_mode": "As in the call that follows.",
        "batch_size": "Batches.",
        "max_seqlen_q": "Longest query.",
        "max_seqlen_k": "Longest uncompressed key length.",
        "cmp_ratio": "Tokens a key stands for.",
        "device": "Where the published operator puts the plan; the plan of the host is on the CPU.",
    },
    results=(METADATA_RESULT,),
    example={
        "num_heads_q": 64,
        "num_heads_k": 1,
        "head_dim": 128,
        "query_quant_mode": 0,
        "key_quant_mode": 0,
        "actual_seq_lengths_query": "int32 2",
        "actual_seq_lengths_key": "int32 2",
        "layout_query": "TND",
        "layout_key": "PA_BSND",
        "sparse_count": 512,
        "cmp_ratio": 4,
    },
    constraints=CONSTRAINTS,
    chips=(ASCEND950, A3, A2),
    lengths=Lengths.UNCOMPRESSED,
    aclnn=Aclnn(
        "aclnnVllmQuantLightningIndexerMetadata",
        """actualSeqLengthsQuery actualSeqLengthsKey numHeadsQ numHeadsK headDim queryQuantMode keyQuantMode batchSize
        maxSeqlenQ maxSeqlenK layoutQuery layoutKey sparseCount sparseMode preTokens nextTokens cmpRatio metadata""",
        outputs={"metadata": "metadata"},
        dropped=("device",),
    ),
)
