"""A count of list entries is a list where it is compared with none; any other question about it is opaque."""

import operator

import pytest
import torch
from readings import agrees, opaque, predicate

from sparse_attn.lowering.normalize.counts import EMPTY

B, S, T = 2, 3, 6
LIST = torch.tensor([[[1, 4], [0, 0], [2, 5]], [[5, 0], [1, 2], [4, 4]]])
SEEN = torch.rand(B, S, T, generator=torch.Generator().manual_seed(2)) > 0.4


def added(at, amount, dtype=torch.int32):
    return torch.zeros(B, S, T, dtype=dtype).scatter_add(-1, at, amount.to(dtype))


def shows(at, seen):
    """Whether the row sees the key of each entry."""
    return seen.gather(-1, at)


def hot(at):
    return torch.nn.functional.one_hot(at, T)


def compared(at):
    return at[..., None] == torch.arange(T)


LISTS = {
    "added and not zero": lambda at, seen: added(at, shows(at, seen)).ne(0),
    "added and positive": lambda at, seen: added(at, shows(at, seen)) > 0,
    "added and at least one": lambda at, seen: added(at, shows(at, seen)) >= 1,
    "added and zero": lambda at, seen: added(at, shows(at, seen)) == 0,
    "added and below one": lambda at, seen: added(at, shows(at, seen)) < 1,
    "added and not positive": lambda at, seen: added(at, shows(at, seen)) <= 0,
    "added as truth": lambda at, seen: added(at, shows(at, seen)).bool(),
    "added floats": lambda at, seen: added(at, shows(at, seen), torch.float32) > 0,
    "added where listed": lambda at, seen: added(at, torch.where(shows(at, seen), 1, 0)).ne(0),
    "added ones": lambda at, seen: added(at, torch.ones(B, S, 2)).ne(0),
    "one hot": lambda at, seen: hot(at).sum(-2).bool(),
    "one hot where shown": lambda at, seen: (hot(at) * shows(at, seen)[..., None]).sum(-2) > 0,
    "one hot of a single entry": lambda at, seen: hot(at[..., :1]).sum(-2) > 0,
    "any equal": lambda at, seen: compared(at).any(-2),
    "any equal and shown": lambda at, seen: (compared(at) & shows(at, seen)[..., None]).any(-2),
    "any equal, axis kept": lambda at, seen: compared(at).any(-2, keepdim=True)[..., 0, :],
    "any equal of a single entry": lambda at, seen: compared(at[..., :1]).any(-2),
    "any equal from the other side": lambda at, seen: (torch.arange(T) == at[..., None]).any(2),
}  # fmt: skip


@pytest.mark.parametrize("name", LISTS)
def test_none_or_some_is_membership(name):
    found, env, _ = predicate(LISTS[name], LIST, SEEN)
    agrees(found, env, LISTS[name](LIST, SEEN))
    assert " in %" in str(found), str(found)
    assert opaque(found) <= {"seen_1"}, str(found)


OPAQUE = {
    "twice": lambda at, seen: added(at, shows(at, seen)) >= 2,
    "exactly once": lambda at, seen: added(at, shows(at, seen)) == 1,
    "less than twice": lambda at, seen: added(at, shows(at, seen)) < 2,
    "as many as another": lambda at, seen: added(at, shows(at, seen)) > torch.arange(T),
    "amounts that cancel": lambda at, seen: added(at, torch.where(shows(at, seen), 1, -1)) != 0,
    "amounts of any size": lambda at, seen: added(at, at) != 0,
    "weighed by place": lambda at, seen: added(at, seen[..., :2]) != 0,
    "on top of other numbers": lambda at, seen: torch.ones(B, S, T, dtype=torch.int32).scatter_add(
        -1, at, shows(at, seen).int()) != 0,
    "bytes that come round": lambda at, seen: added(at, shows(at, seen), torch.uint8) != 0,
    "any of a comparison that is no equality": lambda at, seen: (at[..., None] <= torch.arange(T)).any(-2),
    "any of an entry with itself": lambda at, seen: (at[..., None] == at[..., None] + torch.arange(T) * 0).any(-2),
}  # fmt: skip


@pytest.mark.parametrize("name", OPAQUE)
def test_other_questions_stay_opaque(name):
    found, env, _ = predicate(OPAQUE[name], LIST, SEEN)
    agrees(found, env, OPAQUE[name](LIST, SEEN))
    assert " in %" not in str(found), str(found)


@pytest.mark.parametrize("name, bound", EMPTY)
def test_comparisons_ask_for_none_or_some(name, bound):
    compare = getattr(operator, name)
    assert [compare(count, bound) for count in range(4)] == [EMPTY[name, bound]] + 3 * [not EMPTY[name, bound]]
