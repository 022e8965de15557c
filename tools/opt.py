"""`sparse-attn-opt`: reads MLIR, runs passes written in Python or C++, prints MLIR.

    sparse-attn-opt input.mlir --pass-pipeline="builtin.module(sparse-attn-verify,func.func(cse))"

The input is read in a child process: MLIR's parser may crash on text that is not well formed, and a crash becomes a
diagnostic. Exit code 0 means success, 1 that something was reported.
"""

import argparse
import sys
from collections.abc import Sequence

from .child import run_in_child


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(prog="sparse-attn-opt", description="Run passes over MLIR.", allow_abbrev=False)
    made.add_argument("input", nargs="?", default="-", help="MLIR text or bytecode; - for standard input")
    made.add_argument("-o", dest="output", default="-", metavar="FILE", help="where to write; only on success")
    made.add_argument("--pass-pipeline", default="builtin.module()", help="such as builtin.module(sparse-attn-verify)")
    made.add_argument("--list-passes", action="store_true", help="list our passes and their options, then stop")
    made.add_argument("--split-input-file", action="store_true", help='lines "// -----" part independent inputs')
    made.add_argument("--verify-diagnostics", action="store_true", help="compare with expected-error comments")
    made.add_argument("--allow-unregistered-dialect", action="store_true", help="accept operations nobody defines")
    made.add_argument("--mlir-print-ir-before", default="", metavar="PASSES", help="print before these passes")
    made.add_argument("--mlir-print-ir-after", default="", metavar="PASSES", help="print after these passes")
    made.add_argument("--mlir-print-ir-before-all", action="store_true", help="print before every pass")
    made.add_argument("--mlir-print-ir-after-all", action="store_true", help="print after every pass")
    made.add_argument("--mlir-print-debuginfo", action="store_true", help="print locations")
    made.add_argument("--mlir-print-op-generic", action="store_true", help="print every operation in generic form")
    made.add_argument("--traceback", action="store_true", help="print the Python stack of an internal error in a pass")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tool; the answer is the exit code."""
    options = parser().parse_args(arguments)

    def work(enter_phase):
        from . import opt_work  # imports MLIR, which the parent stays free of

        return opt_work.run(options, enter_phase)

    return run_in_child(work, "<stdin>" if options.input == "-" else options.input, options.traceback)


if __name__ == "__main__":
    sys.exit(main())
