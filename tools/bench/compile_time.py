"""Where the time of a first call goes: dynamo, AOT autograd, this compiler, the inner backend."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

from .. import tiny_models

TOKENS = 64
LAYERS = {"quick": (2,), "standard": (2, 4, 8), "full": (2, 4, 8)}
MODELS = {"quick": ("deepseek_v32",), "standard": ("deepseek_v32", "deepseek_v4")}
MODELS["full"] = MODELS["standard"]


def cases(level: str) -> list[tuple[str, int]]:
    """Model and layers."""
    return [(model, layers) for model in MODELS[level] for layers in LAYERS[level]]


def name_of(model: str, layers: int) -> str:
    """What a case is called."""
    return f"compile {model} {layers} layers"


def split(model: str, layers: int) -> dict[str, Any]:
    """Seconds of each part of the first call on a prompt of 64 tokens, and how many candidates fused."""
    import torch
    from transformers import DynamicCache

    from sparse_attn import backend

    made = getattr(tiny_models, model)(layers)
    tokens = torch.arange(TOKENS)[None]
    spent = {"backend": 0.0, "inner": 0.0}
    torch.compiler.reset()
    with backend.collecting() as reports, torch.no_grad(), _inner_timed(spent):
        call = torch.compile(made, backend=_timed(spent, "backend", backend.sparse_attn))
        start = time.perf_counter()
        call(tokens, cache=DynamicCache(config=made.config))
        first = time.perf_counter() - start
        start = time.perf_counter()
        made(tokens, cache=DynamicCache(config=made.config))
        eager = time.perf_counter() - start
    ours = sum(report.seconds["total"] for report in reports)
    found = [finding for report in reports for finding in report]
    return {
        "name": name_of(model, layers),
        "total": first,
        "dynamo": max(first - spent["backend"] - eager, 0.0),
        "aot": spent["backend"] - ours - spent["inner"],
        "ours": ours,
        "inner": spent["inner"],
        "run": eager,
        "graphs": len(reports),
        "fused": sum(finding.fused for finding in found),
        "candidates": len(found),
        "steps": _sum(report.seconds for report in reports),
    }


@contextmanager
def _inner_timed(spent: dict[str, float]) -> Iterator[None]:
    """The backend hands every graph to its inner backend through one function."""
    from sparse_attn import backend

    with mock.patch.object(backend, "_inner", _timed(spent, "inner", backend._inner)):
        yield


def _timed(spent: dict[str, float], name: str, function: Any) -> Any:
    def call(*args: Any, **kwargs: Any) -> Any:
        start = time.perf_counter()
        try:
            return function(*args, **kwargs)
        finally:
            spent[name] += time.perf_counter() - start

    return call


def _sum(each: Any) -> dict[str, float]:
    total: dict[str, float] = {}
    for seconds in each:
        for name, value in seconds.items():
            total[name] = total.get(name, 0.0) + value
    return total
