"""What was found, what it became, and why not: the record every explanation is made from."""

from __future__ import annotations

import contextlib
import dataclasses
import re
from collections.abc import Iterator

from torch_mlir import ir

from .passes import remark

KINDS = ("indexer", "attention")


@dataclasses.dataclass
class Finding:
    """One candidate site.

    `kind` is "indexer" or "attention", `site` the user's file:line, `node` the FX node it starts from, `pieces` what
    was recognised, `became` the op it turned into ("" while unfused), `reason` the first thing that is not proven.
    """

    kind: str
    site: str
    node: str
    pieces: tuple[str, ...] = ()
    became: str = ""
    reason: str = ""
    notes: list[str] = dataclasses.field(default_factory=list)

    @property
    def fused(self) -> bool:
        return bool(self.became) and not self.reason

    def __str__(self) -> str:
        head = f"{self.kind} at {self.site}"
        body = f"fused: {self.became}" if self.fused else f"not fused: {self.reason}"
        lines = [f"{head}: {body}"]
        if self.pieces:
            lines.append("  found: " + "; ".join(self.pieces))
        return "\n".join([*lines, *(f"  note: {n}" for n in self.notes)])


class Report:
    """All findings of one compilation, one per anchor.

    `whole_graph` is why the graph as a whole was left alone ("" when it was not), `assumed` the promises the user made,
    `seconds` the time of each step.
    """

    def __init__(self) -> None:
        self.findings: dict[str, Finding] = {}
        self.whole_graph = ""
        self.assumed: tuple[str, ...] = ()
        self.seconds: dict[str, float] = {}

    def text(self) -> str:
        """The explanation: one paragraph a site."""
        lines = [self.whole_graph] if self.whole_graph else []
        lines += [f"assumed by the user: {', '.join(self.assumed)}"] if self.assumed else []
        lines += [str(f) for f in self] or ([] if self.whole_graph else ["no candidate for sparse attention"])
        return "\n".join(lines)

    def open(self, kind: str, operation: ir.Operation, pieces: tuple[str, ...] = ()) -> Finding:
        """The finding of the candidate anchored at `operation`, made on first use."""
        node = node_of(operation)
        made = self.findings.setdefault(node, Finding(kind, place(operation.location), node))
        made.pieces = made.pieces or pieces
        return made

    def fused(self, finding: Finding, operation: ir.Operation, became: str) -> None:
        finding.became, finding.reason = became, ""
        remark(operation.location, f"{finding.kind} fused: {became}")

    def refused(self, finding: Finding, operation: ir.Operation, reason: str) -> None:
        """Record why; the first reason given stays, later ones become notes."""
        if not finding.reason:
            finding.reason = reason
            remark(operation.location, f"{finding.kind} not fused: {reason}")
        elif reason != finding.reason:
            finding.notes.append(reason)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings.values())


_current: list[Report] = []


@contextlib.contextmanager
def reporting(report: Report) -> Iterator[Report]:
    """Passes run inside write into `report`."""
    _current.append(report)
    try:
        yield report
    finally:
        _current.remove(report)


def current() -> Report:
    """The report being written; a throw-away one for a pass that runs alone."""
    return _current[-1] if _current else Report()


def node_of(operation: ir.Operation) -> str:
    """The FX node name an op carries, else its printed location."""
    attributes = operation.attributes
    for key in ("sparse_attn.site", "sparse_attn.node"):
        if key in attributes:
            return attributes[key].value
    return str(operation.location)


_FILE = re.compile(r'"([^"]*)":(\d+):')


def place(location: ir.Location) -> str:
    """`file.py:123` of the innermost user frame of a location."""
    found = _FILE.findall(str(location))
    if not found:
        return "unknown place"
    file, line = next((f for f in found if "/torch/" not in f[0]), found[0])
    return f"{file.rsplit('/', 1)[-1]}:{line}" if file not in ("", "-") else f"input:{line}"
