"""What the demo runs, and what it expects of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

PROMPT = 256
"""Tokens of the prompt."""


@dataclass(frozen=True)
class Case:
    """A model with a cache.

    `model` is a function of `tiny_models`; `steps` tokens are generated after the prompt. `fuses` candidates are in
    the prompt's graph and have to fuse; in the graphs of single tokens at most `refused` may stay as they are.
    """

    name: str
    title: str
    model: str
    layers: int
    cache: str
    steps: int
    fuses: int
    refused: int = 0

    def problems(self, eager: dict[str, Any], compiled: dict[str, Any]) -> list[str]:
        """What is not as it should be, as sentences."""
        found = []
        if eager["tokens"] != compiled["tokens"]:
            pairs = zip(eager["tokens"], compiled["tokens"], strict=False)
            at = next((i for i, (a, b) in enumerate(pairs) if a != b), "the end")
            found.append(f"the tokens differ from eager's at {at}")
        graphs = compiled["graphs"]
        if not graphs:
            return [*found, "no graph was compiled"]
        fused = sum(finding.fused for finding in graphs[0])
        if fused != self.fuses:
            found.append(f"the prompt's graph has {fused} fused candidates, {self.fuses} are expected")
        refused = [finding for graph in graphs[1:] for finding in graph if not finding.fused]
        if len(refused) > self.refused:
            places = ", ".join(sorted({f"{finding.kind} at {finding.site}" for finding in refused}))
            found.append(f"{len(refused)} not fused in graphs of single tokens, {self.refused} are expected: {places}")
        found += [graph.whole_graph for graph in graphs if graph.whole_graph]
        return found


CASES: Sequence[Case] = (
    Case("v32-dynamic", "DeepSeek-V3.2, DynamicCache", "deepseek_v32", 2, "dynamic", 32, 4),
    Case("v32-static", "DeepSeek-V3.2, StaticCache", "deepseek_v32", 2, "static", 32, 4),
    Case("v4", "DeepSeek-V4, its own cache", "deepseek_v4", 3, "dynamic", 32, 4),
)


def case_of(name: str) -> Case:
    """The case of a name."""
    return next(case for case in CASES if case.name == name)
