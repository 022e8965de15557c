import numpy as np
import pytest

from sparse_attn.dialect.npu.reference.core_plan import (
    Merge,
    Part,
    Plan,
    draw,
    indexer_keys,
    read,
    row_tiles,
    tiles_of,
    window_keys,
)

TILES = np.array([[2, 0, 3], [1, -1, -1]], np.int32)


def record(core_ints):
    flat = np.zeros(1024, np.int32)
    flat[:8] = [1, 0, 0, 0, 0, 2, 1, 0]
    flat[core_ints : core_ints + 8] = [1, 0, 2, 1, 2, 0, 0, 1]
    flat[36 * core_ints :][:8] = [1, 0, 2, 0, 2, 0, 4, 0]
    return flat


@pytest.mark.parametrize("core_ints", [8, 9])
def test_a_record_is_read_back(core_ints):
    plan = read(record(core_ints), core_ints)
    assert plan == Plan(
        [Part((0, 0, 0), (0, 2, 1), 0), Part((0, 2, 1), (2, 0, 0), 1)],
        [Merge(batch=0, row=2, first_partial=0, partials=2, first_head=0, heads=4)],
    )


def test_tiles_of_a_part():
    first, second = read(record(8), 8).parts
    assert list(tiles_of(first, TILES)) == [(0, 0, 0), (0, 0, 1), (0, 2, 0)]
    assert list(tiles_of(second, TILES)) == [(0, 2, 1), (0, 2, 2), (1, 0, 0)]


def test_a_drawing_shows_shares_and_merges():
    lines = draw(read(record(8), 8), TILES, width=4).splitlines()
    assert lines[0] == "6 tiles on 2 of 36 cores, at most 3 each"
    assert lines[1] == "core  0  ####      3  (0, 0, 0) to (0, 2, 1)"
    assert lines[3] == "merge batch 0 row 2, heads 0..3: 2 partial results from 0"
    assert draw(Plan([], []), TILES) == "0 tiles on 0 of 36 cores, at most 0 each"


def test_tiles_are_counted_for_each_segment_by_itself():
    """A tile never holds keys of two segments: 1 + 1 keys are two tiles."""
    assert row_tiles([[1, 0], [129]], [[1, 128], [0]]).tolist() == [[2, 1], [2, -1]]


def test_visible_keys():
    assert indexer_keys([3], [2], [9], 3, 4) == [[1, 2, 2]]
    assert indexer_keys([3], [2], [9], 0, 4) == [[2, 2, 2]]
    assert window_keys([3], [5], 4, 1, 0) == [[2, 2, 2]]
    assert window_keys([3], [2], 3, -1, -1) == [[0, 1, 2]]
