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

    `model` is a function of `tiny_models`; `steps` tokens are generated after the prompt. `fuses` says for each kind of
    layer how many candidates the prompt's graph holds, all of which have to fuse; `decode_fuses` asks it of the graphs
    of single tokens too.
    """

    name: str
    title: str
    model: str
    layers: int
    cache: str
    steps: int
    fuses: int
    decode_fuses: bool
    remark: str = ""

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
        for graph in graphs[1:] if self.decode_fuses else []:
            found += [f"not fused in a graph of single tokens: {f.kind} at {f.site}" for f in graph if not f.fused]
        found += [graph.whole_graph for graph in graphs if graph.whole_graph]
        return found


CASES: Sequence[Case] = (
    Case("v32-dynamic", "DeepSeek-V3.2, DynamicCache", "deepseek_v32", 2, "dynamic", 32, 4, True),
    Case("v32-static", "DeepSeek-V3.2, StaticCache", "deepseek_v32", 2, "static", 32, 4, True),
    Case(
        "v4",
        "DeepSeek-V4, its own cache",
        "deepseek_v4",
        3,
        "dynamic",
        5,
        4,
        False,
        "5 steps instead of 32: until its buffers of waiting tokens have had every size, each step is another graph",
    ),
)


def case_of(name: str) -> Case:
    """The case of a name."""
    return next(case for case in CASES if case.name == name)
