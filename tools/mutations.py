"""`make mutations`: breaks the arithmetic of the host kernels on purpose; the tests must notice every time.

    python -m sparse_attn.tools.mutations [name ...]

Runs in a checkout, on a copy of the sources in build/mutations: one mutation at a time is applied, what depends on it
is rebuilt, and its tests run with SPARSE_ATTN_HOST_LIBRARY naming the result. Recorded vectors and slow tests take no
part.
Exit code 1 when a mutation survives, does not build, or when the text that it replaces has changed.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence

from sparse_attn.lowering.host.library import LIBRARY_NAME, LIBRARY_VARIABLE

from .errors import UserError
from .mutation_list import HOST, MUTATIONS, TESTS, Mutation

TARGET = "sparse_attn_host"  # the only one whose sources are in the copy; the others are read by CMake alone
READ = ("dialect/irdl.cmake", "python/sparse_attn/ops/shim", *(f"{TESTS}/every_set.{end}" for end in ("cmake", "cpp")))
BUILT = ("CMakeLists.txt", "lowering/host/include", HOST, *READ)

Run = Callable[[list[str], dict[str, str]], int]


def copy_sources(checkout: pathlib.Path, scratch: pathlib.Path) -> None:
    """Make the copy equal to the checkout. Files that are equal keep their time, so that only the rest is rebuilt."""
    wanted = {file.relative_to(checkout) for top in BUILT for file in _files(checkout / top)}
    for file in wanted:
        target = scratch / file
        if not target.exists() or target.read_bytes() != (checkout / file).read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(checkout / file, target)
    for file in [file for top in BUILT for file in _files(scratch / top) if file.relative_to(scratch) not in wanted]:
        file.unlink()


def _files(path: pathlib.Path) -> list[pathlib.Path]:
    return [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]


class Bench:
    """The scratch folder: a copy of the sources and the library built from it."""

    def __init__(self, checkout: pathlib.Path, scratch: pathlib.Path, run: Run, jobs: int = 1) -> None:
        self.checkout, self.run, self.jobs = checkout, run, jobs
        self.source, self.build = scratch / "source", scratch / "build"
        self.library = self.build / LIBRARY_NAME

    def make(self, mutation: Mutation | None = None) -> None:
        """Build the library with one mutation or none. Raises UserError when that fails."""
        copy_sources(self.checkout, self.source)
        if mutation is not None:
            file = self.source / HOST / mutation.file
            file.write_text(mutation.apply(file.read_text()))
        if not (self.build / "CMakeCache.txt").exists():
            generator = ["-G", "Ninja"] if shutil.which("ninja") else []
            self._must(["cmake", "-S", str(self.source), "-B", str(self.build), *generator], "cmake does not configure")
        name = mutation.name if mutation else "the sources as they are"
        build = ["cmake", "--build", str(self.build), "--target", TARGET, "--parallel", str(self.jobs)]
        self._must(build, f"{name}: no build")

    def _must(self, command: list[str], problem: str) -> None:
        if code := self.run(command, {}):
            raise UserError(f"{problem}: `{' '.join(command)}` ends with {code}")

    def notices(self, tests: Iterable[str]) -> bool:
        """Whether a test fails (or the process of the tests dies). Raises UserError when tests cannot run."""
        files = [f"{TESTS}/{name}.py" for name in tests]
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "not slow and not vectors", *files]
        code = self.run(command, {LIBRARY_VARIABLE: str(self.library)})
        if code > 1:  # interrupted, misused, or nothing collected
            raise UserError(f"the tests do not run: `{' '.join(command)}` ends with {code}")
        return code != 0


def survivors(bench: Bench, mutations: Sequence[Mutation]) -> list[str]:
    """Try every mutation and print how it went; the answer names those nobody noticed.

    Raises UserError when a mutation cannot be tried, or when the tests fail without one.
    """
    for mutation in mutations:  # before the long part
        try:
            mutation.apply((bench.checkout / HOST / mutation.file).read_text())
        except (ValueError, OSError) as error:
            raise UserError(str(error)) from None
    bench.make()
    if bench.notices(sorted({test for mutation in mutations for test in mutation.tests})):
        raise UserError("the tests fail without any mutation: repair that first")
    alive = []
    for mutation in mutations:
        bench.make(mutation)
        killed = bench.notices(mutation.tests)
        print(f"{'killed  ' if killed else 'SURVIVED'}  {mutation.name}", flush=True)
        alive += [] if killed else [mutation.name]
    return alive


def run_quietly(command: list[str], variables: dict[str, str]) -> int:
    """Run a command in the current folder; its output is shown only when it could not do its work."""
    done = subprocess.run(command, check=False, capture_output=True, text=True, env={**os.environ, **variables})
    if done.returncode > 1 or (done.returncode == 1 and "pytest" not in command):
        print(done.stdout[-3000:] + done.stderr[-3000:], file=sys.stderr)
    return done.returncode


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(prog="python -m sparse_attn.tools.mutations", description=__doc__.split("\n")[0])
    made.add_argument("names", nargs="*", help="mutations to try; all without a name", metavar="name")
    made.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="compilers at a time (%(default)s)")
    made.add_argument("--list", action="store_true", help="print the names and stop")
    return made


def main(arguments: Sequence[str] | None = None, run: Run = run_quietly) -> int:
    """Print killed or survived for every mutation; the answer is the exit code."""
    options = parser().parse_args(arguments)
    known = {mutation.name: mutation for mutation in MUTATIONS}
    if options.list:
        print("\n".join(known))
        return 0
    checkout = pathlib.Path.cwd()
    try:
        if unknown := [name for name in options.names if name not in known]:
            raise UserError(f"no mutation is called {', '.join(unknown)}: --list prints the names")
        if not (checkout / HOST).is_dir():
            raise UserError(f"{checkout} is no checkout: run this where {HOST} is")
        bench = Bench(checkout, checkout / "build" / "mutations", run, options.jobs)
        chosen = [known[name] for name in options.names] or list(MUTATIONS)
        alive = survivors(bench, chosen)
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"{len(chosen) - len(alive)} of {len(chosen)} mutations are noticed")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
