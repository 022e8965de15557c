"""How much memory a call takes for a moment, as the system counts it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

STATUS = Path("/proc/self/status")
SECONDS_BETWEEN = 0.002


def extra(call: Callable[[], Any]) -> float:
    """Bytes of resident memory at the peak of a call, above what was there before and what its results take."""
    before, peak, done = resident(), 0.0, threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.is_set():
            peak = max(peak, resident())
            time.sleep(SECONDS_BETWEEN)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        made = call()
    finally:
        done.set()
        watcher.join()
    results = made if isinstance(made, tuple) else (made,)
    kept = sum(result.nbytes for result in results if isinstance(result, torch.Tensor))
    return max(max(peak, resident()) - before - kept, 0.0)


def resident() -> float:
    """Bytes of this process that are in memory."""
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmRSS:"))
    return float(line.split()[1]) * 1024
