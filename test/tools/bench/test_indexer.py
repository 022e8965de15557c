"""The indexer's peers pick what the operator picks."""

import pytest
import torch

import sparse_attn.ops  # noqa: F401
from sparse_attn.tools.bench import indexer, inputs
from sparse_attn.tools.bench.shapes import Indexer
from sparse_attn.tools.bench.suite import difference

SHAPES = [Indexer("x", 2, 24, 4, 16, 24, 5), Indexer("x", 2, 24, 4, 16, 6, 3, 4), Indexer("x", 3, 1, 4, 16, 24, 50)]


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_eager_picks_the_same(shape, dtype):
    given = inputs.of_indexer(shape, dtype)
    wanted, made = indexer.operator(shape, given)(), indexer.PEERS[0].make(shape, given)()
    assert wanted.dtype == made.dtype == torch.int32
    assert difference(wanted, made) < 0.02  # near ties may fall either way


@pytest.mark.slow
def test_inductor_picks_the_same():
    given = inputs.of_indexer(SHAPES[0], torch.float32)
    made = indexer.PEERS[1].make(SHAPES[0], given)()
    assert difference(indexer.operator(SHAPES[0], given)(), made) < 0.02


def test_other_inputs_are_noticed():
    given = inputs.of_indexer(SHAPES[0], torch.float32)
    wanted = indexer.operator(SHAPES[0], given)()
    assert difference(wanted, indexer.dense(dict(given, key=given["key"].flip(1)))) > 0.1
