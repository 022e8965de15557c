"""compressor in numpy, in float64: token by token and window by window. Source: the document of ops-transformer."""

import numpy as np

from ._rows import Array
from .lightning_indexer import decode


def _window(
    position_rows: dict[int, tuple[Array, Array]], group: int, ratio: int, coff: int, width: int
) -> tuple[Array, Array]:
    """Keys and gates a compressed row sums over: with overlap, the previous group's first half comes before its own."""
    keys, gates = [], []
    for half in range(coff):
        first = (group - (coff - 1 - half)) * ratio
        for position in range(first, first + ratio):
            if position >= 0:
                key, gate = position_rows[position]
                keys.append(key[half * width : (half + 1) * width])
                gates.append(gate[half * width : (half + 1) * width])
    return np.array(keys), np.array(gates)


def compressor(
    x: Array,
    wkv: Array,
    wgate: Array,
    state_cache: Array,
    ape: Array,
    cmp_ratio: int = 4,
    state_block_table: Array | None = None,
    cu_seqlens: Array | None = None,
    seqused: Array | None = None,
    start_pos: Array | None = None,
    coff: int = 1,
    cache_mode: int = 1,
) -> tuple[Array, Array]:
    """x [B,S,H] or packed [T,H] -> (cmp_kv, state_cache).

    cmp_kv is float64, [B, ceil(S / ratio), D] or [min(T, T // ratio + B), D]. A token's state is its key and its biased
    gate, [2 * coff * D], in block table[b, p // size] at row p % size (mode 1, block 0 keeps nothing) or in block
    table[b] at row p % size (mode 2, only what later groups can need).
    """
    batches = len(x) if cu_seqlens is None else len(cu_seqlens) - 1
    columns, size, ratio = wkv.shape[0], state_cache.shape[1], cmp_ratio
    width, state = columns // coff, state_cache.copy()
    results: list[list[Array]] = []
    for b in range(batches):
        tokens = x[b] if cu_seqlens is None else x[cu_seqlens[b] : cu_seqlens[b + 1]]
        tokens = decode(tokens if seqused is None else tokens[: seqused[b]]).astype(np.float64)
        start = 0 if start_pos is None else int(start_pos[b])
        end = start + len(tokens)
        complete = end // ratio * ratio

        def place(position: int, batch: int = b) -> tuple[int, int]:
            entry = state_block_table[batch] if cache_mode == 2 else state_block_table[batch, position // size]
            return int(entry), position % size

        rows: dict[int, tuple[Array, Array]] = {}
        if complete > start:
            for position in range(max(start // ratio * ratio - (coff - 1) * ratio, 0), start):
                saved = state_cache[place(position)].astype(np.float64)
                rows[position] = saved[:columns], saved[columns:]
        for i, token in enumerate(tokens):
            gate = decode(wgate).astype(np.float64) @ token + ape[(start + i) % ratio]
            rows[start + i] = decode(wkv).astype(np.float64) @ token, gate
        results.append([])
        for group in range(start // ratio, end // ratio):
            keys, gates = _window(rows, group, ratio, coff, width)
            weights = np.exp(gates - gates.max(0))
            results[-1].append((weights / weights.sum(0) * keys).sum(0))
        if state_block_table is None:
            continue
        kept = start if cache_mode == 1 else max(start, complete - (coff - 1) * ratio)
        for position in range(kept, end):
            if cache_mode == 2 or place(position)[0] != 0:
                state[place(position)] = np.concatenate(rows[position])
    return _gather(results, x, ratio, width), state


def _gather(results: list[list[Array]], x: Array, ratio: int, width: int) -> Array:
    """Rows of a batch behind each other, then zeros: at the end of each batch, or at the very end when x is packed."""
    if x.ndim == 2:
        out = np.zeros((min(len(x), len(x) // ratio + len(results)), width))
        for i, row in enumerate(row for rows in results for row in rows):
            out[i] = row
        return out
    out = np.zeros((len(results), -(-x.shape[1] // ratio), width))
    for b, rows in enumerate(results):
        for i, row in enumerate(rows):
            out[b, i] = row
    return out
