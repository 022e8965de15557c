"""An explanation as text: every graph, every candidate, and how many became what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from sparse_attn.lowering.report import Finding, Report

from .diagnostics import printable
from .report_json import Explanation


def text(explanation: Explanation) -> str:
    """The explanation, in characters that cannot steer a terminal."""
    parts = [f"target {explanation.target}: {summary(explanation.reports)}"]
    for number, report in enumerate(explanation.reports, 1):
        parts.append(f"graph {number} of {len(explanation.reports)}{_seconds(report)}\n{_indented(report.text())}")
    return printable("\n\n".join(parts) + "\n")


def summary(reports: Iterable[Report]) -> str:
    """`3 graphs, 5 of 6 candidates fused`; a graph without a candidate's anchor makes no report and is not counted."""
    reports = list(reports)
    found = [finding for report in reports for finding in report]
    graphs = f"{len(reports)} graph{'s' if len(reports) != 1 else ''} with candidates"
    if not reports:
        return "no graph holds a candidate for sparse attention (a topk, sort, softmax or attention)"
    return f"{graphs}, {sum(f.fused for f in found)} of {len(found)} candidates fused"


def gathered(findings: Iterable[Finding]) -> list[str]:
    """One line for all candidates of one place that ended alike, with their number."""
    counts = Counter(
        (f.kind, f.site, f"became {f.became}" if f.fused else f"not fused: {f.reason or 'no reason recorded'}")
        for f in findings
    )
    return [f"{count} x {kind} at {site}: {end}" for (kind, site, end), count in counts.items()]


def _seconds(report: Report) -> str:
    return f" ({report.seconds['total']:.2f} s in this compiler)" if "total" in report.seconds else ""


def _indented(lines: str) -> str:
    return "\n".join(f"  {line}" for line in lines.splitlines())
