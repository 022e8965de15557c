"""What the demo says."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Any

from .demo_cases import PROMPT, Case
from .diagnostics import printable
from .report_text import gathered, summary


def introduction(cases: Sequence[Case], seed: int) -> str:
    """What is about to run."""
    lines = [
        "Unmodified models of transformers, random weights, fp32, on this CPU; eager against",
        f'torch.compile(model, backend="sparse_attn"). Prompt of {PROMPT} tokens, then greedy steps. Seed {seed}.',
        "",
    ]
    for case in cases:
        lines.append(f"  {case.name:<12} {case.title}: {case.layers} layers, {case.steps} steps")
    return "\n".join([*lines, ""])


def outcome(case: Case, found: dict[str, Any], wrong: Sequence[str], npu: str, excerpt: int) -> str:
    """One case: what fused, times, memory, and an excerpt of the explanation for the host and for an NPU."""
    eager, ours = found["eager"], found["sparse_attn"]
    graphs = ours["graphs"]
    equal = eager["tokens"] == ours["tokens"]
    lines = [
        f"  tokens    {len(ours['tokens'])} greedy tokens {'equal' if equal else 'NOT EQUAL'} to eager's",
        f"  fused     prompt: {summary(graphs[:1])}",
        f"            single tokens: {summary(graphs[1:])}",
        *_times(eager, ours),
        f"  memory    peak grew by {eager['memory']:.0f} MiB in eager, {ours['memory']:.0f} MiB with the compiler",
        *(f"  WRONG     {problem}" for problem in wrong),
        "  on host:",
        *_excerpt(graphs, excerpt),
        f"  for {npu}, the prompt's graph (compiled and explained, not run):",
        *_excerpt(found[npu]["graphs"], excerpt),
        "",
    ]
    return printable("\n".join(lines))


def _times(eager: dict[str, Any], ours: dict[str, Any]) -> list[str]:
    graphs = ours["graphs"]
    compiler = sum(graph.seconds.get("total", 0.0) for graph in graphs)
    steady = settled(ours["seconds"], ours["graphs_after"])
    shown = f"{median(steady) * 1000:.0f} ms compiled" if steady else "and every compiled one made another graph"
    return [
        f"  time      {sum(ours['seconds']):.1f} s with {len(graphs)} compilations, of which {compiler:.1f} s are ours",
        f"            one step: {median(eager['seconds'][1:]) * 1000:.0f} ms in eager, {shown}",
    ]


def settled(seconds: Sequence[float], graphs_after: Sequence[int]) -> list[float]:
    """The times of the steps that made no new graph."""
    made = zip(seconds[1:], graphs_after, graphs_after[1:], strict=False)
    return [time for time, before, after in made if before == after]


def _excerpt(graphs: Sequence[Any], most: int) -> list[str]:
    found = [finding for graph in graphs for finding in graph]
    lines = gathered(sorted(found, key=lambda finding: finding.fused))  # what did not fuse comes first
    more = [f"    ... and {len(lines) - most} more"] if len(lines) > most else []
    return [*(f"    {line}" for line in lines[:most]), *more] or ["    no candidate"]


def verdict(problems: Sequence[str], seconds: float) -> str:
    """The last lines."""
    end = f"in {seconds:.0f} s"
    if not problems:
        return f"All tokens are eager's, and everything fused that should, {end}."
    return printable("\n".join([f"{len(problems)} problems, {end}:", *(f"  {each}" for each in problems)]))
