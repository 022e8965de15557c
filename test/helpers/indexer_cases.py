"""Random calls of the indexers: every layout, length tensor and storage, with all the padding that a call may hold."""

from dataclasses import dataclass, field

import numpy as np
from storage import tagged

DEPTH = 128

# quant mode of quant_lightning_indexer -> storage tags of (query and key, scales, weights)
MODES = {
    1: ("float8_e4m3fn", "float32", "float32"),
    2: ("int8", "float16", "float16"),
    3: ("float8_e4m3fn", "float8_e8m0fnu", "float32"),
    4: ("hifloat8", "float32", "float32"),
    5: ("float4_e2m1fn_x2", "float8_e8m0fnu", "float32"),
}
LAYOUTS = [("BSND", "BSND"), ("TND", "TND"), ("BSND", "PA"), ("TND", "PA")]


@dataclass
class Lengths:
    """A layout pair with its length tensors; slots hold the storage, used says how much of it counts."""

    layout_q: str
    layout_k: str
    query_slots: np.ndarray
    query_used: np.ndarray
    key_slots: np.ndarray
    key_used: np.ndarray
    block_size: int = 16
    table: np.ndarray | None = None
    blocks: int = 0

    def query_shape(self, *rest: int) -> tuple[int, ...]:
        """[B,S,...] or [T,...]."""
        slots = self.query_slots
        return (slots.size, int(slots.max()), *rest) if self.layout_q == "BSND" else (int(slots.sum()), *rest)

    def key_shape(self, *rest: int) -> tuple[int, ...]:
        """[B,S,...], [T,...] or [blocks,size,...]."""
        if self.layout_k == "PA":
            return (self.blocks, self.block_size, *rest)
        slots = self.key_slots
        return (slots.size, int(slots.max()), *rest) if self.layout_k == "BSND" else (int(slots.sum()), *rest)


def random_lengths(rng, layout_q, layout_k, batches=3, rows=5, keys=150, block_size=16) -> Lengths:
    """Ragged lengths, some of them 0, with slots longer than what is used."""
    query_slots = np.full(batches, rows) if layout_q == "BSND" else rng.integers(0, rows + 1, batches)
    if query_slots.sum() == 0:
        query_slots[0] = rows
    key_slots = np.full(batches, keys) if layout_k == "BSND" else rng.integers(0, keys + 1, batches)
    if key_slots.sum() == 0:
        key_slots[0] = keys
    lengths = Lengths(
        layout_q,
        layout_k,
        query_slots,
        rng.integers(0, query_slots + 1),
        key_slots,
        rng.integers(0, key_slots + 1),
        block_size,
    )
    if layout_k == "PA":
        width = -(-keys // block_size) + 1
        needed = -(-lengths.key_used // block_size)
        lengths.blocks = int(needed.sum()) + 2
        lengths.table = np.full((batches, width), -1, np.int32)
        ids = rng.permutation(lengths.blocks)
        for batch, count in enumerate(needed):
            lengths.table[batch, :count], ids = ids[:count], ids[count:]
    return lengths


def sums(slots: np.ndarray) -> np.ndarray:
    """Prefix sums with a leading 0, int32."""
    return np.concatenate([[0], np.cumsum(slots)]).astype(np.int32)


def random_storage(rng: np.random.Generator, tag: str, shape: tuple[int, ...]) -> np.ndarray:
    """Raw storage of finite, mostly ordinary numbers; ties are common because only few codes are used."""
    if tag == "float8_e4m3fn":
        return (rng.integers(0x28, 0x48, shape) | rng.integers(0, 2, shape) << 7).astype(np.uint8)
    if tag == "hifloat8":
        codes = rng.choice([0x08, 0x0A, 0x10, 0x19, 0x22, 0x31, 0x41], shape) | rng.integers(0, 2, shape) << 7
        return np.where(rng.integers(0, 9, shape), codes, 0).astype(np.uint8)
    if tag == "float4_e2m1fn_x2":
        return rng.integers(0, 256, (*shape[:-1], shape[-1] // 2), dtype=np.uint8)
    if tag == "float8_e8m0fnu":
        return rng.integers(124, 131, shape, dtype=np.uint8)
    if tag == "int8":
        return rng.integers(-128, 128, shape).astype(np.int8)
    if tag == "bfloat16":
        return (rng.standard_normal(shape).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return rng.standard_normal(shape).astype(tag)


@dataclass
class Case:
    """Inputs by name in raw storage, their tags, and the attributes."""

    inputs: dict[str, np.ndarray | None]
    tags: dict[str, str]
    attrs: dict[str, object]
    rows: tuple[int, ...]
    tensors: dict[str, object] = field(init=False)

    def __post_init__(self):
        self.tensors = {name: tagged(array, self.tags.get(name, "")) for name, array in self.inputs.items()}

    def results(self, dtype=np.float32) -> tuple[np.ndarray, np.ndarray]:
        """Garbage-filled indices and values for the kernel to write."""
        shape = (*self.rows, 1, int(self.attrs["topk"]))
        return np.full(shape, 12345, np.int32), np.full(shape, 7, dtype)


def random_case(
    seed: int, mode: int | None, layouts=("BSND", "BSND"), mask=3, ratio=1, heads=6, topk=20, **sizes
) -> Case:
    """A call of quant_lightning_indexer (mode 1..5) or, without a mode, of lightning_indexer on bfloat16."""
    rng = np.random.default_rng(seed)
    lengths = random_lengths(rng, *layouts, **sizes)
    element, scale, weight = MODES[mode] if mode else ("bfloat16", "", "float32")
    names = ("query", "key", "weights") if mode else ("q", "k", "w")
    shapes = (lengths.query_shape(heads, DEPTH), lengths.key_shape(1, DEPTH), lengths.query_shape(heads))
    inputs = {n: random_storage(rng, t, s) for n, t, s in zip(names, (element, element, weight), shapes, strict=True)}
    tags = {names[0]: element, names[1]: element}
    if mode:
        tags |= {"query_dequant_scale": scale, "key_dequant_scale": scale}
        tail = (2, 2) if scale == "float8_e8m0fnu" else ()
        query_scale, key_scale = lengths.query_shape(heads, *tail), lengths.key_shape(1, *tail)
        inputs["query_dequant_scale"] = random_storage(rng, scale, (1,) if mode == 4 else query_scale)
        inputs["key_dequant_scale"] = random_storage(rng, scale, (1,) if mode == 4 else key_scale)
    packed_q, packed_k = layouts[0] == "TND", layouts[1] == "TND"
    inputs["cu_seqlens_q"] = sums(lengths.query_slots) if packed_q else None
    inputs["cu_seqlens_k"] = sums(lengths.key_slots) if packed_k else None
    inputs["seqused_q"] = lengths.query_used.astype(np.int32) if rng.integers(2) else None
    paged = layouts[1] == "PA"
    inputs["seqused_k"] = lengths.key_used.astype(np.int32) if paged or rng.integers(2) else None
    residual = rng.integers(0, ratio, lengths.key_slots.size).astype(np.int32)
    inputs["cmp_residual_k"] = residual if mask == 3 and ratio > 1 else None
    inputs["block_table"] = lengths.table
    offset = rng.integers(1, 999, lengths.query_shape(1)).astype(np.int32)
    inputs["output_idx_offset"] = offset if rng.integers(2) else None
    attrs = {"topk": topk, "layout_q": layouts[0], "layout_k": "PA_BBND" if paged else layouts[1]}
    attrs |= {"mask_mode": mask, "cmp_ratio": ratio, "return_value": 1} | ({"quant_mode": mode} if mode else {})
    return Case(inputs, tags, attrs, lengths.query_shape())


LENGTH_NAMES = [
    "cu_seqlens_q",
    "cu_seqlens_k",
    "seqused_q",
    "seqused_k",
    "cmp_residual_k",
    "block_table",
    "output_idx_offset",
]


def arguments(tensors: dict, attrs: dict) -> list:
    """Arguments of (quant_)lightning_indexer in schema order."""
    quant = "quant_mode" in attrs
    names = ["query", "key", "weights", "query_dequant_scale", "key_dequant_scale"] if quant else ["q", "k", "w"]
    head = [tensors[name] for name in names]
    scalars = [attrs["topk"], attrs["quant_mode"]] if quant else [attrs["topk"]]
    tail = [attrs.get("max_seqlen_q", -1), attrs["layout_q"], attrs["layout_k"], attrs["mask_mode"], attrs["cmp_ratio"]]
    return [*head, *scalars, *(tensors.get(name) for name in LENGTH_NAMES), None, *tail, attrs["return_value"]]
