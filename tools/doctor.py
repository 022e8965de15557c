"""`sparse-attn doctor`: versions, MLIR bindings, host kernels, devices and vendor packages of this machine.

Each check runs in an interpreter of its own, so that one that crashes is a finding. Exit code 1 when something the
compiler needs is missing or wrong; an absent NPU or vendor package is no fault.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from dataclasses import dataclass

SECONDS = 120
CHECKS = ("versions", "bindings", "host", "backend", "npu", "vendors")
"""Functions of `doctor_checks`, in the order they are shown."""


@dataclass(frozen=True)
class Line:
    """One fact: `state` is ok, info or bad."""

    state: str
    text: str

    def __str__(self) -> str:
        return f"{self.state:<4}  {self.text}"


def parser() -> argparse.ArgumentParser:
    """The command line."""
    return argparse.ArgumentParser(
        prog="sparse-attn doctor",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def run(options: argparse.Namespace) -> int:
    """Run every check, print what each found."""
    from .diagnostics import printable

    bad = 0
    for name in CHECKS:
        print(f"{name}")
        for line in lines_of(name):
            print(f"  {printable(str(line))}", flush=True)
            bad += line.state == "bad"
    print("\nall well" if not bad else f"\n{bad} thing{'s' if bad > 1 else ''} to repair: see the lines marked bad")
    return 1 if bad else 0


def lines_of(name: str, seconds: float = SECONDS) -> list[Line]:
    """What the check `name` prints in a process of its own; a crash, an error or silence is one bad line."""
    command = [sys.executable, "-m", f"{__package__}.doctor_checks", name]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=seconds, errors="replace")
    except subprocess.TimeoutExpired:
        return [Line("bad", f"the check did not end within {seconds:g} s")]
    found = [Line(*text.split("\t", 2)[1:]) for text in done.stdout.splitlines() if text.startswith("doctor\t")]
    if done.returncode < 0:
        found.append(Line("bad", f"the check crashed with signal {-done.returncode}"))
    elif done.returncode > 0 or not found:
        last = (done.stderr.strip().splitlines() or ["it printed nothing"])[-1]
        found.append(Line("bad", f"the check failed: {last}"))
    return found
