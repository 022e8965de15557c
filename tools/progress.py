"""A progress bar in plain text: redrawn on a terminal, one line at the end elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TextIO

WIDTH = 30


class Progress:
    """Shows how many of `steps` are done while its block runs."""

    def __init__(self, title: str, steps: int, stream: TextIO | None = None) -> None:
        self.title, self.steps, self.done, self.note = title, steps, 0, ""
        self.stream = stream if stream is not None else sys.stdout
        self._terminal = self.stream.isatty()
        self._drawn = 0
        self._start = time.perf_counter()

    def __enter__(self) -> Progress:
        self._draw()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, stack: TracebackType | None
    ) -> None:
        self._finish("done" if error is None else "stopped")

    def step(self, note: str = "") -> None:
        """One more is done; `note` says what."""
        self.done, self.note = min(self.done + 1, self.steps), note
        self._draw()

    def line(self) -> str:
        """The bar as it stands."""
        full = WIDTH * self.done // max(self.steps, 1)
        return f"{self.title} [{'#' * full}{'.' * (WIDTH - full)}] {self.done}/{self.steps} {self.note}".rstrip()

    def _draw(self) -> None:
        if self._terminal:
            self._write(self.line())

    def _finish(self, word: str) -> None:
        self.note = f"{word} in {time.perf_counter() - self._start:.1f} s"
        if self._terminal:
            self._write(self.line())
            self.stream.write("\n")
        else:
            self.stream.write(f"{self.title}: {self.done} of {self.steps} steps, {self.note}\n")
        self.stream.flush()

    def _write(self, line: str) -> None:
        self.stream.write("\r" + line.ljust(self._drawn))
        self.stream.flush()
        self._drawn = len(line)
