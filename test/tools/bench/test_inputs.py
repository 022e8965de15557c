"""Inputs: the same every time, lists of distinct visible keys, sizes known before anything is made."""

from dataclasses import replace

import torch

from sparse_attn.tools.bench import inputs
from sparse_attn.tools.bench.shapes import Attention, Indexer

SHAPE = Attention("x", 2, 24, 4, 1, 8, 8, 24, window=5, compressed=6, ratio=4, picks=3, sinks=True)


def test_the_same_every_time():
    first, second = (inputs.of_attention(SHAPE, torch.float32) for _ in range(2))
    assert first.keys() == second.keys() >= {"query", "ori_kv", "cmp_kv", "cmp_indices", "cmp_visible", "sinks"}
    assert all(torch.equal(first[k], second[k]) for k in first if isinstance(first[k], torch.Tensor))


def test_picks_are_distinct_and_visible():
    given = inputs.of_attention(SHAPE, torch.float32)
    seen, picks = given["cmp_visible"], given["cmp_indices"]
    assert picks.dtype == torch.int32 and picks.shape == (2, 24, 3)
    assert seen[0].tolist() == [(row + 1) // 4 for row in range(24)]
    for row, visible in zip(picks.flatten(0, 1), seen.flatten(), strict=True):
        real = row[row >= 0].tolist()
        assert len(real) == len(set(real)) == min(3, visible) and all(key < visible for key in real)


def test_sizes_are_known_before():
    for dtype in (torch.float32, torch.bfloat16):
        given = inputs.of_attention(SHAPE, dtype)
        large = sum(given[name].nbytes for name in ("query", "ori_kv", "cmp_kv"))
        assert inputs.nbytes(SHAPE, dtype) == large
    separate = Attention("x", 1, 1, 4, 4, 8, 6, 24, picks=3, shared=False)
    given = inputs.of_attention(separate, torch.float32)
    assert inputs.nbytes(separate, torch.float32) == sum(given[n].nbytes for n in ("query", "ori_kv", "ori_value"))
    given = inputs.of_attention(replace(separate, shared=True), torch.float32)
    assert "ori_value" not in given and given["value_width"] == 6
    indexer = Indexer("x", 2, 3, 4, 8, 16, 5)
    given = inputs.of_indexer(indexer, torch.float32)
    assert inputs.nbytes(indexer, torch.float32) == given["query"].nbytes + given["key"].nbytes


def test_rows_are_the_last_tokens():
    given = inputs.of_indexer(Indexer("x", 2, 3, 4, 8, 16, 50, 4), torch.float32)
    assert given["visible"].tolist() == [[15, 15, 16]] * 2 and given["k"] == 16
