"""An explanation as one page: a card for every candidate, styles inside, nothing loaded, everything escaped."""

from __future__ import annotations

import html

from sparse_attn.lowering.report import Finding, Report

from .diagnostics import printable
from .report_json import Explanation
from .report_text import summary

POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""Even text that slipped through escaping could load and run nothing."""

STYLE = """
:root { color-scheme: light dark; --yes: #1a7f37; --no: #b35900; --line: #8886; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
.card { border: 1px solid var(--line); border-left: .4rem solid var(--no); border-radius: .4rem; padding: .2rem 1rem;
  margin: 1rem 0; overflow-wrap: anywhere; }
.card.fused { border-left-color: var(--yes); }
.card h3 { font-size: 1rem; margin: .5rem 0; }
.state { color: var(--no); } .fused .state { color: var(--yes); }
code, .site { font-family: ui-monospace, monospace; }
dt { font-weight: 600; } dd { margin: 0 0 .4rem 1.5rem; }
td, th { text-align: left; padding: 0 1rem 0 0; font-variant-numeric: tabular-nums; }
"""


def page(explanation: Explanation) -> str:
    """The whole HTML document."""
    total = len(explanation.reports)
    graphs = "\n".join(_graph(report, number, total) for number, report in enumerate(explanation.reports, 1))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>sparse_attn: explanation</title>
<style>{STYLE}</style>
</head>
<body>
<h1>Sparse attention for {_text(explanation.target)}</h1>
<p>{_text(summary(explanation.reports))}.</p>
{graphs}
</body>
</html>
"""


def _graph(report: Report, number: int, total: int) -> str:
    parts = [f"<section>\n<h2>Graph {number} of {total}</h2>"]
    if report.whole_graph:
        parts.append(f'<p class="whole">{_text(report.whole_graph)}</p>')
    if report.assumed:
        parts.append(f"<p>Assumed by the user: {_text(', '.join(report.assumed))}</p>")
    parts += [card(finding) for finding in report]
    if report.seconds:
        rows = "".join(f"<tr><td>{_text(k)}</td><td>{v:.3f} s</td></tr>" for k, v in report.seconds.items())
        parts.append(f"<details><summary>Time of each step</summary><table>{rows}</table></details>")
    return "\n".join([*parts, "</section>"])


def card(finding: Finding) -> str:
    """One candidate."""
    state = "fused" if finding.fused else "not fused"
    head = f'{_text(finding.kind)} at <span class="site">{_text(finding.site)}</span>'
    items = [("became", [finding.became])] if finding.fused else [("because", [finding.reason or "no reason recorded"])]
    items += [("found", list(finding.pieces)), ("note", finding.notes), ("graph node", [finding.node])]
    listed = "".join(
        f"<dt>{name}</dt>" + "".join(f"<dd>{_text(each)}</dd>" for each in texts) for name, texts in items if texts
    )
    kind = "card fused" if finding.fused else "card"
    return (
        f'<article class="{kind}">\n<h3><span class="state">{state}</span>: {head}</h3>\n<dl>{listed}</dl>\n</article>'
    )


def _text(value: str) -> str:
    return html.escape(printable(value), quote=True)
