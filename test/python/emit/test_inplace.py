"""Functional writes become in-place writes only where nobody can tell the difference."""

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx

from sparse_attn.emit import write_in_place

AT = torch.tensor([1, 4])


def copied(cache, at, rows):
    return torch.ops.aten.index_copy.default(cache, 0, at, rows)


def put(cache, at, rows):
    return torch.ops.aten.index_put.default(cache, [at], rows)


def scattered(cache, at, rows):
    return torch.ops.aten.scatter.src(cache, 0, at[:, None].expand(2, 3), rows)


def filled(cache, at, rows):
    return torch.ops.aten.scatter.value(cache, 0, at[:, None].expand(2, 3), 7.0)


def compare(function, cache=None):
    """(copies that went away, the rewritten module); results and the cache are the same before and after."""
    cache, rows = torch.randn(6, 3) if cache is None else cache, torch.randn(2, 3)
    module = make_fx(function)(cache.clone(), AT, rows)
    mine, other = cache.clone(), cache.clone()
    wanted = function(other, AT, rows)
    done = write_in_place(module)
    got = module(mine, AT, rows)
    torch.testing.assert_close(got, wanted, rtol=0, atol=0)
    torch.testing.assert_close(mine, other, rtol=0, atol=0)
    return done, module, mine, got


@pytest.mark.parametrize("write", [copied, put, scattered, filled])
def test_a_write_whose_old_value_is_read_no_more_is_in_place(write):
    def function(cache, at, rows):
        new = write(cache, at, rows)
        out = new * 2
        cache.copy_(new)
        return out

    done, module, _, _ = compare(function)
    targets = [str(n.target) for n in module.graph.nodes if n.op == "call_function"]
    assert done == 1 and "aten.copy_.default" not in targets and any("_." in t for t in targets)


def old_read_before(cache, at, rows):
    old = cache.sum()
    new = copied(cache, at, rows)
    cache.copy_(new)
    return old


def view_read_before(cache, at, rows):
    old = cache[1:].t() * 1
    new = copied(cache, at, rows)
    cache.copy_(new)
    return old + new[0, 0]


@pytest.mark.parametrize("function", [old_read_before, view_read_before])
def test_reads_before_the_write_do_not_hinder(function):
    assert compare(function)[0] == 1


def old_read_after(cache, at, rows):
    new = copied(cache, at, rows)
    old = cache.sum()
    cache.copy_(new)
    return old


def view_read_after(cache, at, rows):
    view = cache[1:].t()
    new = copied(cache, at, rows)
    old = view * 1
    cache.copy_(new)
    return old


def written_from_itself(cache, at, rows):
    new = copied(cache, at, cache[2:4])
    cache.copy_(new)
    return rows


def written_from_a_view_of_a_view(cache, at, rows):
    new = put(cache, at, cache.t()[:, :2].t())
    cache.copy_(new)
    return rows


def new_value_returned(cache, at, rows):
    new = copied(cache, at, rows)
    cache.copy_(new)
    return new


def view_of_the_new_value_returned(cache, at, rows):
    new = copied(cache, at, rows)
    cache.copy_(new)
    return new[1:]


def twice(cache, at, rows):
    new = copied(copied(cache, at, rows), at + 1, rows)
    cache.copy_(new)
    return rows


UNSAFE = [old_read_after, view_read_after, written_from_itself, written_from_a_view_of_a_view, new_value_returned,
          view_of_the_new_value_returned, twice]  # fmt: skip


@pytest.mark.parametrize("function", UNSAFE)
def test_an_unsafe_write_stays_functional(function):
    done, _, cache, got = compare(function)
    assert done == 0
    assert got.untyped_storage().data_ptr() != cache.untyped_storage().data_ptr()


def test_a_copy_that_is_no_write_stays():
    assert compare(lambda cache, at, rows: cache.copy_(cache * 2) + 0)[0] == 0


def test_a_write_into_a_value_of_the_graph_is_left():
    def function(cache, at, rows):
        made = cache * 1
        new = copied(made, at, rows)
        made.copy_(new)
        return made + 0

    assert compare(function)[0] == 0
