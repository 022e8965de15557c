"""Every peer computes what the operator computes; their costs order as they should."""

import pytest
import torch

import sparse_attn.ops  # noqa: F401
from sparse_attn.tools.bench import attention, inputs
from sparse_attn.tools.bench.shapes import Attention, shapes
from sparse_attn.tools.bench.suite import difference

SHAPES = {
    "v4 lists": Attention("x", 2, 24, 4, 1, 16, 16, 24, window=5, compressed=6, ratio=4, picks=3, sinks=True),
    "v4 all": Attention("x", 2, 24, 4, 1, 16, 16, 24, window=5, compressed=6, ratio=4, sinks=True),
    "v4 decode": Attention("x", 3, 1, 4, 1, 16, 16, 8, window=8, compressed=12, ratio=4, picks=5, sinks=True),
    "v3.2": Attention("x", 2, 24, 4, 4, 12, 8, 24, picks=7, shared=False),
    "v3.2 decode": Attention("x", 2, 1, 4, 4, 12, 8, 24, picks=7, shared=False),
    "v3.2 absorbed": Attention("x", 2, 1, 4, 1, 12, 8, 24, picks=7),
}
EAGER = [peer for peer in attention.PEERS if peer.name.startswith("eager")]


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("peer", EAGER, ids=lambda peer: peer.name)
def test_results_agree(peer, name):
    shape = SHAPES[name]
    given = inputs.of_attention(shape, torch.float32)
    wanted, made = attention.operator(shape, given)(), peer.make(shape, given)()
    assert made.shape == wanted.shape == (shape.batch, shape.rows, shape.heads, shape.value)
    assert difference(wanted, made) < 1e-5


@pytest.mark.slow
@pytest.mark.parametrize("name", ["v4 lists", "v3.2"])
@pytest.mark.parametrize("peer", [p for p in attention.PEERS if p not in EAGER], ids=lambda peer: peer.name)
def test_compiled_results_agree(peer, name):
    shape = SHAPES[name]
    given = inputs.of_attention(shape, torch.float32)
    assert difference(attention.operator(shape, given)(), peer.make(shape, given)()) < 1e-5


@pytest.mark.parametrize("name", SHAPES)
def test_both_ways_to_say_which_keys_agree(name):
    shape = SHAPES[name]
    given = inputs.of_attention(shape, torch.float32)
    listed = attention.key_list(shape, given)
    for keep, row in zip(attention.selected(shape, given).flatten(0, 1), listed.flatten(0, 1), strict=True):
        assert keep.nonzero()[:, 0].tolist() == row[row >= 0].sort().values.tolist()


def test_a_gather_of_every_heads_keys_is_too_large():
    prompt, decode = (
        next(s for s in shapes("standard") if s.name == f"attention V3.2 k=2048, {where}")
        for where in ("prompt 2k", "decode B=1 8k")
    )
    gathered = EAGER[1]
    assert "GB" in gathered.cost(prompt, 4).too_much(1e11) and gathered.cost(decode, 4).too_much(1e11) == ""
