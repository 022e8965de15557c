"""The shapes of each level."""

from dataclasses import replace

import pytest
import torch

from sparse_attn.tools.bench import LEVELS, attention, inputs
from sparse_attn.tools.bench.shapes import Attention, Indexer, shapes


@pytest.mark.parametrize("level", LEVELS)
def test_names_are_unique_and_tell_the_model(level):
    found = shapes(level)
    names = [shape.name for shape in found]
    assert len(names) == len(set(names))
    assert {type(shape) for shape in found} == {Attention, Indexer}
    assert all("V4" in name or "V3.2" in name for name in names)


def test_levels_grow():
    quick, standard, full = ({shape.name for shape in shapes(level)} for level in LEVELS)
    assert len(quick) < len(standard) < len(full) and standard < full
    assert any("prompt 32k" in name for name in full) and any("decode B=32 32k" in name for name in standard)


def test_published_sizes():
    found = {shape.name: shape for shape in shapes("standard")}
    v4 = found["attention V4 ratio 4 k=512, prompt 2k"]
    assert (v4.heads, v4.groups, v4.width, v4.window, v4.compressed, v4.picks) == (64, 1, 512, 128, 512, 512)
    v32 = found["attention V3.2 k=2048, decode B=8 8k"]
    assert (v32.heads, v32.width, v32.value, v32.keys, v32.picks, v32.rows) == (128, 192, 128, 8192, 2048, 1)


def test_bytes_that_have_to_be_moved():
    keys_apart = Attention("x", 2, 1, 3, 3, 4, 5, 100, picks=7, shared=False)
    assert keys_apart.nbytes(4) == 2 * 4 * (3 * (4 + 5) + 3 * 7 * (4 + 5))
    assert replace(keys_apart, shared=True).nbytes(2) == 2 * 2 * (3 * (4 + 5) + 3 * 7 * 4)
    assert replace(keys_apart, rows=50).nbytes(4) == 2 * 4 * (50 * 3 * (4 + 5) + 3 * 100 * (4 + 5))
    assert Indexer("x", 2, 3, 4, 5, 6, 7).nbytes(4) == 2 * 4 * 5 * (3 * 4 + 6)


def test_most_attended_keys():
    assert Attention("x", 1, 2, 3, 1, 4, 5, 100, window=10, compressed=40, ratio=4, picks=8).attended == 18
    assert Attention("x", 1, 2, 3, 1, 4, 5, 100, picks=8).attended == 8
    assert Attention("x", 1, 2, 3, 1, 4, 5, 6, window=10, compressed=40).attended == 46


WORK = (
    Attention("x", 2, 24, 3, 1, 4, 4, 24, window=5, compressed=6, ratio=4, picks=3),
    Attention("x", 2, 24, 3, 1, 4, 4, 24, window=5, compressed=6, ratio=4),
    Attention("x", 2, 1, 3, 1, 4, 4, 8, window=8, compressed=10, ratio=4, picks=5),
    Attention("x", 2, 24, 3, 3, 4, 5, 24, picks=7),
    Attention("x", 2, 1, 3, 3, 4, 5, 24, picks=7),
)


@pytest.mark.parametrize("shape", WORK, ids=str)
def test_work_counts_attended_keys_alone(shape):
    keep = attention.selected(shape, inputs.of_attention(shape, torch.float32))
    assert shape.flops == 2 * keep.sum() * shape.heads * (shape.width + shape.value)


@pytest.mark.parametrize("shape", [Indexer("x", 2, 24, 4, 5, 6, 3, 4), Indexer("x", 2, 3, 4, 5, 6, 7)], ids=str)
def test_work_counts_visible_scores_alone(shape):
    visible = inputs.of_indexer(shape, torch.float32)["visible"]
    assert shape.flops == 2 * visible.sum() * shape.heads * shape.width
