"""Diagnostics of a tool that reads IR: collected from MLIR and from passes, printed with the line they point at."""

import re
from dataclasses import dataclass

from torch_mlir import ir

_PLACE = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')
_CURRENT_OPERATION = "see current operation"


@dataclass(frozen=True)
class Diagnostic:
    """One message; line and column count from 1, and are 0 where the place is unknown."""

    severity: str  # "error", "warning", "remark" or "note"
    file: str
    line: int
    column: int
    message: str

    def text(self, source: list[str]) -> str:
        """The message as a compiler prints it, with the source line and a caret when the line is in `source`."""
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        head = printable(f"{place}: {self.severity}: {self.message}")
        if not 0 < self.line <= len(source):
            return head
        line = printable(source[self.line - 1])
        margin = "".join("\t" if character == "\t" else " " for character in line[: max(self.column - 1, 0)])
        return f"{head}\n{line}\n{margin}^"


class Sink:
    """Collects the diagnostics of one context. MLIR calls text without a name "-": it is shown as `name`."""

    def __init__(self, context: ir.Context, name: str) -> None:
        self.name = name
        self.found: list[Diagnostic] = []
        context.emit_error_diagnostics = True  # else Python bindings turn errors into exceptions only
        self._handler = context.attach_diagnostic_handler(self._receive)

    @property
    def failed(self) -> bool:
        return any(diagnostic.severity == "error" for diagnostic in self.found)

    def add(self, severity: str, location: ir.Location | None, message: str) -> None:
        """Enter a message of our own."""
        place = _PLACE.search(str(location)) if location is not None else None
        file, line, column = place.groups() if place else (self.name, 0, 0)
        file = self.name if file == "-" else file
        self.found.append(Diagnostic(severity, file, int(line), int(column), message))

    def close(self) -> None:
        """Stop listening; must be called before the context goes."""
        self._handler.detach()

    def _receive(self, diagnostic: ir.Diagnostic) -> bool:
        self.add(diagnostic.severity.name.lower(), diagnostic.location, diagnostic.message)
        for note in diagnostic.notes:
            if not note.message.startswith(_CURRENT_OPERATION):
                self.add("note", note.location, note.message)
        return True


def printable(text: str) -> str:
    """Text that cannot steer a terminal: other control characters than tab and newline become a replacement mark."""
    return "".join(each if each.isprintable() or each in "\t\n" else "\ufffd" for each in text)
