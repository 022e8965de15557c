"""`sparse-attn demo`: small DeepSeek models, compiled and compared with eager.

The models are the unmodified classes of transformers with random weights. Each generates greedily from a random prompt,
once in eager and once through torch.compile(backend="sparse_attn"), in a process of its own so that the peaks of memory
can be compared. Exit code 1 when a token differs, or when a place that should have fused did not.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from typing import Any

from .demo_cases import CASES, Case
from .errors import UserError
from .progress import Progress

NPU = "ascend950"
EXCERPT = 4
"""Lines of an explanation that are shown for each model and target."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(prog="sparse-attn demo", description=__doc__, allow_abbrev=False)
    made.formatter_class = argparse.RawDescriptionHelpFormatter
    made.add_argument("--case", action="append", choices=[case.name for case in CASES], help="only this one")
    made.add_argument("--seed", type=int, default=20, help="of weights and prompt (default: 20)")
    return made


def run(options: argparse.Namespace) -> int:
    """Run every case, judge, show."""
    if importlib.util.find_spec("transformers") is None:
        raise UserError("the demo needs transformers: pip install 'sparse-attn-mlir[demo]', or make demo")
    from . import demo_text

    started = time.perf_counter()
    cases = [case for case in CASES if not options.case or case.name in options.case]
    print(demo_text.introduction(cases, options.seed), flush=True)
    problems = []
    for case in cases:
        found = run_case(case, options.seed)
        wrong = case.problems(found["eager"], found["sparse_attn"])
        print(demo_text.outcome(case, found, wrong, NPU, EXCERPT), flush=True)
        problems += [f"{case.name}: {problem}" for problem in wrong]
    print(demo_text.verdict(problems, time.perf_counter() - started))
    return 1 if problems else 0


def run_case(case: Case, seed: int) -> dict[str, Any]:
    """The outcomes of a case by who ran it: eager, sparse_attn, and the compilation for an NPU (explained, not run)."""
    from .demo_processes import outcome

    steps = 2 * (case.steps + 1) + 1
    with Progress(case.title, steps) as progress:
        return {who: outcome(case.name, who, seed, progress.step) for who in ("eager", "sparse_attn", NPU)}
