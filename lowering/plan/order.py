"""The order of tasks: plans before the kernels that read them and as early as they can be, writes before reads."""

from __future__ import annotations

from .program import Program, Task


def behind(program: Program, task: Task) -> Task | None:
    """The last task that must come before `task`, of those that do now; None when it may be the first.

    A plan may move right behind it: plans are made on another unit than the kernels run on, so that their work can be
    over when the first kernel asks.
    """
    place = program.tasks.index(task)
    return next((earlier for earlier in reversed(program.tasks[:place]) if must_follow(task, earlier)), None)


def must_follow(later: Task, earlier: Task) -> bool:
    """`later` reads or writes what `earlier` makes or writes, or writes what it reads, or waits for it."""
    made = {*earlier.writes, *earlier.results}
    return bool(
        made.intersection((*later.reads, *later.writes))
        or set(later.writes).intersection(earlier.reads)
        or earlier.name in later.waits
    )
