"""Ragged batches through a static cache, beside each request alone through transformers' growing one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
import torch
from models import tokens
from transformers import DynamicCache

from sparse_attn.tools.tiny_families import FAMILIES

PAD = 2
Counts = Sequence[int]  # how many tokens each request has in a call


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Tiny operations gain nothing from a second thread, and lose a lot where other processes want the cores."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def tiny(name: str, **overrides: Any) -> Any:
    """A tiny model whose indexer has so many heads that no two keys score the same: ties are broken by shape."""
    return FAMILIES[name](**{"index_n_heads": 24, **overrides})


def columns(texts: torch.Tensor, done: Counts, counts: Counts, left: bool) -> tuple[torch.Tensor, torch.Tensor]:
    """ids and mask [B, S] of a call that gives each request its next `counts` tokens, padded on one side."""
    width = max(*counts, 1, 1)
    ids = torch.full((len(counts), width), PAD)
    mask = torch.zeros(len(counts), width, dtype=torch.long)
    for b, count in enumerate(counts):
        at = slice(width - count, width) if left else slice(0, count)
        ids[b, at], mask[b, at] = texts[b, done[b] : done[b] + count], 1
    return ids, mask


def ragged(run: Callable[..., Any], cache: Any, calls: Sequence[Counts], left: bool = False) -> list[torch.Tensor]:
    """The logits of every token of every request, [tokens, vocabulary] each; padding is left out."""
    texts, done = tokens(len(calls[0]), 300), [0] * len(calls[0])
    found: list[list[torch.Tensor]] = [[] for _ in done]
    for counts in calls:
        ids, mask = columns(texts, done, counts, left)
        logits = run(ids, attention_mask=None if mask.all() else mask, past_key_values=cache, use_cache=True).logits
        for b, count in enumerate(counts):
            found[b].append(logits[b, mask[b].bool()])
            done[b] += count
    return [torch.cat(part) for part in found]


def alone(model: Any, calls: Sequence[Counts]) -> list[torch.Tensor]:
    """What `ragged` gives, each request by itself and without padding."""
    texts = tokens(len(calls[0]), 300)
    found = []
    for b in range(len(calls[0])):
        cache, parts, done = DynamicCache(config=model.config), [], 0
        for count in (counts[b] for counts in calls if counts[b]):
            out = model(texts[b : b + 1, done : done + count], past_key_values=cache, use_cache=True)
            parts.append(out.logits[0])
            done += count
        found.append(torch.cat(parts))
    return found


def same(got: Sequence[torch.Tensor], expected: Sequence[torch.Tensor]) -> None:
    for row, (a, b) in enumerate(zip(got, expected, strict=True)):
        torch.testing.assert_close(a, b, rtol=1e-5, atol=1e-5, msg=lambda text, row=row: f"request {row}: {text}")
