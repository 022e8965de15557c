"""Runs one generation in a process of its own.

A server that has imported torch and the models forks the processes, so that none of them imports anything again and all
start from the same memory.
"""

from __future__ import annotations

import functools
import multiprocessing
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from .errors import UserError

PRELOADED = ["torch", "torch._dynamo", "sparse_attn.backend", "sparse_attn.tools.tiny_models_import"]


class RunFailed(UserError):
    """The process of a run ended without an outcome; says how."""


def outcome(name: str, who: str, seed: int, step: Callable[[str], None]) -> dict[str, Any]:
    """What `demo_run.generate` answers; `step` is called for every token. Raises RunFailed."""
    return in_process(_generate, (name, who, seed), step)


def in_process(work: Callable[..., Any], args: tuple[Any, ...], step: Callable[[str], None]) -> Any:
    """The answer of `work(tell, *args)` in a new process; what it tells goes to `step`."""
    context = _context()
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(theirs, work, args))
    process.start()
    theirs.close()
    try:
        while True:
            kind, value = ours.recv()
            if kind == "answer":
                return value
            if kind == "error":
                raise RunFailed(value)
            step(value)
    except EOFError:
        process.join()
        raise RunFailed(f"the process ended with exit code {process.exitcode} and no answer") from None
    finally:
        ours.close()
        process.join()


@functools.cache
def _context() -> Any:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    return context


def _answer(connection: Connection, work: Callable[..., Any], args: tuple[Any, ...]) -> None:
    try:
        connection.send(("answer", work(lambda note: connection.send(("step", note)), *args)))
    except Exception as error:
        connection.send(("error", f"{type(error).__name__}: {error}"))
    finally:
        connection.close()


def _generate(tell: Callable[[str], None], name: str, who: str, seed: int) -> dict[str, Any]:
    from .demo_run import generate

    return generate(tell, name, who, seed)
