"""indexer_compress_epilog_v2: quantises index keys to E4M3 and writes elements and scales into one cache of bytes.

A block of `size` rows holds the elements of all its rows first, then the scales of all its rows.
"""

from .aclnn import Aclnn
from .call import Call, known
from .constraint import on, rule
from .indexer_compress_epilog import slots_in_rows
from .rows import BFLOAT16, E4M3, FLOAT16, INT32, UINT8, tensor
from .rules import contiguous, not_empty, one_of, targets
from .shapes import dtypes_accepted, shapes_agree
from .spec import Lengths, Spec, Variant
from .target import ASCEND950, CHIPS

GROUP, SCALE_BYTES = 128, 4

TENSORS = {
    "indexer_compress_cache": tensor(
        (UINT8, E4M3), "blocks size N2 bytes", about="Blocks of elements and scales; rows are replaced in place."
    ),
    "x": tensor((BFLOAT16, FLOAT16), "n d", about="Keys to write."),
    "slot_mapping": tensor(INT32, "n", about="Row of the cache each key goes to; -1 skips it."),
}


@rule("A cache row has room for a key and its scales: d + 4 * ceil(d / 128) bytes.", "allocate wider rows")
def row_fits(call: Call) -> str | None:
    width, room = call.dim("d"), call.dim("bytes")
    if not known(width, room):
        return None
    needed = width + SCALE_BYTES * -(-width // GROUP)
    return f"indexer_compress_cache has rows of {room} bytes, keys need {needed}" if room < needed else None


@rule("`indexer_compress_cache` is [blocks, size, 1, bytes].", "give the cache a third axis of size 1")
def one_head(call: Call) -> str | None:
    heads = call.dim("N2")
    return f"indexer_compress_cache has {heads} heads" if heads not in (None, 1) else None


@rule("Slots are -1 or rows of the cache.", "pass slots of the cache, -1 to skip a row")
def slots_in_cache(call: Call) -> str | None:
    """The kernel does not look; a slot outside would write over other memory."""
    blocks, size = call.dim("blocks"), call.dim("size")
    return slots_in_rows(call, blocks * size if known(blocks, size) else None)


CONSTRAINTS = {
    "c1": targets(ASCEND950),
    "c2": shapes_agree(TENSORS),
    "c3": dtypes_accepted(TENSORS),
    "c4": one_of("layout", 2).noting("The host check accepts no other layout; none of the others is described."),
    "c5": row_fits,
    "c6": one_head,
    "c7": slots_in_cache,
    "c8": on(CHIPS, not_empty()),
    "c9": on(CHIPS, contiguous("x", "slot_mapping", axis0_free=("indexer_compress_cache",))),
}

SPEC = Spec(
    name="indexer_compress_epilog_v2",
    about="Quantises index keys to E4M3 with a scale for 128 elements and writes both into one cache, by slot.",
    source="vllm-ascend torch binding, host check and kernel",
    published=(
        Variant(
            "_C_ascend",
            "indexer_compress_epilog_v2(Tensor(a!) indexer_compress_cache, Tensor x, Tensor slot_mapping, "
            "int layout=2) -> ()",
        ),
    ),
    tensors=TENSORS,
    attributes={"layout": "2: elements of a block, then its scales."},
    results=(),
    example={
        "indexer_compress_cache": "uint8 9 16 1 132",
        "x": "bfloat16 5 128",
        "slot_mapping": "int32 5",
    },
    constraints=CONSTRAINTS,
    chips=(ASCEND950,),
    lengths=Lengths.NONE,
    aclnn=Aclnn(
        "aclnnIndexerCompressEpilogV2",
        "indexerCompressCacheRef x slotMapping layout indexerCompressCacheStride",
        strides={"indexerCompressCacheStride": "indexer_compress_cache"},
    ),
    facts=("Scales are not rounded to powers of two. Keys with an infinity or NaN take their scale from the rest.",),
)
