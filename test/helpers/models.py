"""Running a tiny model eager and compiled, side by side."""

from __future__ import annotations

import dataclasses
from typing import Any

import torch

from sparse_attn.backend import collecting, sparse_attn
from sparse_attn.lowering.report import Finding, Report


@dataclasses.dataclass
class Pair:
    """What both runs gave, and what was fused."""

    eager: torch.Tensor
    compiled: torch.Tensor
    reports: list[Report]

    def findings(self, kind: str) -> list[Finding]:
        return [f for r in self.reports for f in r if f.kind == kind]

    def check(self, indexers: int, attentions: int) -> None:
        """Logits equal, and exactly this many sites found, every one of them fused."""
        torch.testing.assert_close(self.compiled, self.eager, rtol=1e-5, atol=1e-5)
        for kind, count in (("indexer", indexers), ("attention", attentions)):
            found = self.findings(kind)
            assert len(found) == count, [str(f) for f in found]
            assert all(f.fused for f in found), [str(f) for f in found if not f.fused]


def tokens(batch: int, length: int) -> torch.Tensor:
    return torch.randint(3, 500, (batch, length), generator=torch.Generator().manual_seed(1))


def prefill(model: Any, batch: int = 1, length: int = 64, dynamic: bool = False, pad: int = 0, **options: Any) -> Pair:
    """One forward without a cache; `pad` tokens of left padding in the first row."""
    torch._dynamo.reset()
    ids = tokens(batch, length)
    extra: dict[str, Any] = {}
    if pad:
        extra["attention_mask"] = torch.ones(batch, length, dtype=torch.long)
        extra["attention_mask"][0, :pad] = 0
    compiled = torch.compile(model, backend=sparse_attn, fullgraph=True, options=options)
    with torch.no_grad(), collecting() as reports:
        expected = model(ids, use_cache=False, **extra)[0]  # logits, or the hidden states of a model without a head
        if dynamic:
            torch._dynamo.mark_dynamic(ids, 1)
        return Pair(expected, compiled(ids, use_cache=False, **extra)[0], reports)


def decode(model: Any, cache: Any, length: int, steps: int, batch: int = 1, **options: Any) -> Pair:
    """Greedy decoding after a prefill; `cache()` makes a fresh cache. The logits of every step are kept."""
    torch._dynamo.reset()
    compiled = torch.compile(model, backend=sparse_attn, fullgraph=True, recompile_limit=64, options=options)
    with torch.no_grad(), collecting() as reports:
        runs = [_greedy(run, cache(), tokens(batch, length), steps) for run in (model, compiled)]
    return Pair(runs[0], runs[1], reports)


def _greedy(run: Any, cache: Any, ids: torch.Tensor, steps: int) -> torch.Tensor:
    logits = []
    for _ in range(steps + 1):
        out = run(ids, past_key_values=cache, use_cache=True)
        cache, step = out.past_key_values, out.logits[:, -1:]
        logits.append(step)
        ids = step.argmax(-1)
    return torch.cat(logits, 1)
