"""Rows at slots of their own, and rows that stay."""

import torch

from sparse_attn.cache import rows

SLOTS = torch.tensor([[2, 0], [1, 3]])


def buffer():
    return torch.arange(8.0).reshape(2, 4, 1)


def test_rows_are_written_in_place():
    kept = buffer()
    assert rows.write(kept, SLOTS, torch.tensor([[[10.0], [11]], [[12], [13]]])) is kept
    assert kept.flatten().tolist() == [11, 1, 10, 3, 4, 12, 6, 13]


def test_rows_left_out_keep_what_is_there():
    kept = buffer()
    rows.write(kept, SLOTS, torch.full((2, 2, 1), float("nan")), torch.tensor([[False, False], [False, False]]))
    assert torch.equal(kept, buffer())


def test_what_was_written_is_taken():
    assert rows.take(buffer(), SLOTS).flatten().tolist() == [2, 0, 5, 7]
