"""A reason against capture: where, what, and what to do."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

from ..program import Program, Task


@dataclasses.dataclass(frozen=True)
class Refusal:
    """`rule` is the name of the rule, `task` the name of the task at fault ("" when it is the program as a whole)."""

    rule: str
    place: str
    what: str
    instead: str
    task: str = ""

    def __str__(self) -> str:
        return f"{self.place}: cannot be captured: {self.what}; {self.instead} [{self.rule}]"


def of_tasks(
    rule: str, program: Program, at_fault: Callable[[Task], bool], what: Callable[[Task], str], instead: str
) -> Iterator[Refusal]:
    """A refusal for every task at fault."""
    for task in program.tasks:
        if at_fault(task):
            yield Refusal(rule, task.place, what(task), instead, task.name)
