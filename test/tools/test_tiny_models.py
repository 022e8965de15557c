"""The models hold every kind of layer, and the seed decides their weights."""

import pytest
import torch

from sparse_attn.tools import tiny_models


@pytest.mark.parametrize("make", [tiny_models.deepseek_v32, tiny_models.deepseek_v4])
def test_the_seed_decides_the_weights_and_nothing_else_changes(make):
    state = torch.get_rng_state()
    first, again, other = make(1, 5), make(1, 5), make(1, 6)
    assert torch.equal(torch.get_rng_state(), state)
    weights = [model.lm_head.weight for model in (first, again, other)]
    assert torch.equal(weights[0], weights[1]) and not torch.equal(weights[0], weights[2])
    assert not first.training and first.dtype == torch.float32


def test_v4_holds_the_three_kinds_of_layers():
    assert tuple(tiny_models.deepseek_v4().config.layer_types) == tiny_models.V4_LAYERS
    assert tiny_models.deepseek_v4(4).config.layer_types[3] == tiny_models.V4_LAYERS[0]


def test_sizes_can_be_changed():
    assert tiny_models.deepseek_v32(1, index_topk=16).config.index_topk == 16
