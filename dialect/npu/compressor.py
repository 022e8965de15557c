"""compressor: projects tokens to keys and gates, and sums every `ratio` keys by the softmax of their gates into one
row.

The unfinished group is kept in state_cache, which the operator mutates. custom and _C_ascend publish a fused form
that also normalises and rotates; it takes other arguments and is another operator.
"""

from .aclnn import Aclnn
from .call import Call, add, ceil_div, floor_div
from .constraint import on, rule
from .rows import BFLOAT16, FLOAT16, FLOAT32, Result, dtype_like, index, tensor
from .rules import contiguous, not_empty, one_of, targets
from .rules_lengths import prefix_sums, used_within
from .shapes import dtypes_accepted, shapes_agree
from .spec import Lengths, Spec, Variant
from .target import A3, ASCEND950, CHIPS

HALF = (BFLOAT16, FLOAT16)

TENSORS = {
    "x": tensor(
        HALF,
        by=lambda call: "BSND" if call.tensors["x"].rank == 3 else "TND",
        BSND="B S H",
        TND="T H",
        about="Hidden states.",
    ),
    "wkv": tensor(HALF, "E H", about="Projection to keys, coff * D rows."),
    "wgate": tensor(HALF, "E H", about="Projection to gates, coff * D rows."),
    "state_cache": tensor(FLOAT32, "blocks size _", about="Keys and gates of unfinished groups; replaced in place."),
    "ape": tensor(FLOAT32, "r E", about="Position bias of the gates."),
    "state_block_table": index("B _", about="Blocks of the state of each batch."),
    "cu_seqlens": index("B+1", about="Running sums of lengths, for packed x."),
    "seqused": index("B", about="Valid tokens of each batch."),
    "start_pos": index("B", about="Position of the first token of each batch."),
}


def compressed_rows(call: Call) -> tuple:
    """[B, ceil(S / r), D], or packed [min(T, T // r + B), D]."""
    ratio, shape = call["cmp_ratio"], call.shape("x")
    width = floor_div(call.shape("wkv")[0], call["coff"])
    if len(shape) == 3:
        return (shape[0], ceil_div(shape[1], ratio), width)
    batches = add(call.shape("cu_seqlens")[0], -1) if call.has("cu_seqlens") else None
    groups = add(floor_div(shape[0], ratio), batches)
    return (None if groups is None or shape[0] is None else call.minimum(shape[0], groups), width)


@rule("`wkv` has coff * D rows.", "pass projections of coff * D rows")
def whole_width(call: Call) -> str | None:
    rows = call.dim("E")
    return f"wkv has {rows} rows with coff {call['coff']}" if rows is not None and rows % call["coff"] else None


@rule("`ape` has a row for every position of a group.", "pass cmp_ratio rows of position bias")
def bias_rows(call: Call) -> str | None:
    rows = call.dim("r")
    return f"ape has {rows} rows with cmp_ratio {call['cmp_ratio']}" if rows not in (None, call["cmp_ratio"]) else None


@rule(
    "Packed `x` comes with `cu_seqlens`, batched `x` without.",
    "pass cu_seqlens with x [T, H], and not with x [B, S, H]",
)
def packed_with_sums(call: Call) -> str | None:
    packed = call.tensors["x"].rank == 2
    return (
        None
        if packed == call.has("cu_seqlens")
        else f"x has {call.tensors['x'].rank} axes, cu_seqlens {'missing' if packed else 'given'}"
    )


CONSTRAINTS = {
    "c1": targets(ASCEND950, A3),
    "c2": shapes_agree(TENSORS),
    "c3": dtypes_accepted(TENSORS),
    "c4": one_of("coff", 1, 2),
    "c5": on(CHIPS, one_of("cmp_ratio", 4, 128)),
    "c6": whole_width,
    "c7": bias_rows,
    "c8": packed_with_sums,
    "c9": one_of("cache_mode", 1, 2),
    "c10": prefix_sums("cu_seqlens", "T"),
    "c11": used_within("seqused", "cu_seqlens", "S"),
    "c12": on(CHIPS, not_empty()),
    "c13": on(CHIPS, contiguous("x", "wkv", "wgate", "ape", axis0_free=("state_cache",))),
}

ATTRIBUTES = {
    "cmp_ratio": "Tokens a compressed row stands for.",
    "coff": "2: windows overlap, each row sums two groups with two halves of the projections. 1: they do not.",
    "cache_mode": "1: a linear state cache. 2: a ring.",
}
COMPRESSED = Result(
    "cmp_kv", compressed_rows, dtype_like("x"), about="Compressed rows; packed rows are padded at the end."
)
ACLNN_LENGTHS = {
    "stateBlockTableOptional": "state_block_table",
    "cuSeqlensOptional": "cu_seqlens",
    "sequsedOptional": "seqused",
    "startPosOptional": "start_pos",
}

SPEC = Spec(
    name="compressor",
    about="Compresses every `cmp_ratio` tokens into one key row, keeping the unfinished group.",
    source="ops-transformer, compressor document and torch binding",
    published=(
        Variant(
            "cann_ops_transformer",
            """compressor(Tensor x, Tensor wkv, Tensor wgate, Tensor(a!) state_cache, Tensor ape, int cmp_ratio=4,
        *, Tensor? state_block_table=None, Tensor? cu_seqlens=None, Tensor? seqused=None, Tensor? start_pos=None,
        int coff=1, int cache_mode=1) -> Tensor""",
        ),
    ),
    tensors=TENSORS,
    attributes=ATTRIBUTES,
    results=(COMPRESSED,),
    example={
        "x": "bfloat16 2 10 256",
        "wkv": "bfloat16 1024 256",
        "wgate": "bfloat16 1024 256",
        "state_cache": "float32 5 8 2048",
        "ape": "float32 4 1024",
        "cmp_ratio": 4,
        "coff": 2,
    },
    constraints=CONSTRAINTS,
    chips=(ASCEND950, A3),
    lengths=Lengths.UNCOMPRESSED,
    aclnn=Aclnn(
        "aclnnCompressor",
        """x wkv wgate stateCacheRef ape stateBlockTableOptional cuSeqlensOptional sequsedOptional startPosOptional
        cmpRatio coff cacheMode stateCacheStrideDim0 cmpKvOut""",
        rename=ACLNN_LENGTHS,
        strides={"stateCacheStrideDim0": "state_cache"},
        outputs={"cmpKvOut": "cmp_kv"},
    ),
    disagreements=("A later aclnn form adds gradEnabled and two training outputs.",),
    facts=("Typical: D 512, coff 2, ratio 4; D 128, coff 2, ratio 4 (index keys); D 512, coff 1, ratio 128.",),
)
