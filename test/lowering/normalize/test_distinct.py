"""Lists that name no key twice are told from those that may, by brute force over every position."""

import itertools
import random

import pytest
import torch
from terms import Captured, Eager
from values import holds, integer

from sparse_attn.lowering.analysis import ints
from sparse_attn.lowering.analysis.ints import Var
from sparse_attn.lowering.analysis.predicate import TRUE, ge
from sparse_attn.lowering.normalize.distinct import repeated
from sparse_attn.lowering.normalize.masks import Reader
from sparse_attn.lowering.normalize.term import whole

B, S, N = 2, 4, 6
SCORES = torch.randn(B, S, N, generator=torch.Generator().manual_seed(1))
LIST = torch.tensor([1, 3]).expand(B, S, 2).contiguous()


def row():
    return torch.arange(S)[:, None]


def window(width):
    ids = (row() - width + 1).clamp(0) + torch.arange(min(S, width))
    return torch.where(ids > row(), -1, ids).expand(B, S, -1)


def picks(x, k=3):
    return x.topk(k, -1).indices


def verdict(function, *inputs):
    it = Captured(function, *inputs)
    (result,) = it.graph.results
    elem = whole(result, "bsk")
    cases = Reader().integer(elem)
    var = elem.idx[-1].atom or Var("k", ints.of(1))
    return repeated(cases, var), cases, Eager(it, *inputs), result


DISTINCT = {
    "picks": lambda x, at: picks(x),
    "sorted picks": lambda x, at: x.sort(-1, descending=True).indices[..., :3],
    "picks after an offset": lambda x, at: picks(x) + 10,
    "visible picks": lambda x, at: torch.where(picks(x) <= row(), picks(x), -1),
    "a window": lambda x, at: window(3),
    "positions": lambda x, at: (2 * torch.arange(3)).expand(B, S, 3),
    "positions backwards": lambda x, at: (5 - torch.arange(3)).expand(B, S, 3),
    "a window, then picks": lambda x, at: torch.cat([window(2), picks(x) + S], -1),
    "picks, then a window": lambda x, at: torch.cat([picks(x) + S, window(2)], -1),
    "a padded list": lambda x, at: torch.nn.functional.pad(picks(x), (0, 2), value=-1),
    "a single unknown entry": lambda x, at: at[..., :1],
}  # fmt: skip

TWICE = {
    "an input": (lambda x, at: at + 0, "not proven to name every key once"),
    "halved picks": (lambda x, at: picks(x) // 2, "not proven to name every key once"),
    "the same number": (lambda x, at: torch.full((B, S, 3), 2), "not proven to name every key once"),
    "hidden picks as key 0": (lambda x, at: torch.where(picks(x) <= row(), picks(x), 0), "every key once"),
    "picks of two rankings": (lambda x, at: torch.cat([picks(x), picks(-x)], -1), "different keys"),
    "a window among the picks": (lambda x, at: torch.cat([window(2), picks(x)], -1), "different keys"),
    "picks clamped": (lambda x, at: picks(x).clamp(0, 2), "not proven to name every key once"),
    "two sums": (lambda x, at: picks(x) + torch.arange(3), "not proven to name every key once"),
}  # fmt: skip


def names_twice(function):
    made = function(SCORES, LIST)
    return any(
        len(set(kept)) < len(kept) for row in made.flatten(0, 1).tolist() for kept in [[i for i in row if i >= 0]]
    )


@pytest.mark.parametrize("name", DISTINCT)
def test_a_list_without_repeats(name):
    problem, *_ = verdict(DISTINCT[name], SCORES, LIST)
    assert problem is None
    assert not names_twice(DISTINCT[name])


@pytest.mark.parametrize("name", TWICE)
def test_a_list_that_may_repeat_says_why(name):
    function, reason = TWICE[name]
    problem, *_ = verdict(function, SCORES, LIST)
    assert problem is not None and reason in problem


def test_the_cases_are_the_entries():
    """What is judged is what the list holds."""
    for function in (*DISTINCT.values(), *(f for f, _ in TWICE.values())):
        _, cases, env, result = verdict(function, SCORES, LIST)
        real = function(SCORES, LIST)
        for b, s, k in itertools.product(*map(range, real.shape)):
            at = env.at(b=b, s=s, k=k)
            assert {integer(v, at) for g, v in cases if holds(g, at)} == {int(real[b, s, k])}, result


@pytest.mark.parametrize("seed", range(200))
def test_affine_entries_against_brute_force(seed):
    rng = random.Random(seed)
    k, line = Var("k", ints.of(rng.randint(1, 4))), Var("s", ints.of(3))

    def expression():
        return ints.of(k) * rng.choice([-1, 0, 1, 2]) + ints.of(line) * rng.choice([0, 1]) + rng.randint(-3, 5)

    split = rng.randint(0, k.size.const)
    first, second = expression(), expression()
    cases = [(ge(ints.of(split - 1) - ints.of(k)), first), (ge(ints.of(k) - split), second)]
    twice = False
    for s in range(3):
        points = ({line: s, k: n} for n in range(k.size.const))
        entries = [integer(v, p) for p in points for g, v in cases if holds(g, p)]
        kept = [e for e in entries if e >= 0]
        twice |= len(set(kept)) < len(kept)
    assert not twice or repeated(cases, k) is not None, f"{first} up to {split}, then {second}"


def test_nothing_but_missing_entries():
    k = Var("k", ints.of(4))
    assert repeated([(TRUE, ints.of(-1))], k) is None
