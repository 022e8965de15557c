"""A small bf16 attention with an indexer over compressed keys, real head sizes, in plain torch."""

from __future__ import annotations

from typing import Any

import torch
from compiled import run

INDEX_HEADS, INDEX_WIDTH, HEADS, WIDTH = 64, 128, 64, 512
WINDOW, RATIO, K = 128, 4, 512
OURS = ("cann_ops_transformer", "custom", "npu", "sparse_attn")


def inputs(
    tokens: int = 160, keys: int = 160, heads: int = HEADS, dtype: torch.dtype = torch.bfloat16
) -> tuple[torch.Tensor, ...]:
    """Index query and key, head weights, query, window key, compressed key, sinks; the last `tokens` of `keys` ask."""
    made = torch.Generator().manual_seed(0)
    rows = keys // RATIO

    def draw(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=made).to(dtype)

    return (
        draw(1, tokens, INDEX_HEADS, INDEX_WIDTH), draw(1, rows, INDEX_WIDTH), draw(1, tokens, INDEX_HEADS).abs(),
        draw(1, tokens, heads, WIDTH), draw(1, keys, WIDTH), draw(1, rows, WIDTH), draw(heads),
    )  # fmt: skip


def attend(iq: torch.Tensor, ik: torch.Tensor, w: torch.Tensor, q: torch.Tensor, kv: torch.Tensor, ckv: torch.Tensor,
           sinks: torch.Tensor, k: int = K) -> torch.Tensor:  # fmt: skip
    """Window of 128 tokens and the best `k` compressed keys, with sinks; [B, S, N, D]."""
    tokens, past, rows = q.shape[1], kv.shape[1], ckv.shape[1]
    pos, at = past - tokens + torch.arange(tokens), torch.arange(past)
    seen = (pos[:, None] + 1) // RATIO > torch.arange(rows)
    scores = torch.einsum("bshd,btd->bsht", iq.float(), ik.float()).relu()
    scores = torch.einsum("bsht,bsh->bst", scores, w.float()).masked_fill(~seen, float("-inf"))
    picks = scores.topk(min(k, rows), dim=-1).indices
    chosen = torch.zeros(scores.shape, dtype=torch.bool).scatter(-1, picks, True) & seen
    near = (at <= pos[:, None]) & (at > pos[:, None] - WINDOW)
    mask = torch.cat([near.expand(1, tokens, past), chosen], -1)
    keys = torch.cat([kv, ckv], 1)
    logits = torch.einsum("bsnd,btd->bnst", q, keys).float() * WIDTH**-0.5
    logits = logits.masked_fill(~mask[:, None], float("-inf"))
    logits = torch.cat([logits, sinks.float()[None, :, None, None].expand(1, -1, tokens, 1)], -1)
    weights = logits.softmax(-1)[..., :-1].to(q.dtype)
    return torch.einsum("bnst,btd->bsnd", weights, keys)


def kernels(call: Any) -> list[str]:
    """The names of our operators in a graph, in order."""
    names = [str(node.target) for node in call.graph.nodes if node.op == "call_function"]
    return [name for name in names if name.split(".")[0] in OURS]


def outcome(monkeypatch: Any, function: Any, *args: Any, **options: Any):  # type: ignore[no-untyped-def]
    """(result, report text, operators of ours in the emitted graph) of a compiled call."""
    from sparse_attn import backend

    graphs: list[Any] = []
    inner = backend._inner
    monkeypatch.setattr(backend, "_inner", lambda graph, *rest: (graphs.append(graph), inner(graph, *rest))[1])
    result, reports = run(function, args, **options)
    return result, "\n".join(r.text() for r in reports), [name for graph in graphs for name in kernels(graph)]
