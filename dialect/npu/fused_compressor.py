"""fused_compressor: the compressor of cann-recipes-infer (custom) and vllm-ascend (_C_ascend), which also normalises
every compressed row and rotates its last columns.

Both publish it under the name `compressor`; that of cann_ops_transformer is another operator without these two steps.
"""

from .aclnn import Aclnn
from .call import Call
from .compressor import ACLNN_LENGTHS, ATTRIBUTES, COMPRESSED, compressed_rows
from .compressor import CONSTRAINTS as PLAIN_CONSTRAINTS
from .compressor import TENSORS as PLAIN_TENSORS
from .constraint import on, rule
from .rows import BFLOAT16, FLOAT16, tensor
from .rules import contiguous, dim_in, finite, one_of
from .shapes import dtypes_accepted, shapes_agree
from .spec import Lengths, Spec, Variant
from .target import A3, ASCEND950, CHIPS

HALF = (BFLOAT16, FLOAT16)
BLOCK_MOST, HIDDEN_LEAST, HIDDEN_MOST, HIDDEN_STEP = 1024, 1024, 10240, 512


def _layout(call: Call) -> str:
    return "BSND" if call.tensors["x"].rank == 3 else "TND"


_ROTARY = {"BSND": "B _ R", "TND": "_ R"}
TENSORS = {
    **{name: PLAIN_TENSORS[name] for name in ("x", "wkv", "wgate", "state_cache", "ape")},
    "norm_weight": tensor(HALF, "D", about="Factors of the normalised columns."),
    "rope_sin": tensor(HALF, by=_layout, about="Sines, a row for each compressed row.", **_ROTARY),
    "rope_cos": tensor(HALF, by=_layout, about="Cosines, a row for each compressed row.", **_ROTARY),
    **{name: PLAIN_TENSORS[name] for name in ("state_block_table", "cu_seqlens", "seqused", "start_pos")},
}
SUPPORTED = {(512, 2, 4), (128, 2, 4), (512, 1, 128)}
"""(D, coff, cmp_ratio) of the compressed keys, the index keys, and the heavily compressed keys."""


@rule("`rope_sin` and `rope_cos` have a row for each compressed row.", "pass the embedding of each compressed row")
def rotary_rows(call: Call) -> str | None:
    wanted = compressed_rows(call)[:-1]
    for name in ("rope_sin", "rope_cos"):
        rows = call.shape(name)[:-1]
        if any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in zip(rows, wanted, strict=False)):
            return f"{name} has rows {list(rows)}, the result has {list(wanted)}"
    return None


@rule("`norm_weight` has D elements, one half of coff * D.", "pass a factor for each column of a compressed row")
def norm_width(call: Call) -> str | None:
    width, rows = call.dim("D"), call.dim("E")
    if width is None or rows is None or rows == width * call["coff"]:
        return None
    return f"norm_weight has {width} elements, wkv has {rows} rows with coff {call['coff']}"


@rule("`rope_head_dim` is even, at most D, and the width of both rotary tensors.", "pass the width of rope_sin")
def rotary_width(call: Call) -> str | None:
    given, width, most = call["rope_head_dim"], call.dim("R"), call.dim("D")
    if given < 2 or given % 2 or (most is not None and given > most):
        return f"rope_head_dim is {given}"
    return f"rope_head_dim is {given}, rope_sin has {width} columns" if width not in (None, given) else None


@rule("D, coff and cmp_ratio are 512, 2, 4 or 128, 2, 4 or 512, 1, 128.", "use one of the three compressions")
def supported_widths(call: Call) -> str | None:
    found = (call.dim("D"), call["coff"], call["cmp_ratio"])
    return None if found[0] is None or found in SUPPORTED else "D, coff, cmp_ratio are {}, {}, {}".format(*found)


# The rules of the plain compressor under their numbers; then those of the two further steps.
CONSTRAINTS = PLAIN_CONSTRAINTS | {
    "c2": shapes_agree(TENSORS),
    "c3": dtypes_accepted(TENSORS),
    "c13": on(
        CHIPS,
        contiguous("x", "wkv", "wgate", "ape", "norm_weight", "rope_sin", "rope_cos", axis0_free=("state_cache",)),
    ),
    "c14": norm_width,
    "c15": rotary_width,
    "c16": rotary_rows,
    "c17": one_of("rotary_mode", 1, 2),
    "c18": on(CHIPS, one_of("rotary_mode", 2)).noting("The document's default is 1, which it does not support."),
    "c19": on(CHIPS, one_of("rope_head_dim", 64)),
    "c20": on(CHIPS, supported_widths),
    "c21": on(CHIPS, dim_in("H", HIDDEN_LEAST, HIDDEN_MOST, what="hidden size", multiple=HIDDEN_STEP)),
    "c22": on(CHIPS, dim_in("size", 16, BLOCK_MOST, what="rows of a state block", multiple=16)),
    "c23": finite("norm_eps"),
}

_FIRST = """Tensor x, Tensor wkv, Tensor wgate, Tensor(a!) state_cache, Tensor ape, Tensor norm_weight, Tensor rope_sin,
    Tensor rope_cos,"""
_LENGTHS = ("state_block_table", "cu_seqlens", "seqused", "start_pos")

SPEC = Spec(
    name="fused_compressor",
    about="Compresses every `cmp_ratio` tokens into one row, normalises it and rotates its last columns.",
    source="cann-recipes-infer and vllm-ascend compressor document and torch bindings",
    published=(
        Variant(
            "custom",
            f"""compressor({_FIRST} int rope_head_dim, int cmp_ratio, *,
            {", ".join(f"Tensor? {name}=None" for name in _LENGTHS)}, int coff=1, float norm_eps=1e-6,
            int rotary_mode=1, int cache_mode=1) -> (Tensor)""",
        ),
        Variant(
            "_C_ascend",
            f"""compressor({_FIRST} {", ".join(f"Tensor? {name}" for name in _LENGTHS)}, int rope_head_dim,
            int cmp_ratio, int coff, float norm_eps, int rotary_mode, int cache_mode) -> Tensor""",
        ),
    ),
    tensors=TENSORS,
    attributes={
        "rope_head_dim": "How many of the last columns are rotated.",
        "cmp_ratio": ATTRIBUTES["cmp_ratio"],
        "coff": ATTRIBUTES["coff"],
        "norm_eps": "Added to the mean square before its root.",
        "rotary_mode": "Which columns turn together. 1: i and i + half. 2: 2i and 2i + 1.",
        "cache_mode": ATTRIBUTES["cache_mode"],
    },
    results=(COMPRESSED,),
    example={
        "x": "bfloat16 2 10 1024",
        "wkv": "bfloat16 1024 1024",
        "wgate": "bfloat16 1024 1024",
        "state_cache": "float32 5 16 2048",
        "ape": "float32 4 1024",
        "norm_weight": "bfloat16 512",
        "rope_sin": "bfloat16 2 3 64",
        "rope_cos": "bfloat16 2 3 64",
        "rope_head_dim": 64,
        "cmp_ratio": 4,
        "coff": 2,
        "rotary_mode": 2,
    },
    constraints=CONSTRAINTS,
    chips=(ASCEND950, A3),
    lengths=Lengths.UNCOMPRESSED,
    aclnn=Aclnn(
        "aclnnCompressor",
        """x wkv wgate stateCacheRef ape normWeight ropeSin ropeCos stateBlockTableOptional cuSeqlensOptional
        sequsedOptional startPosOptional ropeHeadDim cmpRatio coff normEps rotaryMode cacheMode stateCacheStrideDim0
        cmpKvOut""",
        rename=ACLNN_LENGTHS,
        strides={"stateCacheStrideDim0": "state_cache"},
        outputs={"cmpKvOut": "cmp_kv"},
    ),
    disagreements=(
        "The document keeps keys and gates in two caches, kv_state and score_state; the bindings have one state_cache.",
        "Its aclnn function has the name of the one without norm and rotation in ops-transformer: which one a machine "
        "has depends on the installed package.",
        "Rounding between the steps is not documented; here all are fp32 and the row is rounded once.",
    ),
    facts=("The rotated columns are the last ones, as DeepSeek-V4 orders a row; the document does not say.",),
)
