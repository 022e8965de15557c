"""indexer_quant_cache: quantises index keys and writes elements and scales into their caches. Mutates both, returns
nothing.
"""

from .aclnn import Aclnn
from .call import Call, known
from .constraint import on, rule
from .kv_compress_epilog import CACHE_SHAPES, rank_of, slots_in_cache
from .rows import BFLOAT16, E4M3, E5M2, E8M0, FLOAT16, FLOAT32, FP4X2, HIFLOAT8, INT32, tensor
from .rules import contiguous, finite, not_empty, one_of, targets
from .shapes import dtypes_accepted, shapes_agree
from .spec import Lengths, Spec, Variant
from .target import ASCEND950, CHIPS

MODES = {"mxfp8": 0, "fp8": 1, "hifloat8": 2, "mxfp4": 3}
ELEMENTS = {"mxfp8": (E4M3, E5M2), "fp8": (E4M3, E5M2), "hifloat8": (HIFLOAT8,), "mxfp4": (FP4X2,)}
SCALES = {"mxfp8": E8M0, "fp8": FLOAT32, "hifloat8": FLOAT32, "mxfp4": E8M0}
ALL_ELEMENTS = (E4M3, E5M2, HIFLOAT8, FP4X2)

TENSORS = {
    "cache": tensor(
        lambda call: ELEMENTS.get(call["quant_mode"], ALL_ELEMENTS),
        by=rank_of("cache"),
        about="Pages of quantised keys; rows are replaced in place.",
        **CACHE_SHAPES,
    ),
    "cache_scale": tensor(
        lambda call: SCALES.get(call["quant_mode"], (E8M0, FLOAT32)),
        by=rank_of("cache_scale"),
        about="Pages of their scales; rows are replaced in place.",
        **{rank: shape.replace("bytes", "scales") for rank, shape in CACHE_SHAPES.items()},
        **{"5": "blocks size N2 groups 2"},
    ),
    "x": tensor((BFLOAT16, FLOAT16), "n d", about="Keys to write."),
    "slot_mapping": tensor(INT32, "n", about="Row of the caches each key goes to; -1 skips it."),
}


@rule("A cache row has room for a key.", "allocate wider rows")
def row_fits(call: Call) -> str | None:
    width, room = call.dim("d"), call.dim("bytes")
    if not known(width, room):
        return None
    needed = width // 2 if call["quant_mode"] == "mxfp4" else width
    return f"cache has rows of {room}, keys need {needed}" if room < needed else None


@rule("MX modes have a scale for every 32 elements, the others one.", "allocate the scale cache with that many columns")
def scales_fit(call: Call) -> str | None:
    width = call.dim("d")
    columns = (
        call.dim("scales") if call.tensors["cache_scale"].rank != 5 else call.dim("groups") and 2 * call.dim("groups")
    )
    if not known(width, columns):
        return None
    needed = -(-width // 32) if call["quant_mode"].startswith("mx") else 1
    return (
        f"cache_scale has {columns} columns, {call['quant_mode']} of {width} needs {needed}"
        if columns < needed
        else None
    )


CONSTRAINTS = {
    "c1": targets(ASCEND950),
    "c2": shapes_agree(TENSORS),
    "c3": dtypes_accepted(TENSORS),
    "c4": one_of("quant_mode", *MODES),
    "c5": finite("x_scale"),
    "c6": row_fits,
    "c7": scales_fit,
    "c8": slots_in_cache,
    "c9": on(CHIPS, not_empty()),
    "c10": on(CHIPS, contiguous("x", "slot_mapping")),
}

SPEC = Spec(
    name="indexer_quant_cache",
    about="Quantises index keys in one of four formats and writes them, with their scales, by slot.",
    source="ops-transformer, indexer_quant_cache document and torch binding",
    published=(
        Variant(
            "cann_ops_transformer",
            """indexer_quant_cache(Tensor(a!) cache, Tensor(b!) cache_scale, Tensor x, Tensor slot_mapping, *,
        str quant_mode="fp8", bool round_scale=True, float x_scale=1.0) -> ()""",
        ),
    ),
    tensors=TENSORS,
    attributes={
        "quant_mode": "mxfp8 and mxfp4: a power-of-two scale for 32 elements. fp8: an fp32 scale a row. hifloat8: "
        "the fixed x_scale.",
        "round_scale": "Whether fp8 scales are rounded up to powers of two.",
        "x_scale": "The fixed factor of mode hifloat8.",
    },
    results=(),
    example={
        "cache": "float8_e4m3fn 9 16 1 128",
        "cache_scale": "float32 9 16 1 1",
        "x": "bfloat16 5 128",
        "slot_mapping": "int32 5",
    },
    constraints=CONSTRAINTS,
    chips=(ASCEND950,),
    lengths=Lengths.NONE,
    aclnn=Aclnn(
        "aclnnIndexerQuantCache",
        "cacheRef cacheScaleRef x slotMapping quantMode roundScale xScale",
        enums={"quant_mode": MODES},
    ),
)
