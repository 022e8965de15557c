"""The division of a call among cores, as the metadata operators write it: reading the record, and drawing it as text.

A call is a sequence of tiles in the order (batch, row, tile); a part is a half-open interval of it. The record is
int32 [1024]: 36 cores of 8 or 9 ints (enable, start, end, first partial result, [tiles of the longest row]), then 72
vector units of 8 ints (enable, batch, row, first partial result, their number, first head, heads, unused).
Source: ops-transformer, the record layouts of the metadata operators.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ._rows import Array, visible_groups, window

CORES, VECTORS, VECTOR_INTS, TILE = 36, 72, 8, 128

Position = tuple[int, int, int]


class Part(NamedTuple):
    """What one core does; positions are (batch, row, tile)."""

    start: Position
    end: Position
    first_partial: int


class Merge(NamedTuple):
    """One vector unit puts heads of a divided row together from partial results."""

    batch: int
    row: int
    first_partial: int
    partials: int
    first_head: int
    heads: int


class Plan(NamedTuple):
    parts: list[Part]
    merges: list[Merge]


def read(record: Array, core_ints: int) -> Plan:
    """The enabled entries of a record."""
    cores = record[: CORES * core_ints].reshape(CORES, core_ints).tolist()
    vectors = record[CORES * core_ints :][: VECTORS * VECTOR_INTS].reshape(VECTORS, VECTOR_INTS).tolist()
    parts = [Part((c[1], c[2], c[3]), (c[4], c[5], c[6]), c[7]) for c in cores if c[0]]
    return Plan(parts, [Merge(*v[1:7]) for v in vectors if v[0]])


def tiles_of(part: Part, tiles: Array) -> Iterator[Position]:
    """The tiles of a part; `tiles` [B,S] holds the tiles of each row, -1 behind the last row of a batch."""
    for batch in range(part.start[0], min(part.end[0] + 1, len(tiles))):
        for row, count in enumerate(tiles[batch].tolist()):
            yield from (at for tile in range(count) if part.start <= (at := (batch, row, tile)) < part.end)


def draw(plan: Plan, tiles: Array, width: int = 40) -> str:
    """One line a core, with a bar of its share, and one line a divided row."""
    loads = [sum(1 for _ in tiles_of(part, tiles)) for part in plan.parts]
    longest = max([*loads, 1])
    lines = [f"{sum(loads)} tiles on {len(loads)} of {CORES} cores, at most {max([*loads, 0])} each"]
    for core, (part, load) in enumerate(zip(plan.parts, loads, strict=True)):
        bar = "#" * -(-load * width // longest)
        lines.append(f"core {core:2}  {bar:{width}} {load:6}  {_place(part.start)} to {_place(part.end)}")
    for m in plan.merges:
        heads, partials = f"heads {m.first_head}..{m.first_head + m.heads - 1}", f"{m.partials} partial results"
        lines.append(f"merge batch {m.batch} row {m.row}, {heads}: {partials} from {m.first_partial}")
    return "\n".join(lines)


def _place(position: Position) -> str:
    return "({}, {}, {})".format(*position)


def row_tiles(*segments: list[list[int]]) -> Array:
    """[B,S] int32: tiles of each row over its segments, each of which is the keys of each row of each batch."""
    rows = [len(batch) for batch in segments[0]]
    table = np.full((len(rows), max(rows, default=0)), -1, np.int32)
    for batch, count in enumerate(rows):
        table[batch, :count] = [sum(-(-segment[batch][row] // TILE) for segment in segments) for row in range(count)]
    return table


def indexer_keys(queries: list[int], keys: list[int], tokens: list[int], mask_mode: int, ratio: int) -> list[list[int]]:
    """Visible keys of each row: queries, keys and original tokens are counts per batch."""
    return [
        [visible_groups(n - q + i + 1, ratio, k) if mask_mode == 3 else k for i in range(q)]
        for q, k, n in zip(queries, keys, tokens, strict=True)
    ]


def window_keys(queries: list[int], keys: list[int], mask_mode: int, left: int, right: int) -> list[list[int]]:
    """Keys of the window of each row."""
    return [
        [len(window(n - q + i + 1, n, mask_mode, left, right)) for i in range(q)]
        for q, n in zip(queries, keys, strict=True)
    ]
