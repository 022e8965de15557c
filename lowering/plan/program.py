"""The program that is to be captured, as the planner sees it: tasks in launch order over named buffers.

Torch stays outside: the border describes a torch graph in these words, and a test can write a program by hand.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

LIVES = ("init_once", "rewritten", "scratch")


@dataclasses.dataclass(frozen=True)
class Buffer:
    """Memory whose address a graph holds.

    `life`: "init_once" (weights and caches: the caller's own memory, read where it lies), "rewritten" (inputs, copied
    in before each replay) or "scratch" (made by the graph). `mutated`: tasks write into it. `held`: the graph keeps it
    alive. `dummy`: the value of its rows that no request owns.
    """

    name: str
    life: str
    shape: tuple[int | str, ...] = ()
    dtype: str = ""
    mutated: bool = False
    held: bool = True
    dummy: int | float = 0

    def __str__(self) -> str:
        sizes = "x".join(map(str, (*self.shape, self.dtype))) if self.dtype else "?"
        return f"{self.name} ({sizes}{', mutated' if self.mutated else ''})"


@dataclasses.dataclass(frozen=True)
class Task:
    """One call of an operator.

    `operator` is its qualified name, `place` the user's file:line, `reads` and `writes` the buffers it touches,
    `results` the buffers it makes. `host_lists` are arguments that are lists of host numbers which describe data.
    `waits` are tasks of other streams that end before it begins. The rest says what the operator does besides
    computing: read a device value on the host, give a size that depends on values, draw random numbers, copy between
    devices, branch on a tensor, capture a graph of its own, make a plan for kernels.
    """

    name: str
    operator: str
    place: str = "unknown place"
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    host_lists: tuple[str, ...] = ()
    updatable: bool = False
    stream: int = 0
    waits: tuple[str, ...] = ()
    reads_host: bool = False
    sized_by_data: bool = False
    random: bool = False
    crosses_devices: bool = False
    branches: bool = False
    captures: bool = False
    plans: bool = False


@dataclasses.dataclass(frozen=True)
class Program:
    """Tasks in launch order, their buffers by name, what is returned, and how many graphs will be made of it."""

    tasks: tuple[Task, ...]
    buffers: dict[str, Buffer]
    outputs: tuple[str, ...] = ()
    graphs: int = 1
    inside_capture: bool = False

    @property
    def streams(self) -> int:
        """Streams the tasks are put on; the one that captures counts."""
        return len({0, *(task.stream for task in self.tasks)})

    def of_life(self, life: str) -> Iterator[Buffer]:
        """The buffers of one of LIVES, in order of first use."""
        return (buffer for buffer in self.buffers.values() if buffer.life == life)
