"""npu_kv_quant_sparse_flash_attention: npu_sparse_flash_attention over rows of 656 bytes that hold INT8, rotary and
scales.
"""

from .aclnn import Aclnn
from .call import Call
from .constraint import on
from .npu_sparse_flash_attention import HALF, keys, queries, whole_sparse_blocks
from .rows import E4M3, FLOAT32, HIFLOAT8, INT8, Result, dtype_like, index, tensor
from .rules import dim_is, finite, forbidden, one_of, targets
from .rules_lengths import sparse_prefix
from .shapes import dtypes_accepted, shapes_agree
from .spec import Lengths, Spec, Variant
from .target import A2, A3, ASCEND950, CHIPS
from .torch_npu_family import TOKENS, dense, length_rules, lengths_rows

ROWS = (INT8, E4M3, HIFLOAT8)

TENSORS = {
    "query": tensor(HALF, **queries("N1 D", "Queries, 512 elements and 64 rotary ones.")),
    "key": tensor(ROWS, **keys("W", "Rows: 512 elements, 64 rotary halves, 4 fp32 scales.")),
    "value": tensor(ROWS, **keys("W", "Values: the same storage as the keys.")),
    "sparse_indices": index(**queries("N2 K", "Keys (or blocks of keys) each row attends, -1 after the last.")),
    "key_dequant_scale": tensor(FLOAT32, "_", about="Reserved."),
    "value_dequant_scale": tensor(FLOAT32, "_", about="Reserved."),
    **lengths_rows("kv"),
}


def without_rotary(call: Call) -> tuple:
    """The query's shape without its rotary part."""
    *rows, width = call.shape("query")
    return (*rows, None if width is None else width - call["rope_head_dim"])


CONSTRAINTS = dict(
    c1=targets(ASCEND950, A3, A2),
    c2=shapes_agree(TENSORS),
    c3=dtypes_accepted(TENSORS),
    c4=one_of("key_quant_mode", 2),
    c5=one_of("value_quant_mode", 2),
    c6=one_of("attention_mode", 2).noting("The schema's default is 0; only 2 exists."),
    c7=one_of("quant_scale_repo_mode", 1),
    c8=one_of("tile_size", 128),
    c9=one_of("rope_head_dim", 64),
    c10=dim_is("D", 576, what="head size of the query"),
    c11=dim_is("W", 656, what="bytes of a key row"),
    c12=forbidden("key_dequant_scale", "value_dequant_scale", because="though reserved: scales lie in the rows"),
    c13=on(CHIPS, dim_is("N1", 1, 2, 4, 8, 16, 32, 64, 128, what="query heads")),
    c14=on(CHIPS, whole_sparse_blocks(16)),
    c15=finite("scale_value"),
    c16=on(CHIPS, sparse_prefix("sparse_indices")),
    c17=dense("query", "key", "value", "sparse_indices"),
    **length_rules("kv", first=18),
)

SPEC = Spec(
    name="npu_kv_quant_sparse_flash_attention",
    about="Multi-head latent attention over listed rows whose elements are quantised in tiles of 128.",
    source="op-plugin document of kv_quant_sparse_flash_attention",
    published=(
        Variant(
            "npu",
            """npu_kv_quant_sparse_flash_attention(Tensor query, Tensor key, Tensor value, Tensor sparse_indices,
        float scale_value, int key_quant_mode, int value_quant_mode, *, Tensor? key_dequant_scale=None, Tensor?
        value_dequant_scale=None, Tensor? block_table=None, Tensor? actual_seq_lengths_query=None, Tensor?
        actual_seq_lengths_kv=None, int sparse_block_size=1, str layout_query="BSND", str layout_kv="BSND", int
        sparse_mode=3, int pre_tokens=9223372036854775807, int next_tokens=9223372036854775807, int
        attention_mode=0, int quant_scale_repo_mode=1, int tile_size=128, int rope_head_dim=64, int? key_dtype=None,
        int? value_dtype=None) -> Tensor""",
        ),
        Variant(
            "npu",
            """npu_kv_quant_sparse_flash_attention(Tensor query, Tensor key, Tensor value, Tensor sparse_indices,
        float scale_value, int key_quant_mode, int value_quant_mode, *, Tensor? key_dequant_scale=None, Tensor?
        value_dequant_scale=None, Tensor? block_table=None, Tensor? actual_seq_lengths_query=None, Tensor?
        actual_seq_lengths_kv=None, int sparse_block_size=1, str layout_query="BSND", str layout_kv="BSND", int
        sparse_mode=3, int pre_tokens=9223372036854775807, int next_tokens=9223372036854775807, int
        attention_mode=0, int quant_scale_repo_mode=1, int tile_size=128, int rope_head_dim=64) -> Tensor""",
        ),
    ),
    tensors=TENSORS,
    attributes={
        "scale_value": "Factor of the dot products.",
        "key_quant_mode": "2: a scale for each tile.",
        "value_quant_mode": "2: a scale for each tile.",
        "sparse_block_size": "Keys a list entry stands for.",
        "layout_query": "BSND or TND.",
        "layout_kv": "BSND, TND or PA_BSND.",
        "sparse_mode": "0: the list only. 3: causal as well, aligned right-down.",
        **TOKENS,
        "attention_mode": "2: keys and values share storage.",
        "quant_scale_repo_mode": "1: scales lie in the row.",
        "tile_size": "Elements of a scale, 128.",
        "rope_head_dim": "Rotary elements of a row, 64.",
        "key_dtype": "Set for HIFLOAT8 in a byte tensor.",
        "value_dtype": "Set for HIFLOAT8 in a byte tensor.",
    },
    results=(Result("attention_out", without_rotary, dtype_like("query"), about="The attention output."),),
    example={
        "query": "bfloat16 2 3 64 576",
        "key": "int8 2 40 1 656",
        "value": "int8 2 40 1 656",
        "sparse_indices": "int32 2 3 1 16",
        "scale_value": 0.05,
        "key_quant_mode": 2,
        "value_quant_mode": 2,
        "attention_mode": 2,
    },
    constraints=CONSTRAINTS,
    chips=(ASCEND950, A3, A2),
    lengths=Lengths.UNCOMPRESSED,
    aclnn=Aclnn(
        "aclnnKvQuantSparseFlashAttention",
        """query key value sparseIndices keyDequantScaleOptional valueDequantScaleOptional blockTableOptional
        actualSeqLengthsQueryOptional actualSeqLengthsKvOptional scaleValue keyQuantMode valueQuantMode
        sparseBlockSize layoutQueryOptional layoutKvOptional sparseMode preTokens nextTokens attentionMode
        quantScaleRepoMode tileSize ropeHeadDim out""",
        rename={
            "keyDequantScaleOptional": "key_dequant_scale",
            "valueDequantScaleOptional": "value_dequant_scale",
            "blockTableOptional": "block_table",
            "actualSeqLengthsQueryOptional": "actual_seq_lengths_query",
            "actualSeqLengthsKvOptional": "actual_seq_lengths_kv",
            "layoutQueryOptional": "layout_query",
            "layoutKvOptional": "layout_kv",
        },
        outputs={"out": "attention_out"},
        dropped=("key_dtype", "value_dtype"),
    ),
    disagreements=("The document gives the output the shape of the query; its example shows 512 columns, as here.",),
)
