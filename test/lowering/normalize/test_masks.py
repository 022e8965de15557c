"""Masks as index predicates and integer cases: true exactly where torch's mask is, opaque where not understood."""

import itertools

import pytest
import torch
from readings import agrees, opaque, predicate
from terms import Captured, Eager
from values import holds, integer

from sparse_attn.lowering.analysis import ints
from sparse_attn.lowering.analysis.predicate import FALSE, TRUE, Leaf
from sparse_attn.lowering.analysis.visibility import read
from sparse_attn.lowering.normalize.masks import NotUnderstood, Reader
from sparse_attn.lowering.normalize.term import Apply, Lit, whole

B, S, T = 2, 4, 6
POS = torch.tensor([[1, 2, 5, 0], [3, 0, 1, 4]])
PAD = torch.tensor([[1, 1, 0, 1, 1, 0], [0, 1, 1, 1, 0, 1]]).bool()
LIST = torch.tensor([[[1, 4], [0, 0], [2, 5], [3, 1]], [[5, 0], [1, 2], [4, 4], [0, 3]]])
INF, MIN = float("-inf"), torch.finfo(torch.float32).min


PREDICATES = {
    "causal": lambda pos, pad, at: torch.ones(B, S, T, dtype=torch.bool).tril(1),
    "positions": lambda pos, pad, at: torch.arange(T) <= pos[..., None],
    "window": lambda pos, pad, at: (torch.arange(T) <= pos[..., None]) & (torch.arange(T) > pos[..., None] - 3),
    "prefix": lambda pos, pad, at: torch.arange(T) < ((pos + 1) // 2)[..., None],
    "not": lambda pos, pad, at: ~(torch.arange(T) < pos[..., None]),
    "padding": lambda pos, pad, at: pad[:, None].expand(B, S, T) & (torch.arange(T) <= pos[..., None]),
    "or": lambda pos, pad, at: pad[:, None] | (torch.arange(T) == pos[..., None]),
    "xor": lambda pos, pad, at: pad[:, None] ^ (torch.arange(T) < pos[..., None]),
    "equal to false": lambda pos, pad, at: (torch.arange(T) < pos[..., None]) == False,  # noqa: E712
    "equal to two": lambda pos, pad, at: (pad[:, None].expand(B, S, T)) == 2,
    "where": lambda pos, pad, at: torch.where(pad[:, None], torch.arange(T) < pos[..., None], torch.arange(T) > 3),
    "masked_fill": lambda pos, pad, at: (torch.arange(T) < pos[..., None]).masked_fill(pad[:, None], True),
    "remainder": lambda pos, pad, at: (torch.arange(T) % 3) == (pos % 3)[..., None],
    "blocks": lambda pos, pad, at: torch.arange(T) // 2 == (pos // 2)[..., None],
    "clamped": lambda pos, pad, at: torch.arange(T) <= pos.clamp(1, 3)[..., None],
    "listed": lambda pos, pad, at: torch.zeros(B, S, T, dtype=torch.bool).scatter(-1, at, True),
    "not listed": lambda pos, pad, at: torch.ones(B, S, T, dtype=torch.bool).scatter(-1, at, False),
    "listed in an offset": lambda pos, pad, at: torch.zeros(B, S, T + 2, dtype=torch.bool).scatter(
        -1, at + 2, True)[..., 2:],
    "listed where small": lambda pos, pad, at: torch.zeros(B, S, T + 1, dtype=torch.bool).scatter(
        -1, torch.where(at < 3, at, T), True)[..., :T],
    "listed by equality": lambda pos, pad, at: torch.zeros(B, S, T, dtype=torch.int64).scatter(-1, at, 1) == 1,
    "scattered positions": lambda pos, pad, at: torch.zeros(B, S, T, dtype=torch.bool).scatter(
        -1, torch.arange(3).expand(B, S, 3), True),
    "unscattered positions": lambda pos, pad, at: torch.ones(B, S, T, dtype=torch.bool).scatter(
        -1, torch.arange(3).expand(B, S, 3), False),
    "cat of two": lambda pos, pad, at: torch.cat(
        [torch.arange(2) < pos[..., None], torch.arange(4) > pos[..., None]], -1),
    "narrow integers wrap": lambda pos, pad, at: (torch.arange(T).to(torch.uint8) - 3 > pos[..., None].to(torch.uint8)),
    "narrow integers wrap later": lambda pos, pad, at: (torch.arange(T) * 50).to(torch.int8) > pos[..., None],
    "true division": lambda pos, pad, at: torch.arange(T) / 2 < pos[..., None],
    "halves": lambda pos, pad, at: (torch.arange(T) + pos[..., None]) < 2.5,
    "infinite": lambda pos, pad, at: (torch.arange(T) + pos[..., None]) < float("inf"),
    "logical of integers": lambda pos, pad, at: torch.logical_and(torch.arange(T), pos[..., None]),
    "logical not of integers": lambda pos, pad, at: torch.logical_not(torch.arange(T) * pos[..., None]),
    "integers as truth": lambda pos, pad, at: (torch.arange(T) * pos[..., None]).to(torch.bool),
    "truth as integers": lambda pos, pad, at:
        (torch.arange(T) < pos[..., None]).to(torch.int64) + pad[:, None].long() > 1,
    "negative index": lambda pos, pad, at: torch.arange(T)[torch.arange(T) - 1] <= pos[..., None],
    "sums of a row": lambda pos, pad, at: pad.long().cumsum(-1)[:, None] <= pos[..., None],
    "a tail of sums": lambda pos, pad, at: torch.cat(
        [torch.ones(T, dtype=torch.int64), torch.zeros(T, dtype=torch.int64)]).cumsum(0)[T:] <= pos[..., None],
}  # fmt: skip


OPAQUE = {  # what is not understood is one tensor of the graph
    "padding": {"pad_1"}, "or": {"pad_1"}, "xor": {"pad_1"}, "where": {"pad_1"}, "masked_fill": {"pad_1"},
    "truth as integers": {"pad_1"}, "equal to two": {"eq"}, "true division": {"lt"}, "halves": {"lt"},
    "infinite": {"lt"}, "logical of integers": {"logical_and"}, "logical not of integers": {"logical_not"},
}  # fmt: skip


@pytest.mark.parametrize("name", PREDICATES)
def test_a_predicate_is_true_where_the_mask_is(name):
    found, env, _ = predicate(PREDICATES[name], POS, PAD, LIST)
    agrees(found, env, PREDICATES[name](POS, PAD, LIST))
    assert opaque(found) == OPAQUE.get(name, set())


BIASES = {
    "infinite": (lambda pos, pad: torch.zeros(B, S, T).masked_fill(torch.arange(T) > pos[..., None], INF), {"-inf"}),
    "finite": (lambda pos, pad: torch.where(torch.arange(T) <= pos[..., None], 0.0, MIN), {"min"}),
    "two": (lambda pos, pad: torch.where(torch.arange(T) <= pos[..., None], 0.0, INF)
            + torch.where(pad[:, None], 0.0, INF), {"-inf"}),
    "two finite ones overflow": (lambda pos, pad: torch.where(torch.arange(T) <= pos[..., None], 0.0, MIN)
                                 + torch.where(pad[:, None], 0.0, MIN), {"min", "-inf"}),
    "triu": (lambda pos, pad: torch.full((B, S, T), INF).triu(1), {"-inf"}),
    "an exact cast": (lambda pos, pad: torch.where(pad[:, None].expand(B, S, T), 0.0, INF).double(), {"-inf"}),
    "a rounding cast": (lambda pos, pad: torch.where(pad[:, None].expand(B, S, T), 0.0, MIN).bfloat16(),
                        {"min", "-inf"}),
}  # fmt: skip


@pytest.mark.parametrize("name", BIASES)
def test_a_bias_is_true_where_it_adds_nothing(name):
    function, fills = BIASES[name]
    found, env, reader = predicate(function, POS, PAD, method="bias")
    real = function(POS, PAD)
    agrees(found, env, real == 0)
    assert ((real == 0) | (real < -1e30)).all() and reader.fills == fills


NUMBERS = {
    "a learned bias": lambda bias, pad: bias * 2.0,
    "a bias twice": lambda bias, pad: bias + bias,
    "a bias twice apart": lambda bias, pad: (bias + torch.where(pad[:, None], 0.0, INF)) + bias,
    "truth as a number": lambda bias, pad: pad[:, None].expand(B, S, T).float(),
    "positions as a number": lambda bias, pad: (torch.arange(T) - torch.arange(S)[:, None]).expand(B, S, T).float(),
    "a rounded bias": lambda bias, pad: bias.bfloat16(),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_that_is_no_mask_stays_the_tensor_that_is_added(name):
    it = Captured(NUMBERS[name], torch.rand(B, S, T), PAD)
    found = Reader().bias(whole(it.graph.results[0], "bsj"))
    assert isinstance(found, Leaf) and found.bias
    assert (found.elem.value.dtype in ("f32", "bf16") and found.elem.idx == whole(it.graph.results[0], "bsj").idx) or (
        name == "truth as a number"
    )


PARTLY = {
    "ones below the diagonal": lambda bias, pad: torch.ones(B, S, T).tril(),
    "a finite penalty": lambda bias, pad: torch.where(pad[:, None].expand(B, S, T), 0.0, -1e4),
}


@pytest.mark.parametrize("name", PARTLY)
def test_a_number_added_to_some_keys_is_no_range_of_keys(name):
    found, _, _ = predicate(PARTLY[name], torch.rand(B, S, T), PAD, method="bias")
    key = whole(Captured(PARTLY[name], torch.rand(B, S, T), PAD).graph.results[0], "bsj").idx[2]
    assert "is neither a range of keys nor an index list" in read(found, key)


def test_a_term_of_no_tensor_is_refused():
    with pytest.raises(NotUnderstood):
        Reader().predicate(Apply("gt", (Apply("exp", (Lit(1.0),)), Lit(0))))
    with pytest.raises(NotUnderstood):
        Reader().bias(Lit(-5.0))


@pytest.mark.parametrize(("value", "wanted"), [(True, TRUE), (0, FALSE), (2, TRUE)])
def test_literals(value, wanted):
    assert Reader().predicate(Lit(value)) == wanted


def test_integer_cases_cover_every_index_once():
    it = Captured(lambda pos, pad: torch.where(pad, pos.sum() * 0 + 3, torch.arange(T) * 2).clamp(max=6), POS, PAD)
    elem = whole(it.graph.results[0], "bj")
    cases = Reader().integer(elem)
    real = torch.where(PAD, 3, torch.arange(T) * 2).clamp(max=6)
    assert len(cases) == 2
    for b, j in itertools.product(range(B), range(T)):
        at = Eager(it, POS, PAD).at(b=b, j=j)
        assert [integer(v, at) for g, v in cases if holds(g, at)] == [int(real[b, j])]


def test_floats_are_no_integers():
    it = Captured(lambda x: x * 2.0, torch.rand(3))
    assert Reader().integer(whole(it.graph.results[0], "i")) is None
    assert Reader().integer(Lit(2.5)) is None and Reader().integer(Lit(INF)) is None
    assert Reader().integer(Lit(float("nan"))) is None
    assert Reader().integer(Lit(2.0)) == [(TRUE, ints.of(2))]
