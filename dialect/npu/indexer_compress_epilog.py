"""indexer_compress_epilog: the earlier indexer_quant_cache of cann-recipes-infer (custom) and vllm-ascend
(_C_ascend).
"""

from .aclnn import Aclnn
from .call import Call, known
from .constraint import on, rule
from .rows import BFLOAT16, E4M3, E5M2, E8M0, FLOAT16, FLOAT32, HIFLOAT8, INT32, INT64, tensor
from .rules import contiguous, finite, not_empty, one_of, targets
from .shapes import dtypes_accepted, shapes_agree
from .spec import Lengths, Spec, Variant
from .target import ASCEND950, CHIPS

SCALES = {0: E8M0, 1: FLOAT32, 2: FLOAT32}

TENSORS = {
    "indexer_compress_cache": tensor(
        (E4M3, E5M2, HIFLOAT8), "slots bytes", about="Rows of quantised keys, replaced in place."
    ),
    "indexer_compress_scale": tensor(
        lambda call: SCALES.get(call["quant_mode"], (E8M0, FLOAT32)),
        "slots scales",
        about="Their scales, replaced in place.",
    ),
    "x": tensor((BFLOAT16, FLOAT16), "n d", about="Keys to write."),
    "slot_mapping": tensor((INT32, INT64), "n", about="Row of the caches each key goes to; -1 skips it."),
}


@rule("Slots are -1 or rows of the cache.", "pass slots of the cache, -1 to skip a row")
def slots_in_cache(call: Call) -> str | None:
    """The kernels do not look; a slot outside would write over other memory."""
    return slots_in_rows(call, call.dim("slots"))


def slots_in_rows(call: Call, rows: int | None) -> str | None:
    """The first slot that is neither -1 nor one of a cache's rows."""
    slots = call.values("slot_mapping")
    bad = next((slot for slot in slots or [] if rows is not None and not -1 <= slot < rows), None)
    return f"slot_mapping holds {bad}, the cache has {rows} rows" if bad is not None else None


@rule("A cache row has room for a key.", "allocate wider rows")
def row_fits(call: Call) -> str | None:
    width, room = call.dim("d"), call.dim("bytes")
    return (
        f"indexer_compress_cache has rows of {room}, keys need {width}" if known(width, room) and room < width else None
    )


CONSTRAINTS = {
    "c1": targets(ASCEND950),
    "c2": shapes_agree(TENSORS),
    "c3": dtypes_accepted(TENSORS),
    "c4": one_of("quant_mode", 0, 1, 2),
    "c5": finite("scale"),
    "c6": row_fits,
    "c7": slots_in_cache,
    "c8": on(CHIPS, not_empty()),
    "c9": on(CHIPS, contiguous("indexer_compress_cache", "indexer_compress_scale", "x", "slot_mapping")),
}

_TENSORS = "Tensor(a!) indexer_compress_cache, Tensor(b!) indexer_compress_scale, Tensor x, Tensor slot_mapping"

SPEC = Spec(
    name="indexer_compress_epilog",
    about="Quantises index keys and writes them, with their scales, by slot.",
    source="cann-recipes-infer document and torch binding; vllm-ascend torch binding",
    published=(
        Variant(
            "custom",
            f"indexer_compress_epilog({_TENSORS}, *, int quant_mode=1, bool round_scale=True, float scale=1.0) -> ()",
        ),
        Variant(
            "custom",
            f"indexer_compress_epilog({_TENSORS}, *, int quant_mode=1, bool round_scale=True) -> ()",
            fixed={"scale": 1.0},
        ),
        Variant(
            "_C_ascend",
            f"indexer_compress_epilog({_TENSORS.replace('_scale', '_cache_scale')}, int quant_mode=1, bool "
            f"round_scale=True) -> ()",
            rename={"indexer_compress_cache_scale": "indexer_compress_scale"},
            fixed={"scale": 1.0},
        ),
    ),
    tensors=TENSORS,
    attributes={
        "quant_mode": "0: a power-of-two scale for 32 elements. 1: an fp32 scale a row. 2: HIFLOAT8 with the "
        "fixed scale.",
        "round_scale": "Whether scales are rounded up to powers of two.",
        "scale": "The fixed factor of mode 2.",
    },
    results=(),
    example={
        "indexer_compress_cache": "float8_e4m3fn 144 128",
        "indexer_compress_scale": "float32 144 1",
        "x": "bfloat16 5 128",
        "slot_mapping": "int32 5",
    },
    constraints=CONSTRAINTS,
    chips=(ASCEND950,),
    lengths=Lengths.NONE,
    aclnn=Aclnn(
        "aclnnIndexerCompressEpilog",
        "indexerCompressCacheRef indexerCompressScaleRef x slotMapping quantMode roundScale",
        dropped=("scale",),
    ),
    disagreements=("Two schemas are in use in custom, with and without the fixed scale.",),
)
