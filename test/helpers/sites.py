"""Small models of indexed sparse attention, compiled and compared with eager."""

from collections.abc import Callable
from typing import Any

import torch
from compiled import findings, run

B, S, H, d, T, K, N, D = 2, 5, 3, 4, 9, 6, 4, 8  # the first row sees fewer than K keys
INF, MIN = float("-inf"), torch.finfo(torch.float32).min


def inputs(seed: int = 0) -> tuple[torch.Tensor, ...]:
    """Index query, key, weights; attention query, key, value."""
    made = torch.Generator().manual_seed(seed)
    shapes = ((B, S, H, d), (B, T, d), (B, S, H), (B, N, S, D), (B, N, T, D), (B, N, T, 6))
    return tuple(torch.randn(shape, generator=made) for shape in shapes)


def scores(iq, ik, w):
    """Lightning indexer scores [B, S, T]."""
    return torch.einsum("bsht,bsh->bst", torch.relu(torch.einsum("bshd,btd->bsht", iq, ik)), w)


def listed(indices, keys=T):
    """An additive mask that shows the listed keys."""
    return torch.full((*indices.shape[:2], keys), INF).scatter(-1, indices, 0.0).unsqueeze(1)


def attend(q, k, v, mask, scale=0.5):
    return torch.softmax(q @ k.transpose(-1, -2) * scale + mask, -1) @ v


def positions():
    """The last position of every row: rows stand at the end of the keys."""
    return torch.arange(T - S, T)[:, None]


def causal(shift=0):
    return torch.where(torch.arange(T) <= positions() + shift, 0.0, INF)


def outcome(function: Callable[..., Any], *args: Any, tolerance: float = 1e-5, **options: Any) -> dict[str, Any]:
    """Compile, compare every result with eager, and return the findings by kind (a list where there are several)."""
    with torch.no_grad():
        wanted = function(*(x.clone() for x in args))
    got, reports = run(function, [x.clone() for x in args], **options)
    pairs = zip(*((x,) if isinstance(x, torch.Tensor) else x for x in (got, wanted)), strict=True)
    for one, other in pairs:
        torch.testing.assert_close(one, other, rtol=tolerance, atol=tolerance, equal_nan=True)
    kinds: dict[str, Any] = {}
    for kind in ("indexer", "attention"):
        found = findings(reports, kind)
        kinds[kind] = found[0] if len(found) == 1 else found
    kinds["text"] = "\n".join(r.text() for r in reports)
    return kinds
