"""Results as text and as JSON."""

from __future__ import annotations

import json
from typing import Any

from ..diagnostics import printable

PARTS = ("dynamo", "aot", "ours", "inner")


def head(results: dict[str, Any]) -> str:
    """What was measured on."""
    limits = ", ".join(f"{value / 1e9:.3g} Gflop/s in {name}" for name, value in results["limits"].items())
    return (
        f"torch {results['torch']} on {results['machine']}, {results['threads']} threads, level {results['level']}\n"
        f"limit: the best torch.mm reaches {limits}; memory is read at {results['bandwidth'] / 1e9:.3g} GB/s\n"
        "ratios say how many times as long the other takes; in brackets the middle half of the pairs\n"
    )


def measurement(found: dict[str, Any]) -> str:
    """One shape."""
    if found["skipped"]:
        return f"{found['name']}\n  skipped: {found['skipped']}"
    share = f"{found['share']:.0%} of the limit ({found['binds']})"
    lines = [found["name"], f"  {'this operator':<24} {_time(found['seconds'])}   {share}"]
    for peer in found["peers"]:
        if peer["skipped"]:
            lines.append(f"  {peer['name']:<24} skipped: {peer['skipped']}")
        else:
            lines.append(
                f"  {peer['name']:<24} {peer['ratio']:7.2f} x  [{peer['low']:.2f} to {peer['high']:.2f}]"
                f"   differs by {peer['difference']:.0e}"
            )
    return printable("\n".join(lines))


def facts(name: str, found: list[dict[str, Any]]) -> str:
    """A group of facts, each with its goal."""
    lines = [f"  {each['name']:<78} {each['value']:8.2f} {each['unit']:<3} (goal {each['goal']})" for each in found]
    return "\n".join([name, *lines])


def compilation(found: dict[str, Any]) -> str:
    """One model."""
    parts = ", ".join(f"{name} {found[name]:.2f} s" for name in PARTS)
    fused = f"{found['fused']} of {found['candidates']} candidates fused"
    return f"{found['name']}\n  {found['total']:.1f} s: {parts}; {fused}"


def to_json(results: dict[str, Any]) -> str:
    """Every number."""
    return json.dumps(results, indent=1, allow_nan=False) + "\n"


def _time(seconds: float) -> str:
    return f"{seconds * 1e3:9.2f} ms" if seconds < 10 else f"{seconds:9.2f} s "
