"""What a valid division of a call among cores is."""

import numpy as np

from sparse_attn.dialect.npu.reference.core_plan import Plan, read, tiles_of

Array = np.ndarray


def loads_of(plan: Plan, tiles: Array) -> list[int]:
    """Tiles of each part."""
    return [sum(1 for _ in tiles_of(part, tiles)) for part in plan.parts]


def check_plan(record: Array, tiles: Array, cores: int, split: bool, ints: int, heads: int) -> Plan:
    """Asserts that the parts are the whole without overlap, even, and that divided rows are put together once."""
    plan, live = read(record, ints), tiles[tiles > 0]
    assert record.shape == (1024,) and (record[36 * ints + 72 * 8 :] == 0).all()
    assert len(plan.parts) <= cores
    if (tiles >= 0).any():
        assert plan.parts[0].start == (0, 0, 0) and plan.parts[-1].end == (len(tiles), 0, 0)
    assert all(a.end == b.start for a, b in zip(plan.parts, plan.parts[1:], strict=False))
    covered = [tile for part in plan.parts for tile in tiles_of(part, tiles)]
    assert len(covered) == len(set(covered)) == live.sum()
    loads, share = loads_of(plan, tiles), live.sum() / cores
    allowed = 1 if split else live.max(initial=0)
    assert all(load <= share + allowed for load in loads)
    _check_merges(plan, tiles, split, heads)
    return plan


def _check_merges(plan: Plan, tiles: Array, split: bool, heads: int) -> None:
    """Every row that several parts touch has its heads covered once, from as many partial results as parts touch it."""
    owners: dict[tuple[int, int], list[int]] = {}
    for index, part in enumerate(plan.parts):
        for batch, row in dict.fromkeys(tile[:2] for tile in tiles_of(part, tiles)):
            owners.setdefault((batch, row), []).append(index)
    divided = {row: parts for row, parts in owners.items() if len(parts) > 1}
    assert split or not divided
    assert {merge[:2] for merge in plan.merges} == set(divided)
    slots: list[int] = []
    for row, parts in divided.items():
        merges = [merge for merge in plan.merges if merge[:2] == row]
        assert sorted(h for m in merges for h in range(m.first_head, m.first_head + m.heads)) == list(range(heads))
        assert {(m.first_partial, m.partials) for m in merges} == {(merges[0].first_partial, len(parts))}
        slots += range(merges[0].first_partial, merges[0].first_partial + len(parts))
    assert slots == list(range(len(slots))), "partial results are numbered without a gap"
    for index, part in enumerate(plan.parts):
        before = sum(1 for parts in divided.values() for other in parts if other < index)
        assert part.first_partial == before
