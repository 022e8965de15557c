"""Reports as JSON and back: what `explain --json` writes and `report` reads.

{"format": 1, "target": "host", "graphs": [{"whole_graph": "", "assumed": [], "seconds": {}, "findings": [...]}]}
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Sequence
from typing import Any

from sparse_attn.lowering.report import KINDS, Finding, Report

FORMAT = 1


class NotAReport(ValueError):
    """The text is not what `explain --json` writes; says where it differs."""


@dataclasses.dataclass(frozen=True)
class Explanation:
    """The reports of one run, in the order its graphs were compiled, for one target."""

    target: str
    reports: Sequence[Report]


def to_json(explanation: Explanation) -> str:
    """The document, with a newline at its end."""
    graphs = [_graph(report) for report in explanation.reports]
    document = {"format": FORMAT, "target": explanation.target, "graphs": graphs}
    return json.dumps(document, indent=2, ensure_ascii=True) + "\n"


def from_json(text: str) -> Explanation:
    """The explanation that `to_json` wrote. Raises NotAReport, with the path of the first wrong value."""
    try:
        document = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise NotAReport(f"it is no JSON: {error}") from None
    _is(document, dict, "the document")
    if document.get("format") != FORMAT:
        raise NotAReport(f"its format is {document.get('format')!r}; this version reads format {FORMAT}")
    target = _is(document.get("target"), str, "target")
    graphs = _is(document.get("graphs"), list, "graphs")
    return Explanation(target, [_report(graph, f"graphs[{i}]") for i, graph in enumerate(graphs)])


def _graph(report: Report) -> dict[str, Any]:
    return {
        "whole_graph": report.whole_graph,
        "assumed": list(report.assumed),
        "seconds": dict(report.seconds),
        "findings": [{"fused": f.fused, **dataclasses.asdict(f)} for f in report],
    }


def _report(graph: Any, where: str) -> Report:
    _is(graph, dict, where)
    made = Report()
    made.whole_graph = _is(graph.get("whole_graph"), str, f"{where}.whole_graph")
    made.assumed = tuple(_texts(graph.get("assumed"), f"{where}.assumed"))
    for name, value in _is(graph.get("seconds"), dict, f"{where}.seconds").items():
        made.seconds[name] = _seconds(value, f"{where}.seconds.{name}")
    for i, each in enumerate(_is(graph.get("findings"), list, f"{where}.findings")):
        finding = _finding(each, f"{where}.findings[{i}]")
        if finding.node in made.findings:
            raise NotAReport(f"{where}.findings[{i}].node is there twice")
        made.findings[finding.node] = finding
    return made


def _finding(each: Any, where: str) -> Finding:
    _is(each, dict, where)
    texts = {name: _is(each.get(name), str, f"{where}.{name}") for name in ("kind", "site", "node", "became", "reason")}
    if texts["kind"] not in KINDS:
        raise NotAReport(f"{where}.kind is none of {', '.join(KINDS)}")
    pieces, notes = (_texts(each.get(name), f"{where}.{name}") for name in ("pieces", "notes"))
    made = Finding(**texts, pieces=tuple(pieces), notes=notes)
    if each.get("fused") is not made.fused:
        raise NotAReport(f"{where}.fused does not agree with its became and reason")
    return made


def _is(value: Any, kind: type, where: str) -> Any:
    if not isinstance(value, kind):
        raise NotAReport(f"{where} is no {kind.__name__}")
    return value


def _texts(value: Any, where: str) -> list[str]:
    return [_is(each, str, f"{where}[{i}]") for i, each in enumerate(_is(value, list, where))]


def _seconds(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or value < 0:
        raise NotAReport(f"{where} is no time in seconds")
    return float(value)
