"""Rows of channels cut at the seams of what they are put together from, whatever puts them together."""

import pytest
import torch
from terms import Captured

from sparse_attn.lowering.analysis import ints
from sparse_attn.lowering.fuse.channels import at, depends, parts, size
from sparse_attn.lowering.normalize.term import Elem, variable
from sparse_attn.lowering.pattern import NoMatch

A, B, C = torch.randn(3, 4), torch.randn(3, 2), torch.randn(3, 1)


def written(a, b, c):
    made = a.new_empty(3, 7)
    made[:, :4].copy_(a)
    made[:, 4:6].copy_(b)
    made[:, 6:].copy_(c)
    return made


def overwritten(a, b, c):
    made = torch.cat([a, b, c], 1)
    made[:, 4:6].copy_(b * 2)
    return made


SPELLED = {
    "cat": (lambda a, b, c: torch.cat([a, b, c], 1), [(0, 4), (4, 2), (6, 1)]),
    "cat of cat": (lambda a, b, c: torch.cat([torch.cat([a, b], 1), c], 1), [(0, 4), (4, 2), (6, 1)]),
    "writes into slices": (written, [(0, 4), (4, 2), (6, 1)]),
    "a write over a part": (overwritten, [(0, 4), (4, 2), (6, 1)]),
    "slices of a cat": (lambda a, b, c: torch.cat([a, b, c], 1)[:, 1:], [(0, 3), (3, 2), (5, 1)]),
    "seen through a view": (lambda a, b, c: torch.cat([a, b, c], 1).view(1, 3, 7)[0], [(0, 4), (4, 2), (6, 1)]),
    "one tensor": (lambda a, b, c: a + 1, [(0, 4)]),
}


def cut(function, worth=lambda elem: True):
    it = Captured(function, A, B, C)
    (value,) = it.graph.results
    channel = variable("d", value.dims[1])
    return it, parts(Elem(value, (variable("t", value.dims[0]), channel)), channel, worth)


@pytest.mark.parametrize("name", SPELLED)
def test_a_row_is_cut_at_its_seams(name):
    function, wanted = SPELLED[name]
    _, found = cut(function)
    assert [(p.start, p.size) for p in found] == wanted
    assert [size(p.channel).const for p in found] == [length for _, length in wanted]


def test_the_parts_are_the_tensors_the_row_is_made_of():
    it, found = cut(SPELLED["cat"][0])
    assert [p.elem.value for p in found] == it.graph.arguments
    assert [p.elem.idx[1] for p in found] == [found[0].channel, found[1].channel, ints.of(0)]


def test_a_part_not_worth_it_stays_whole():
    _, found = cut(SPELLED["cat"][0], worth=lambda elem: False)
    assert [(p.start, p.size) for p in found] == [(0, 7)]


def test_a_choice_that_is_no_range_of_channels_is_no_seam():
    _, found = cut(lambda a, b, c: torch.where(torch.arange(4) % 2 == 0, a, a + 1))
    assert [(p.start, p.size) for p in found] == [(0, 4)]


def test_a_choice_between_rows_is_no_seam():
    _, found = cut(lambda a, b, c: torch.cat([a, a * 2], 0))
    assert [(p.start, p.size) for p in found] == [(0, 4)]


def test_too_many_parts_and_a_dynamic_width_are_refused():
    with pytest.raises(NoMatch, match="too many parts"):
        cut(lambda a, b, c: torch.cat([a[:, :1], b[:, :1]] * 5, 1))
    it = Captured(lambda a: a + 1, torch.randn(3, 4), dynamic=True)
    (value,) = it.graph.results
    channel = variable("d", value.dims[1])
    with pytest.raises(NoMatch, match=r"width s.* of its key rows is dynamic"):
        parts(Elem(value, (ints.of(0), channel)), channel, lambda elem: True)


def test_what_an_element_depends_on():
    it = Captured(lambda a: a + 1, A)
    t, d = variable("t", ints.of(3)), variable("d", ints.of(4))
    elem = Elem(it.graph.arguments[0], (t, d))
    assert depends(elem, t) and not depends(elem, variable("s", ints.of(5))) and not depends(elem, ints.of(0))
    assert at(elem, d, d + 1).idx == (t, d + 1)
