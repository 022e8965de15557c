"""A replacement with other strides: views of the replaced value become reshapes, and only those."""

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx import Graph

from sparse_attn.emit.views import let_lie_anywhere

aten = torch.ops.aten


def graph(stride):
    """x [3, 1, 4, 8] with strides of its own takes the place of a dense one, which is viewed after a transpose."""
    made = Graph()
    with FakeTensorMode():
        old, new = made.placeholder("old"), made.placeholder("new")
        old.meta["val"] = torch.empty(3, 1, 4, 8)
        new.meta["val"] = torch.empty_strided((3, 1, 4, 8), stride)
    moved = made.call_function(aten.transpose.int, (old, 1, 2))
    first = made.call_function(aten.view.default, (moved, [3, 1, -1]))
    made.call_function(aten.view.default, (first, [3, 32]))
    made.output(made.call_function(aten.view.default, (new, [3, 32])))
    return made, old, new


def targets(made):
    return [node.target for node in made.nodes if node.op == "call_function"]


def test_views_behind_views_become_reshapes_and_others_stay():
    made, old, new = graph((8, 8, 24, 1))
    let_lie_anywhere(old, new)
    assert targets(made) == [aten.transpose.int, *[aten.reshape.default] * 2, aten.view.default]


@pytest.mark.parametrize("stride", [(32, 32, 8, 1), (32, 7, 8, 1)], ids=["same", "of-a-dimension-of-one"])
def test_the_same_layout_changes_nothing(stride):
    made, old, new = graph(stride)
    before = targets(made)
    let_lie_anywhere(old, new)
    assert targets(made) == before


@pytest.mark.parametrize("batch", [1, 3])
def test_a_single_absorbed_token_of_several_requests(batch):
    """The product with the value weights lies head by head, and the model views it token by token."""
    import models
    from transformers import StaticCache

    from sparse_attn.tools import tiny_models

    model = tiny_models.deepseek_v32(layers=1)
    pair = models.decode(model, lambda: StaticCache(config=model.config, max_cache_len=16), 8, 1, batch, absorb="on")
    torch.testing.assert_close(pair.compiled, pair.eager, rtol=1e-5, atol=1e-5)
