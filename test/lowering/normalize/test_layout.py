"""Rules that only move elements: each against torch, element by element."""

import pytest
import torch
from terms import check

X = torch.arange(24).reshape(2, 3, 4)
Y = torch.arange(100, 112).reshape(1, 3, 4)
ROW = torch.arange(7)

MOVES = {
    "view": lambda x: x.view(6, 4),
    "view to one": lambda x: x.view(24),
    "view inserts ones": lambda x: x.view(2, 1, 3, 1, 4),
    "view splits": lambda x: x.view(2, 3, 2, 2),
    "view splits and joins": lambda x: x.view(6, 2, 2),
    "view joins all but one": lambda x: x.view(2, 12),
    "reshape of a transpose": lambda x: x.transpose(1, 2).reshape(8, 3),
    "flatten": lambda x: x.flatten(1),
    "unflatten": lambda x: x.unflatten(2, (2, 2)),
    "view twice": lambda x: x.view(6, 4).view(2, 3, 4),
    "join, permute, split": lambda x: x.view(6, 4).t().reshape(4, 2, 3),
    "permute": lambda x: x.permute(2, 0, 1),
    "permute negative": lambda x: x.permute(-1, 0, -2),
    "transpose": lambda x: x.transpose(-1, 0),
    "mT": lambda x: x.mT,
    "expand": lambda x: x[:1].expand(5, 3, 4),
    "expand in front": lambda x: x.expand(2, 2, 3, 4),
    "unsqueeze": lambda x: x.unsqueeze(1),
    "unsqueeze last": lambda x: x.unsqueeze(-1),
    "squeeze": lambda x: x.unsqueeze(1).squeeze(),
    "squeeze dim": lambda x: x.unsqueeze(0).squeeze(0),
    "squeeze of no unit": lambda x: x.squeeze(1),
    "slice": lambda x: x[:, 1:3],
    "slice negative start": lambda x: x[:, -2:],
    "slice before the start": lambda x: x[:, -50:2],
    "slice negative end": lambda x: x[..., :-1],
    "slice stepped": lambda x: x[..., 1::2],
    "slice stepped from the end": lambda x: x[..., -3::2],
    "narrow": lambda x: x.narrow(2, 1, 2),
    "narrow from the end": lambda x: x.narrow(2, -3, 2),
    "select": lambda x: x.select(1, 1),
    "select from the end": lambda x: x[:, -1],
    "clone": lambda x: x.clone() + 0,
    "contiguous": lambda x: x.transpose(0, 1).contiguous(),
    "repeat_interleave": lambda x: x.repeat_interleave(3, dim=1),
    "stack": lambda x: torch.stack([x, x + 1], 1)[:, 1],
    "split": lambda x: x.split([1, 3], -1)[1].clone(),
    "split even": lambda x: x.split(3, -1)[1].clone(),
    "chunk": lambda x: x.chunk(2, 2)[1].clone(),
    "unbind": lambda x: x.unbind(1)[2].clone(),
    "pad": lambda x: torch.nn.functional.pad(x, (1, 2)),
    "pad two dimensions": lambda x: torch.nn.functional.pad(x, (0, 1, 2, 0), value=-7),
    "pad crops": lambda x: torch.nn.functional.pad(x, (-1, 1, 0, -2), value=9),
    "slice_scatter": lambda x: x.slice_scatter(x[:, :2] + 50, 1, 1, 3),
    "slice_scatter from the end": lambda x: x.slice_scatter(x[:, :2] + 50, 1, -2),
    "roll by cat": lambda x: torch.cat([x[..., 1:], x[..., :1]], -1),
}


@pytest.mark.parametrize("name", MOVES)
def test_every_element_is_where_the_term_says(name):
    check(MOVES[name], X)


def test_cat_of_unequal_parts():
    check(lambda x, y: torch.cat([x, y, x[:, :1].expand(2, 3, 4)], 0), X, Y)
    check(lambda x, y: torch.cat([x[:, :1], y.expand(2, 3, 4), x], 1), X, Y)
    check(lambda r: torch.cat([r[:0], r, r[2:3]]), ROW)


def test_copy_broadcasts_and_converts():
    check(torch.ops.aten.copy, X, Y)
    check(lambda x: torch.ops.aten.copy(torch.zeros(2, 3, 4, dtype=torch.int64), x.float() + 0.75), X)


def test_stepped_slice_scatter_has_no_term():
    check(lambda x: x.slice_scatter(x[:, :2], 1, 0, 3, 2), X, opaque=True)


def test_a_view_of_another_element_type_has_no_term():
    check(lambda x: x.view(torch.int32), X, opaque=True)


def test_flip_and_roll_have_no_term():
    check(lambda x: x.flip(0), X, opaque=True)
    check(lambda x: x.roll(1, 0), X, opaque=True)
