"""What this thread is doing: capturing, or warming up."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator

CAPTURE_LOCK = threading.RLock()
"""One capture at a time: allocations of another thread would end up in the graph's pool."""

_state = threading.local()


def capturing() -> bool:
    """A capture of ours runs on this thread."""
    return getattr(_state, "capturing", False)


def is_warming() -> bool:
    """Calls of this thread are to leave caches as they were."""
    return getattr(_state, "warming", False)


@contextlib.contextmanager
def _set(name: str) -> Iterator[None]:
    before = getattr(_state, name, False)
    setattr(_state, name, True)
    try:
        yield
    finally:
        setattr(_state, name, before)


@contextlib.contextmanager
def capture() -> Iterator[None]:
    """Around a capture."""
    with CAPTURE_LOCK, _set("capturing"):
        yield


def warming() -> contextlib.AbstractContextManager[None]:
    """Calls inside capture what they need and leave every cache as it was: made before the first request."""
    return _set("warming")
