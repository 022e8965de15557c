"""The reference against a dictionary of slots."""

import numpy as np
import pytest

from sparse_attn.dialect.sparse_attn import PagedWriteOp

CACHE = np.arange(4 * 8 * 3, dtype=np.float32).reshape(4, 8, 3)
ROWS = -np.arange(5 * 3, dtype=np.float32).reshape(5, 3) - 1


def test_rows_reach_their_slots():
    slots = np.array([9, -1, 31, 0, 9])
    before = CACHE.copy()
    written = PagedWriteOp.reference(CACHE, ROWS, slots)
    np.testing.assert_array_equal(CACHE, before)
    last = {slot: row for slot, row in zip(slots, ROWS, strict=True) if slot >= 0}
    for block, place in np.ndindex(4, 8):
        wanted = last.get(block * 8 + place, CACHE[block, place])
        np.testing.assert_array_equal(written[block, place], wanted)


def test_all_skipped_is_the_old_cache():
    np.testing.assert_array_equal(PagedWriteOp.reference(CACHE, ROWS, np.full(5, -1)), CACHE)


def test_no_rows():
    np.testing.assert_array_equal(PagedWriteOp.reference(CACHE, ROWS[:0], np.zeros(0, np.int32)), CACHE)


@pytest.mark.parametrize("slot", [32, -2])
def test_a_slot_outside_the_cache_is_an_error(slot):
    with pytest.raises(ValueError, match=f"slot {slot} is outside the cache of 32 rows"):
        PagedWriteOp.reference(CACHE, ROWS[:1], np.array([slot]))
