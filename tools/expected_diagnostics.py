"""Comments that say which diagnostics a file must give, as MLIR tests write them.

// expected-error@+1 {{part of the message}}
// expected-remark@below {{...}}        also @above, @-2, @unknown; without @: the comment's own line
// expected-error-re@+1 {{dim {{[0-9]+}} is odd}}
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from .diagnostics import Diagnostic

_COMMENT = re.compile(
    r"expected-(?P<severity>error|warning|remark|note)(?P<regex>-re)?\s*"
    r"(?:@(?P<place>[+-]\d+|above|below|unknown))?\s*\{\{(?P<text>.*)\}\}\s*$"
)


@dataclass(frozen=True)
class Expectation:
    """A diagnostic that must appear at `line` (0: at no known place); `line_of_comment` is where that is written."""

    severity: str
    line: int
    pattern: re.Pattern[str]
    text: str
    line_of_comment: int

    def meets(self, diagnostic: Diagnostic) -> bool:
        """Whether a diagnostic is the one expected."""
        same_place = (self.severity, self.line) == (diagnostic.severity, diagnostic.line)
        return same_place and bool(self.pattern.search(diagnostic.message))


def expectations(lines: list[str]) -> list[Expectation]:
    """The expectations written in a file."""
    found = []
    for number, line in enumerate(lines, start=1):
        if match := _COMMENT.search(line):
            text = match["text"]
            pattern = _pattern(text) if match["regex"] else re.compile(re.escape(text))
            found.append(Expectation(match["severity"], _line(match["place"], number), pattern, text, number))
    return found


def mismatches(lines: list[str], diagnostics: Iterable[Diagnostic], file: str) -> list[Diagnostic]:
    """What is wrong: diagnostics nobody expects, expectations nobody meets. Each meets one expectation at most."""
    open_ones = expectations(lines)
    problems = []
    for diagnostic in diagnostics:
        met = next((expectation for expectation in open_ones if expectation.meets(diagnostic)), None)
        if met:
            open_ones.remove(met)
        else:
            message = f"unexpected {diagnostic.severity}: {diagnostic.message}"
            problems.append(Diagnostic("error", diagnostic.file, diagnostic.line, diagnostic.column, message))
    for expectation in open_ones:
        message = f'expected {expectation.severity} "{expectation.text}" was not produced'
        problems.append(Diagnostic("error", file, expectation.line_of_comment, 1, message))
    return problems


def _line(place: str | None, number: int) -> int:
    if place == "unknown":
        return 0
    return number + int({"above": "-1", "below": "+1"}.get(place or "", place or "0"))


def _pattern(text: str) -> re.Pattern[str]:
    """Plain text with regular expressions in double braces."""
    parts = re.split(r"\{\{(.*?)\}\}", text)
    return re.compile("".join(part if index % 2 else re.escape(part) for index, part in enumerate(parts)))
