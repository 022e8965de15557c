"""kv_compress_epilog: quantises rows and writes them into the pages that the attention reads. Mutates the cache,
returns nothing.
"""

from collections.abc import Callable

from .aclnn import Aclnn
from .call import Call, known
from .constraint import on, rule
from .rows import BFLOAT16, E4M3, INT32, INT64, UINT8, tensor
from .rules import contiguous, dim_in, not_empty, one_of, targets
from .shapes import dtypes_accepted, shapes_agree
from .spec import Lengths, Spec, Variant
from .target import ASCEND950, CHIPS

ROPE = 64
FP8_GROUP = 64
MODES = {"fp8_bf16": 0, "fp8_e8m0": 1, "hifloat8_fp4": 2}
EARLIER_MODES = {2: "fp8_e8m0"}
"""The mode numbers of custom and _C_ascend whose meaning is documented."""


def rank_of(name: str) -> Callable[[Call], str]:
    return lambda call: str(call.tensors[name].rank)


CACHE_SHAPES = {"4": "blocks size N2 bytes", "3": "slots N2 bytes", "2": "slots bytes"}

TENSORS = {
    "cache": tensor(
        (UINT8, E4M3),
        by=rank_of("cache"),
        about="Pages of packed rows; rows are replaced in place.",
        **CACHE_SHAPES,
    ),
    "x": tensor(BFLOAT16, "n d", about="Rows to write; the last 64 columns are rotary and keep their own format."),
    "slot_mapping": tensor((INT32, INT64), "n", about="Row of the cache each row goes to; -1 skips it."),
}


def row_bytes(width: int, mode: str, group: int) -> int:
    """Bytes of one packed row of `width` columns: rotary, elements, scales, and alignment where the mode has it."""
    rest = width - ROPE
    groups = -(-rest // (group if mode == "hifloat8_fp4" else FP8_GROUP))
    if mode == "fp8_e8m0":
        return rest + 2 * ROPE + groups
    size = rest + 2 * ROPE + 2 * groups if mode == "fp8_bf16" else ROPE + rest // 2 + 2 * groups
    return -(-size // 32) * 32


@rule(
    "`quant_group_size` is 64; 16 and 32 are for mode hifloat8_fp4.", "pass quant_group_size = 64, or mode hifloat8_fp4"
)
def group_of_mode(call: Call) -> str | None:
    """The fp8 modes share a scale among 64 elements whatever is asked for, so another number would be ignored."""
    group, mode = call["quant_group_size"], call["quant_mode"]
    if mode == "hifloat8_fp4":
        return None if group in (16, 32, 64) else f"quant_group_size is {group}, not 16 or 32 or 64"
    return None if group == FP8_GROUP else f"quant_group_size is {group}, in {mode} it is 64"


@rule("A cache row has room for a packed row.", "allocate wider rows, or choose another quant_mode")
def row_fits(call: Call) -> str | None:
    width, room = call.dim("d"), call.dim("bytes")
    if not known(width, room) or call["quant_mode"] not in MODES or call["quant_group_size"] <= 0:
        return None
    needed = row_bytes(width, call["quant_mode"], call["quant_group_size"])
    return (
        f"cache has rows of {room} bytes, {call['quant_mode']} of {width} columns needs {needed}"
        if room < needed
        else None
    )


@rule("Slots are -1 or rows of the cache.", "pass slots of the cache, -1 to skip a row")
def slots_in_cache(call: Call) -> str | None:
    """The kernels do not look; a slot outside would write over other memory."""
    slots, shape = call.values("slot_mapping"), call.shape("cache")
    rows = shape[0] * shape[1] if len(shape) == 4 and known(*shape) else shape[0]
    if not slots or not known(rows):
        return None
    bad = next((slot for slot in slots if not -1 <= slot < rows), None)
    return f"slot_mapping holds {bad}, the cache has {rows} rows" if bad is not None else None


@rule("In mode hifloat8_fp4 the columns without rotary are whole groups.", "choose a group size that divides d - 64")
def whole_groups(call: Call) -> str | None:
    width, group = call.dim("d"), call["quant_group_size"]
    if call["quant_mode"] != "hifloat8_fp4" or width is None or group <= 0 or (width - ROPE) % group == 0:
        return None
    return f"d - 64 = {width - ROPE} is no multiple of quant_group_size {group}"


@rule("`x` has more than 64 columns.", "pass rows with their 64 rotary columns last")
def has_rotary(call: Call) -> str | None:
    width = call.dim("d")
    return f"x has {width} columns" if width is not None and width <= ROPE else None


CONSTRAINTS = {
    "c1": targets(ASCEND950),
    "c2": shapes_agree(TENSORS),
    "c3": dtypes_accepted(TENSORS),
    "c4": one_of("quant_mode", *MODES),
    "c5": group_of_mode,
    "c6": has_rotary,
    "c7": row_fits,
    "c8": whole_groups,
    "c9": slots_in_cache,
    "c10": on(CHIPS, not_empty()),
    "c11": on(CHIPS, contiguous("x", "slot_mapping")),
    "c12": on(CHIPS, dim_in("d", 128, 8192, what="columns", multiple=64)),
}

_EARLIER = "(Tensor(a!) kv_compress_cache, Tensor x, Tensor slot_mapping,"


def earlier_mode(number: int) -> str:
    """The name of a mode number; an undocumented number stays visible, so that the mode rule refuses it."""
    return EARLIER_MODES.get(number, f"number {number}")


def _earlier(namespace: str, arguments: str, only: dict) -> Variant:
    return Variant(
        namespace,
        f"kv_compress_epilog{_EARLIER} {arguments}) -> ()",
        rename={"kv_compress_cache": "cache", "round_scale_flag": "round_scale"},
        convert={"quant_mode": earlier_mode},
        back={"quant_mode": {name: number for number, name in EARLIER_MODES.items()}.__getitem__},
        only=only,
        fixed={"x_scale": 1.0},
    )


SPEC = Spec(
    name="kv_compress_epilog",
    about="Splits rows into rotary and other columns, quantises the latter by groups, and writes the packed rows "
    "by slot.",
    source="ops-transformer document and torch binding; cann-recipes-infer and vllm-ascend torch bindings",
    published=(
        Variant(
            "cann_ops_transformer",
            """kv_compress_epilog(Tensor(a!) cache, Tensor x, Tensor slot_mapping, *, int quant_group_size=64,
        str quant_mode="fp8_e8m0", bool round_scale=True, float x_scale=1.0) -> ()""",
        ),
        _earlier("custom", "*, int quant_group_size=64, int quant_mode = 2, bool round_scale_flag=True", {}),
        _earlier("_C_ascend", "int quant_group_size, int quant_mode, bool round_scale_flag, int layout", {"layout": 1}),
    ),
    tensors=TENSORS,
    attributes={
        "quant_group_size": "Elements of a scale.",
        "quant_mode": "fp8_e8m0: E4M3 with E8M0 scales, the row kv_quant_sparse_attn_sharedkv reads. fp8_bf16: "
        "E4M3 with bf16 scales. "
        "hifloat8_fp4: rotary as HIFLOAT8, the rest FP4 with bf16 scales.",
        "round_scale": "Whether scales are rounded up to powers of two.",
        "x_scale": "Factor of the rotary part in mode hifloat8_fp4.",
    },
    results=(),
    example={
        "cache": "uint8 9 16 1 640",
        "x": "bfloat16 5 512",
        "slot_mapping": "int32 5",
    },
    constraints=CONSTRAINTS,
    chips=(ASCEND950,),
    lengths=Lengths.NONE,
    aclnn=Aclnn(
        "aclnnKvCompressEpilog",
        "cacheRef x slotMapping quantGroupSize quantMode roundScale xScale",
        enums={"quant_mode": MODES},
    ),
    disagreements=(
        "Mode numbers differ: 2 is E8M0 scales in custom and _C_ascend, hifloat8_fp4 in the current aclnn call.",
        "The vllm kernel's test for a scale that is a power of two appears to look at the wrong bits and always "
        "rounds up.",
        "_C_ascend adds a layout number; its callers pass 1, the row described here. Cache ranks differ: 4 now, 2 "
        "in custom, 3 in vllm.",
        "The document stores rows as uint8 and its elements are E4M3; a cache of E5M2 bytes, which earlier forms "
        "declare, has no described content and is refused.",
    ),
)
