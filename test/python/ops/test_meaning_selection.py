"""torch.ops.sparse_attn.selection against the scatter a model writes."""

import pytest
import torch
from meaning_cases import integers, operator

selection = operator("selection")
pytestmark = pytest.mark.usefixtures("implementation")


def scatter(indices, extent):
    """T + 1 columns, the last for entries that name no key."""
    slots = torch.where((indices >= 0) & (indices < extent), indices, extent).long()
    marked = torch.zeros(*indices.shape[:2], extent + 1, dtype=torch.bool).scatter(-1, slots, True)
    return marked[..., :extent]


@pytest.mark.parametrize("dtype", [torch.int32, torch.int64])
@pytest.mark.parametrize(("count", "extent"), [(1, 1), (5, 9), (40, 9), (5, 0), (0, 9), (300, 1000)])
def test_listed_keys_are_marked(dtype, count, extent):
    indices = integers(-3, extent + 4, 2, 3, count).to(dtype)
    found = selection(indices, extent=extent)
    assert found.dtype == torch.bool and torch.equal(found, scatter(indices, extent))


def test_entries_that_name_no_key_mark_nothing():
    assert not selection(torch.tensor([[[-1, -7, 4, 99]]]), extent=4).any()


@pytest.mark.parametrize("shape", [(0, 3, 2), (2, 0, 2)])
def test_empty_tensors(shape):
    assert selection(torch.zeros(shape, dtype=torch.int32), extent=5).shape == (*shape[:2], 5)


def test_strided_indices():
    indices = integers(0, 20, 5, 4, 6).permute(2, 0, 1)[::2]
    assert torch.equal(selection(indices, extent=20), scatter(indices, 20))


@pytest.mark.parametrize(
    ("indices", "call", "text"),
    [
        (torch.zeros(1, 2, 3, dtype=torch.int32), {"extent": -1}, r"\[c1\].*extent"),
        (torch.zeros(1, 2, 3, dtype=torch.int32), {"extent": 4, "form": "gather"}, r"\[c1\].*form"),
        (torch.zeros(2, 3, dtype=torch.int32), {"extent": 4}, r"\[c2\].*rank"),
        (torch.zeros(1, 2, 3), {"extent": 4}, r"\[c2\].*i32 or i64"),
    ],
)
def test_refusals_name_the_constraint(indices, call, text):
    with pytest.raises(ValueError, match=text):
        selection(indices, **call)
