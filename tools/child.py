"""Work on untrusted input in a child process: whatever crashes there becomes a diagnostic here."""

import mmap
import os
import resource
import signal
import sys
import traceback
from collections.abc import Callable

_PHASE_BYTES = 4096

Work = Callable[[Callable[[str], None]], int]
"""Gets a function to tell its current phase to ("parsing the input"), returns an exit code."""


class Phase:
    """What the child is doing, kept where the parent can read it after a crash."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, _PHASE_BYTES)

    def enter(self, text: str) -> None:
        self._memory[:] = text.encode()[: _PHASE_BYTES - 1].ljust(_PHASE_BYTES, b"\0")

    def __str__(self) -> str:
        return self._memory[:].rstrip(b"\0").decode(errors="replace")


def run_in_child(work: Work, name: str, with_traceback: bool = False) -> int:
    """Run `work` in a forked child; the answer is its exit code, or 1 with a diagnostic about `name` when it crashed.

    The caller must be single-threaded and should not have imported MLIR: `work` imports what it needs.
    """
    phase = Phase()
    phase.enter("starting")
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        os._exit(_guarded(work, phase, with_traceback))
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        return os.waitstatus_to_exitcode(status)
    crash = signal.Signals(os.WTERMSIG(status)).name
    print(f"{name}: error: MLIR crashed ({crash}) while {phase}; the input may be malformed", file=sys.stderr)
    return 1


def _guarded(work: Work, phase: Phase, with_traceback: bool) -> int:
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        code = work(phase.enter)
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:  # whoever reads our output has seen enough
        return 1
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if with_traceback:
            traceback.print_exc()
        print(f"internal error while {phase}, {type(error).__name__}: {error}", file=sys.stderr, flush=True)
        return 1
    return code
