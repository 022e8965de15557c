"""Counts of visible keys as one length: equal for every row, by brute force, or refused."""

import itertools

import pytest
from values import integer

from sparse_attn.lowering.analysis import ints
from sparse_attn.lowering.analysis.graph import Value
from sparse_attn.lowering.analysis.ints import Var
from sparse_attn.lowering.kernels.lengths import NOT_CONSECUTIVE, Rows, clamped, rows, within
from sparse_attn.lowering.normalize.term import Elem

N, RATIO = ints.of, (1, 2, 4, 128)


def axis(tokens):
    return N(Var("s", N(tokens))) if tokens > 1 else N(0)


@pytest.mark.parametrize("tokens, ratio", itertools.product((1, 2, 3, 5, 9), RATIO))
def test_static_positions(tokens, ratio):
    """floor((start + s + 1) / ratio) for every start, whatever form simplification leaves it in."""
    for start in range(3 * min(ratio, 8)):
        row = axis(tokens)
        count = ints.floordiv(row + start + 1, N(ratio))
        found = rows(count, row, N(tokens), ratio, promised=False)
        assert isinstance(found, Rows) and not found.promised, (start, found)
        length = integer(found.length, {})
        assert 0 <= integer(found.residual, {}) < ratio
        assert integer(found.compressed, {}) * ratio + integer(found.residual, {}) == length
        for s in range(tokens):
            assert (length - tokens + s + 1) // ratio == (start + s + 1) // ratio


def test_a_likely_length_is_preferred():
    row = axis(3)
    count = ints.floordiv(row + 128, N(4))  # 32 for every row
    assert rows(count, row, N(3), 4, False, (N(130),)) == Rows(N(130), 4)
    assert rows(count, row, N(3), 4, False, (N(140),)) != Rows(N(140), 4)


def positions(tokens):
    tensor = Value("", [], 0, (N(1), N(tokens)), "si64")
    return N(Elem(tensor, (N(0), axis(tokens))))


def test_runtime_positions_of_one_token_are_exact():
    at = positions(1)
    assert rows(ints.floordiv(at + 1, N(4)), axis(1), N(1), 4, False) == Rows(at + 1, 4)


def test_runtime_positions_of_several_tokens_need_the_promise():
    row, at = axis(3), positions(3)
    count = ints.floordiv(at + 1, N(4))
    assert rows(count, row, N(3), 4, False) == NOT_CONSECUTIVE
    found = rows(count, row, N(3), 4, True)
    assert isinstance(found, Rows) and found.promised
    assert found.length == ints.substitute(at, row.atom, N(2)) + 1


def test_the_promise_is_of_positions_only():
    """Rows that count by twos, or by a position and the row, are not consecutive whatever is promised."""
    row = axis(3)
    assert "do not count on by one" in rows(row * 2, row, N(3), 1, True)
    assert "do not count on by one" in rows(positions(3) + row, row, N(3), 1, True)
    assert "do not count on by one" in rows(N(7), row, N(3), 1, True)


def test_bounds():
    free = positions(1)
    assert within(N(4), N(4)) and not within(N(5), N(4)) and not within(N(-1), N(4)) and not within(free, N(4))
    for value in range(-2, 8):
        assert integer(clamped(N(value), N(5)), {}) == min(max(value, 0), 5)
