"""Compile a callable with the backend and keep its reports and emitted graphs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from sparse_attn.backend import collecting, sparse_attn
from sparse_attn.lowering.report import Finding, Report


def run(function: Callable[..., Any], args: Sequence[Any], dynamic: bool | None = None, **options: Any):
    """(result, reports) of one compiled call under no_grad, from a clean slate."""
    torch._dynamo.reset()
    with torch.no_grad(), collecting() as reports:
        compiled = torch.compile(function, backend=sparse_attn, fullgraph=True, dynamic=dynamic, options=options)
        return compiled(*args), reports


def findings(reports: Sequence[Report], kind: str | None = None) -> list[Finding]:
    return [f for report in reports for f in report if kind in (None, f.kind)]
