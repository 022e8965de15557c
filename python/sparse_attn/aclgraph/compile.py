"""From the backend's options to a captured function."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from typing import Any

from torch.fx import GraphModule

from ..options import Options
from .captured import Captured
from .pieces import cut


def captured(graph: GraphModule, static: Collection[int], options: Options) -> Callable[..., Any]:
    """`graph`, captured at its first call; with `piecewise`, its legal stretches where the whole may not be."""
    settings: dict[str, Any] = {"clone_outputs": options.clone_outputs, "limit": options.graph_limit}
    whole = Captured(graph, static, **settings)
    if options.explain is True:
        print(whole.plan.text())
    elif isinstance(options.explain, (str, os.PathLike)):
        with open(options.explain, "a", encoding="utf-8") as file:
            file.write(whole.plan.text() + "\n")
    if options.piecewise and not whole.plan.legal:
        pieces = cut(graph, static, **settings)
        return whole if pieces is None else pieces
    return whole
