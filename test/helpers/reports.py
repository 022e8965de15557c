"""Explanations made by hand, for tests of what shows them."""

from sparse_attn.lowering.report import Finding, Report
from sparse_attn.tools.report_json import Explanation

EVIL = "<script>alert('x')</script>&\"\x1b[31m\u202e"
"""What a file name or a mask may hold: markup, quotes, a terminal's control sequence, a change of direction."""


def report(*findings: Finding, whole_graph: str = "", assumed: tuple[str, ...] = (), seconds: float = 0.5) -> Report:
    made = Report()
    made.findings = {finding.node: finding for finding in findings}
    made.whole_graph, made.assumed, made.seconds = whole_graph, assumed, {"ingest": seconds / 2, "total": seconds}
    return made


def fused(node: str = "topk", **given) -> Finding:
    return Finding(
        "indexer", "model.py:7", node, ("scores relu", "top-k of 4"), "sparse_attn.lightning_indexer", **given
    )


def refused(node: str = "softmax", reason: str = "its mask is not proven", **given) -> Finding:
    return Finding("attention", "model.py:9", node, reason=reason, **given)


def explanation(*reports: Report, target: str = "host") -> Explanation:
    return Explanation(target, list(reports))
