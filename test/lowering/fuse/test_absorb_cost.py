"""The price of both forms, and when which one is less."""

import dataclasses

import pytest

from sparse_attn.lowering.analysis import ints
from sparse_attn.lowering.analysis.ints import Fn, Sym
from sparse_attn.lowering.fuse.absorb_cost import UNKNOWN, Sizes, absorbed, expanded, known

V32 = Sizes(1, 1, 4096, 2048, 128, 512, 192, 64, 128)  # DeepSeek-V3.2, one new token


def test_the_numbers_of_deepseek_v32():
    assert expanded(V32) == 4096 * 128 * 512 * 256 + 128 * 2048 * 320
    assert absorbed(V32) == 128 * 512 * 256 + 4096 * 576 + 128 * 2048 * 1088


@pytest.mark.parametrize(("rows", "tokens", "pays"), [
    (1, 64, True), (1, 1 << 16, True), (4, 4096, True), (128, 1 << 15, True),
    (4096, 4096, False), (64, 64, False), (2048, 4096, False),
])  # fmt: skip
def test_many_tokens_for_each_row_pay(rows, tokens, pays):
    sizes = dataclasses.replace(V32, rows=rows, tokens=tokens, attended=min(2048, tokens))
    assert (absorbed(sizes) < expanded(sizes)) == pays


def test_an_expansion_that_stays_is_no_price_of_the_expanded_form():
    assert absorbed(dataclasses.replace(V32, expands=False)) > expanded(dataclasses.replace(V32, expands=False))


def test_batches_do_not_change_the_choice():
    for form in (absorbed, expanded):
        assert form(dataclasses.replace(V32, batch=3)) == 3 * form(V32)


def test_sizes_not_known_count_as_one_number():
    s = ints.of(Sym("s0"))
    assert known(ints.of(7)) == 7 and known(s + 1) == UNKNOWN + 1 and known(s * 2) == 2 * UNKNOWN
    assert known(ints.minimum(s, ints.of(32))) == 32 and known(ints.maximum(s, ints.of(32))) == UNKNOWN
    assert known(ints.floordiv(s, ints.of(4))) == UNKNOWN // 4 and known(ints.mod(s, ints.of(3))) == UNKNOWN % 3
    assert known(s * s) == UNKNOWN**2 and known(ints.of(Fn("lin", (s, s)))) == UNKNOWN
