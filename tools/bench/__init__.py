"""`sparse-attn bench`: the operators against other ways to compute the same, and where compile time goes.

Every peer gets the same inputs and threads as the operator, its result is compared, and the two are timed in turn. A
peer that is expected to pass 30 s or 8 GB is not run and the reason is printed. The limit is the best rate of a large
torch.mm in the same run, or the rate at which memory is read, whichever takes longer for the work.
"""

from __future__ import annotations

import argparse

from ..errors import UserError

LEVELS = ("quick", "standard", "full")


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(prog="sparse-attn bench", description=__doc__, allow_abbrev=False)
    made.formatter_class = argparse.RawDescriptionHelpFormatter
    level = made.add_mutually_exclusive_group()
    level.add_argument("--quick", dest="level", action="store_const", const="quick", help="under two minutes")
    level.add_argument("--full", dest="level", action="store_const", const="full", help="8k and 32k tokens too")
    made.set_defaults(level="standard")
    made.add_argument("--only", default="", metavar="TEXT", help="only measurements whose name holds this")
    made.add_argument("--dtype", choices=("fp32", "bf16", "both"), help="default: fp32 for --quick, else both")
    made.add_argument("--json", default="", metavar="FILE", help="also write every number there")
    return made


def run(options: argparse.Namespace) -> int:
    """Measure, print as results come, write the JSON at the end."""
    import torch

    from ..files import write_whole
    from . import output, suite

    dtypes = {"fp32": (torch.float32,), "bf16": (torch.bfloat16,), "both": (torch.float32, torch.bfloat16)}
    chosen = options.dtype or ("fp32" if options.level == "quick" else "both")
    with torch.inference_mode(False), torch.no_grad():
        results = suite.run(options.level, options.only, dtypes[chosen], lambda text: print(text, flush=True))
    if not any(results[kind] for kind in ("measurements", "facts", "compilations")):
        raise UserError(f"no measurement's name holds {options.only!r}; run without --only to see the names")
    if options.json:
        try:
            write_whole(options.json, output.to_json(results))
        except OSError as error:
            raise UserError(f"cannot write {options.json}: {error.strerror}") from None
    return 0
