"""`make vectors`: recorded calls of published operators through the torch operators, as a table.

    python -m sparse_attn.tools.vectors [folder]

The folder comes from the command line, from SPARSE_ATTN_VECTORS, or is ../shared/vectors. Columns: recorded cases,
those that passed, those whose first result is equal bit by bit, the largest difference as a share of the allowed one,
and cases that a document forbids and the checks of a 950 name (the host computes them all the same).
Exit code 1 when a case fails or the folder is missing.
"""

from __future__ import annotations

import os
import pathlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field

from .vector_files import VARIABLE, Vector, vector_paths

HEADS = ("operator", "cases", "passed", "exact", "worst error", "refused as documented")


@dataclass
class Tally:
    """The figures of one operator."""

    cases: int = 0
    passed: int = 0
    exact: int = 0
    error: float = 0.0
    refused: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def tally(paths: Sequence[pathlib.Path]) -> dict[str, Tally]:
    """Run every case; the figures by operator, in the order of the paths."""
    from .vector_calls import check  # loads torch, which a missing folder does not need

    tallies: dict[str, Tally] = {}
    for path in paths:
        vector = Vector.load(path)
        outcome, each = check(vector), tallies.setdefault(vector.op, Tally())
        each.cases += 1
        each.error = max(each.error, outcome.error)
        if outcome.refused:
            each.refused.append(f"{vector.case} [{outcome.refused}]")
        if outcome.problem is not None:
            each.problems.append(f"{vector.op}/{vector.case}: {outcome.problem}")
            continue
        each.passed += 1
        each.exact += outcome.exact
    return tallies


def table(tallies: dict[str, Tally]) -> str:
    """The figures as aligned text, the sums in the last line."""
    rows: list[tuple[str, ...]] = [HEADS]
    for name, each in tallies.items():
        refused = f"{len(each.refused)}: {', '.join(each.refused)}" if each.refused else "0"
        rows.append((name, str(each.cases), str(each.passed), str(each.exact), f"{each.error:.3f}", refused))
    sums = [sum(getattr(each, name) for each in tallies.values()) for name in ("cases", "passed", "exact")]
    worst = max((each.error for each in tallies.values()), default=0.0)
    refusals = sum(len(each.refused) for each in tallies.values())
    rows.append(("all", *map(str, sums), f"{worst:.3f}", str(refusals)))
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADS))]
    lines = (
        [row[0].ljust(widths[0]), *(cell.rjust(w) for cell, w in zip(row[1:5], widths[1:5], strict=True)), row[5]]
        for row in rows
    )
    return "\n".join("  ".join(line).rstrip() for line in lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; the answer is the exit code."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    if given:
        os.environ[VARIABLE] = given[0]
    try:
        paths, problem = vector_paths(pathlib.Path.cwd())
    except FileNotFoundError as error:
        paths, problem = [], str(error)
    if not paths:
        print(f"error: {problem}", file=sys.stderr)
        return 1
    tallies = tally(paths)
    print(table(tallies))
    problems = [problem for each in tallies.values() for problem in each.problems]
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
