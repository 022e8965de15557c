"""Lists put together from pieces, positions and other lists: true exactly for the keys they hold."""

import itertools
import random

import pytest
import torch
from readings import agrees, opaque, predicate
from values import holds, integer

from sparse_attn.lowering.analysis import ints
from sparse_attn.lowering.analysis.ints import Var
from sparse_attn.lowering.analysis.predicate import and_, ge
from sparse_attn.lowering.normalize.membership import solve

B, S, T = 2, 5, 9
SCORES = torch.randn(B, S, 4, generator=torch.Generator().manual_seed(3))
LIST = torch.tensor([[[1, 4], [0, 0], [2, 5], [3, 1], [8, 7]], [[5, 0], [1, 2], [4, 4], [0, 3], [6, 8]]])


def listed(entries):
    """Which of T keys a list [B, S, n] holds; entries below 0 are none."""
    kept = torch.where(entries >= 0, entries, T)
    return torch.zeros(B, S, T + 1, dtype=torch.bool).scatter(-1, kept, True)[..., :T]


def window(width, rows=S):
    """The window's keys of every row, -1 where it would reach before the first key."""
    base = torch.arange(rows)[:, None]
    ids = (base - width + 1).clamp(0) + torch.arange(min(rows, width))
    return torch.where(ids > base, -1, ids).expand(B, rows, -1)


def picks(scores, k=2):
    return scores.topk(k, -1).indices


LISTS = {
    "a window": lambda scores, at: listed(window(3)),
    "a window wider than the rows": lambda scores, at: listed(window(8)),
    "a window of one": lambda scores, at: listed(window(1)),
    "picks": lambda scores, at: listed(picks(scores)),
    "picks after an offset": lambda scores, at: listed(picks(scores) + 5),
    "a window, then picks after it": lambda scores, at: listed(torch.cat([window(3), picks(scores) + S], -1)),
    "picks, then a window": lambda scores, at: listed(torch.cat([picks(scores) + S, window(2)], -1)),
    "two lists": lambda scores, at: listed(torch.cat([at, picks(scores)], -1)),
    "a padded list": lambda scores, at: listed(torch.nn.functional.pad(at, (0, 2), value=-1)),
    "a list padded in front": lambda scores, at: listed(torch.nn.functional.pad(at, (1, 0), value=-1)),
    "small entries": lambda scores, at: listed(torch.where(at < 3, at, -1)),
    "entries of visible keys": lambda scores, at: listed(
        torch.where((torch.arange(T) <= torch.arange(S)[:, None]).expand(B, S, T).gather(-1, at), at, -1)),
    "picks clamped to where they are": lambda scores, at: listed(picks(scores).clamp(0, 3)),
    "a part of a list": lambda scores, at: listed(picks(scores, 3)[..., 1:]),
    "one entry": lambda scores, at: listed(at[..., :1]),
    "positions from the end": lambda scores, at: listed((4 - torch.arange(3)).expand(B, S, 3)),
}  # fmt: skip


@pytest.mark.parametrize("name", LISTS)
def test_a_list_holds_what_it_holds(name):
    found, env, _ = predicate(LISTS[name], SCORES, LIST)
    agrees(found, env, LISTS[name](SCORES, LIST))
    assert opaque(found) == set(), str(found)


OPAQUE = {
    "every second position": lambda scores, at: listed((torch.arange(3) * 2).expand(B, S, 3)),
    "twice a list": lambda scores, at: listed(at // 2 * 2),
    "the sum of two lists": lambda scores, at: listed(at // 2 + picks(scores)),
    "entries in even places": lambda scores, at: listed(torch.where(torch.arange(2) % 2 == 0, at, -1)),
    "entries in some places": lambda scores, at: listed(torch.where(scores[..., :2] > 0, at, -1)),
    "entries clamped into another": lambda scores, at: listed(picks(scores, 3).clamp(1, 2)),
}  # fmt: skip


@pytest.mark.parametrize("name", OPAQUE)
def test_what_cannot_be_solved_stays_opaque(name):
    found, env, _ = predicate(OPAQUE[name], SCORES, LIST)
    agrees(found, env, OPAQUE[name](SCORES, LIST))
    assert len(opaque(found)) == 1, str(found)


@pytest.mark.parametrize("seed", range(300))
def test_an_affine_entry_is_solved_exactly(seed):
    """Against brute force over every position: random pace, offset, range and guard."""
    rng = random.Random(seed)
    k, row, key = Var("k", ints.of(rng.randint(1, 4))), Var("s", ints.of(4)), Var("j", ints.of(6))
    entry = ints.of(k) * rng.choice([-1, 0, 1]) + ints.of(row) * rng.choice([-1, 0, 1]) + rng.randint(-2, 3)
    guard = and_(*(
        ge(ints.of(k) * rng.choice([-1, 0, 1]) + ints.of(row) * rng.choice([-1, 0, 1]) + rng.randint(-1, 2))
        for _ in range(2)
    ))  # fmt: skip
    found = solve(k, guard, entry, ints.of(key))
    for s, j in itertools.product(range(4), range(6)):
        points = ({row: s, key: j, k: n} for n in range(k.size.const))
        wanted = any(holds(guard, p) and integer(entry, p) == j for p in points)
        assert found is None or holds(found, {row: s, key: j}) == wanted, f"{entry} under {guard}: {found}"
    if entry.coefficient(k):
        assert found is not None
