"""Random calls of the attention operators with a window and a compressed segment: one problem, any layout.

A problem is what the operator means: query rows, keys and lists of each batch. `lay_out` stores it as BSND, TND or in
blocks, with other data wherever the operator must not look.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from sparse_attn.dialect.npu.formats import hifloat8, row640

Array = np.ndarray
LAYOUTS = [("BSND", "BSND"), ("TND", "TND"), ("BSND", "PA"), ("TND", "PA")]


def stored(values: Array, kind: str) -> Array:
    """float32 [..., 512] in a storage format: hif8, bf16, fp16 or row640."""
    if kind == "hif8":
        return hifloat8.encode(values)
    if kind == "row640":
        return row640.pack(row640.bf16_values(row640.bf16_bits(values)))
    return row640.bf16_bits(values) if kind == "bf16" else values.astype(np.float16)


@dataclass
class Problem:
    """Per batch: query [S,N,512], keys [L,w] and [M,w], residual, lists [S,K] with counts [S]."""

    kind: str
    key_kind: str
    q: list[Array]
    ori: list[Array]
    cmp: list[Array] | None = None
    residual: list[int] | None = None
    ori_list: list[Array] | None = None
    cmp_list: list[Array] | None = None
    ori_count: list[Array] | None = None
    cmp_count: list[Array] | None = None
    arguments: dict[str, Any] = field(default_factory=dict)


def random_problem(
    seed: int,
    kind: str = "hif8",
    key_kind: str | None = None,
    *,
    heads: int = 5,
    ratio: int = 4,
    masks: tuple[int, int] = (4, 3),
    window: tuple[int, int] = (127, 0),
    compressed: bool = True,
    lists: tuple[int, int] = (0, 0),
    counts: bool = False,
    rows: tuple[int, ...] = (3, 1, 0, 2),
    tokens: tuple[int, ...] = (301, 2, 40, 133),
    spread: float = 0.35,
) -> Problem:
    """`lists`: widths of the ori and cmp lists, 0 for none; entries are visible, invisible and -1 in any order."""
    rng = np.random.default_rng(seed)

    def data(*shape: int) -> Array:
        return (rng.standard_normal(shape) * spread * 4).astype(np.float32)

    key_kind = key_kind or kind
    problem = Problem(
        kind,
        key_kind,
        [stored(data(count, heads, 512), kind) for count in rows],
        [stored(data(count, 512), key_kind) for count in tokens],
    )
    if compressed:
        problem.cmp = [stored(data(count // ratio, 512), key_kind) for count in tokens]
        problem.residual = [count % ratio for count in tokens]
    for side, width in zip(("ori", "cmp"), lists, strict=True):
        if width:
            lengths = [len(keys) for keys in getattr(problem, side)]
            made = [_lists(rng, count, width, length) for count, length in zip(rows, lengths, strict=True)]
            setattr(problem, f"{side}_list", made)
            if counts:
                setattr(problem, f"{side}_count", [rng.integers(0, width + 1, n).astype(np.int32) for n in rows])
    problem.arguments = {
        "softmax_scale": 512**-0.5,
        "cmp_ratio": ratio if compressed else 1,
        "ori_mask_mode": masks[0],
        "cmp_mask_mode": masks[1] if compressed else 0,
        "ori_win_left": window[0] if masks[0] == 4 else -1,
        "ori_win_right": window[1] if masks[0] == 4 else -1,
        "sinks": rng.standard_normal(heads).astype(np.float32),
        "return_softmax_lse": True,
    }
    return problem


def _lists(rng: np.random.Generator, rows: int, width: int, length: int) -> Array:
    """Distinct ids in any order, then -1; now and then a -1 in the middle."""
    table = np.full((rows, width), -1, np.int32)
    for row in table:
        count = min(width, length)
        row[:count] = rng.permutation(length)[:count]
        if count > 4 and rng.random() < 0.3:
            row[count - 2] = -1
    return table


def lay_out(
    problem: Problem, layout_q: str, layout_kv: str, seed: int = 0, paged: str = "PA_BBND", spare: int = 1
) -> dict[str, Any]:
    """Keyword arguments of the call; every query slot has `spare` unused rows.

    Names of the lengths are those of the *_sparse_flash_mla operators.
    """
    rng = np.random.default_rng(seed)
    call = dict(problem.arguments, layout_q=layout_q, layout_kv=paged if layout_kv == "PA" else layout_kv)
    call["q"], sums, call["seqused_q"] = _rows(rng, problem.q, layout_q, spare)
    if layout_q == "TND":
        call["cu_seqlens_q"] = sums
    for side in ("ori", "cmp"):
        keys = getattr(problem, side)
        if keys is None:
            continue
        _keys(rng, call, side, [part[:, None] for part in keys], layout_kv, 16 if side == "ori" else 7)
        for name in ("list", "count"):
            parts = getattr(problem, f"{side}_{name}")
            if parts is not None:
                shaped = [part[:, None] for part in parts]
                key = f"{side}_sparse_indices" if name == "list" else f"{side}_topk_length"
                call[key] = _rows(rng, shaped, layout_q, spare, fill=-1 if name == "list" else 0)[0]
    if problem.residual is not None:
        call["cmp_residual_kv"] = np.array(problem.residual, np.int32)
    return call


def _fill(rng: np.random.Generator, shape: tuple[int, ...], dtype: np.dtype, fill: int | None) -> Array:
    if fill is not None:
        return np.full(shape, fill, dtype)
    return rng.integers(0, 256, (*shape, dtype.itemsize), np.uint8).view(dtype)[..., 0]


def _rows(rng, parts: list[Array], layout: str, spare: int, fill: int | None = None) -> tuple[Array, Array, Array]:
    """Batches as [B,S,...] or packed, each slot `spare` rows longer than its batch; prefix sums and lengths."""
    used = np.array([len(part) for part in parts], np.int32)
    slots = used + spare if layout == "TND" else np.full(len(parts), used.max() + spare)
    sums = np.concatenate([[0], np.cumsum(slots)]).astype(np.int32)
    flat = _fill(rng, (int(sums[-1]), *parts[0].shape[1:]), parts[0].dtype, fill)
    for part, start in zip(parts, sums, strict=False):
        flat[start : start + len(part)] = part
    return (flat if layout == "TND" else flat.reshape(len(parts), -1, *flat.shape[1:])), sums, used


def _keys(rng, call: dict[str, Any], side: str, parts: list[Array], layout: str, size: int) -> None:
    name, used = f"{side}_kv", f"seqused_{side}_kv"
    if layout != "PA":
        call[name], sums, call[used] = _rows(rng, parts, layout, 2)
        if layout == "TND":
            call[f"cu_seqlens_{side}_kv"] = sums
        return
    call[used] = np.array([len(part) for part in parts], np.int32)
    needed = [-(-len(part) // size) for part in parts]
    ids = rng.permutation(sum(needed) + 3)
    table = np.full((len(parts), max(needed) + 1), -1, np.int32)
    # Twice the blocks, every other one kept: the cache is strided along its first axis.
    cache = _fill(rng, (2 * len(ids), size, *parts[0].shape[1:]), parts[0].dtype, None)[::2]
    for batch, (part, count) in enumerate(zip(parts, needed, strict=True)):
        table[batch, :count], ids = ids[:count], ids[count:]
        for token, row in enumerate(part):
            cache[table[batch, token // size], token % size] = row
    call[name], call[f"{side}_block_table"] = cache, table


def take_rows(problem: Problem, call: dict[str, Any], result: Array) -> list[Array]:
    """The live rows of a result, per batch."""
    if call["layout_q"] == "BSND":
        return [result[batch, : len(q)] for batch, q in enumerate(problem.q)]
    return [result[start : start + len(q)] for q, start in zip(problem.q, call["cu_seqlens_q"], strict=False)]


def random_flat_call(
    seed=0, rows=(2, 0, 3), tokens=(301, 1, 140), heads=5, width=30, ratio=4, window=128
) -> dict[str, Any]:
    """A call of sparse_compress_flash_attention: 128-row blocks in random places, lists longer than what is visible."""
    rng = np.random.default_rng(seed)
    batches, call = len(rows), {"softmax_scale": 512**-0.5, "win_size": window, "cmp_ratio": ratio}
    call["query_npu"] = stored(rng.standard_normal((sum(rows) * heads, 512)).astype(np.float32), "bf16")
    call["q_act_seqs_npu"] = np.concatenate([[0], np.cumsum(rows)]).astype(np.int32)
    call["seqused_kv_npu"] = np.array(tokens, np.int32)
    call["atten_sink_npu"] = rng.standard_normal(heads).astype(np.float32)
    for side, lengths in (("ori", tokens), ("cmp", [count // ratio for count in tokens])):
        needed = [-(-length // 128) for length in lengths]
        ids = rng.permutation(sum(needed) + 2)
        table = np.full((batches, max(needed) + 1), -1, np.int32)
        for batch, count in enumerate(needed):
            table[batch, :count], ids = ids[:count], ids[count:]
        blocks = rng.standard_normal(((sum(needed) + 2) * 128, 512)).astype(np.float32)
        call |= {f"{side}_kv_npu": stored(blocks, "bf16"), f"{side}_block_table_npu": table}
    call["cmp_sparse_indices_npu"] = np.full((sum(rows), width), -1, np.int32)
    for batch, count in enumerate(rows):
        groups = tokens[batch] // ratio
        for row in range(call["q_act_seqs_npu"][batch], call["q_act_seqs_npu"][batch] + count):
            picked = rng.permutation(groups)[:width]
            call["cmp_sparse_indices_npu"][row, : len(picked)] = picked
    return call
