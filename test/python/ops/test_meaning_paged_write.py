"""torch.ops.sparse_attn.paged_write: a new cache with rows in their slots."""

import pytest
import torch
from meaning_cases import draw, operator

paged_write = operator("paged_write")
pytestmark = pytest.mark.usefixtures("implementation")


def one_by_one(cache, rows, slots):
    result = cache.clone()
    for row, slot in zip(rows, slots.tolist(), strict=True):
        if slot >= 0:
            result[slot // cache.shape[1], slot % cache.shape[1]] = row
    return result


@pytest.mark.parametrize(
    "dtype", [torch.float32, torch.bfloat16, torch.float16, torch.int8, torch.uint8, torch.float64]
)
@pytest.mark.parametrize("row", [(), (6,), (2, 3)])
@pytest.mark.parametrize("index", [torch.int32, torch.int64])
def test_rows_go_to_their_slots(dtype, row, index):
    cache, rows = (draw(5, 4, *row, seed=1) * 9).to(dtype), (draw(6, *row, seed=2) * 9).to(dtype)
    slots = torch.tensor([19, 0, -1, 7, 8, -1], dtype=index)
    before = cache.clone()
    found = paged_write(cache, rows, slots)
    assert torch.equal(found, one_by_one(cache, rows, slots))
    assert torch.equal(cache, before) and found.data_ptr() != cache.data_ptr()


def test_of_two_rows_for_one_slot_the_later_stays():
    slots = torch.tensor([3, 3, -1, 3])
    found = paged_write(torch.zeros(2, 2, 1), torch.tensor([[1.0], [2.0], [3.0], [4.0]]), slots)
    assert found.flatten().tolist() == [0, 0, 0, 4]


@pytest.mark.parametrize("slot", [8, -2, 2**31 - 1, -(2**31)])
def test_a_slot_outside_the_cache_is_an_error(slot):
    slots = torch.tensor([0, slot, 1], dtype=torch.int32)
    with pytest.raises(ValueError, match=rf"slots.*1.*{slot}"):
        paged_write(torch.zeros(2, 4, 3), torch.ones(3, 3), slots)


def test_strided_tensors():
    cache, rows = draw(3, 6, 4).permute(2, 0, 1), draw(6, 8, seed=1)[::2, ::2][:, :].T
    slots = torch.tensor([0, 5, 11, -1])
    cache, rows = cache[..., :3].permute(0, 2, 1), rows[:4, :3]
    assert torch.equal(paged_write(cache, rows, slots), one_by_one(cache, rows, slots))


@pytest.mark.parametrize("cache", [(0, 4, 3), (2, 0, 3), (2, 4, 0)])
def test_empty_caches_and_no_rows(cache):
    none = torch.zeros(0, dtype=torch.int32)
    assert paged_write(torch.zeros(cache), torch.zeros(0, cache[2]), none).shape == cache
    skipped = torch.full((2,), -1, dtype=torch.int32)
    assert paged_write(torch.zeros(cache), torch.zeros(2, cache[2]), skipped).shape == cache


@pytest.mark.parametrize(
    ("rows", "slots", "text"),
    [
        (torch.zeros(3, 5), torch.zeros(3), r"\[c2\].*slots"),
        (torch.zeros(3, 6), torch.zeros(3, dtype=torch.int32), r"\[c3\].*rows"),
        (torch.zeros(3, 5), torch.zeros(4, dtype=torch.int32), r"\[c3\].*slots"),
        (torch.zeros(3, 5).half(), torch.zeros(3, dtype=torch.int32), r"\[c5\].*f16"),
    ],
)
def test_refusals_name_the_constraint(rows, slots, text):
    with pytest.raises(ValueError, match=text):
        paged_write(torch.zeros(2, 4, 5), rows, slots)
