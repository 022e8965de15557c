"""`sparse-attn explain`: compiles a call of yours and shows every candidate, what it became, or why it did not.

    sparse-attn explain my_model:example --target ascend950

`example()` returns (callable, args, kwargs). The call runs once, without gradients. For a target whose chip is not
here the graphs are compiled and explained, and the call itself is done by the operations that were captured.
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections.abc import Callable, Sequence
from typing import Any

from .errors import UserError
from .files import write_whole

TARGETS = ("host", "ascend950", "a3", "a2")
RECOMPILES = 64
"""Graphs per function; models whose caches grow need more than torch's default of 8."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(prog="sparse-attn explain", description=__doc__, allow_abbrev=False)
    made.formatter_class = argparse.RawDescriptionHelpFormatter
    made.add_argument("function", metavar="MODULE:FUNCTION", help="or FILE.py:FUNCTION")
    made.add_argument("--target", choices=TARGETS, default="host", help="whose kernels are chosen (default: host)")
    made.add_argument("--inner", choices=("eager", "inductor"), default="eager", help="who runs the compiled graph")
    made.add_argument("--accept-ranking", choices=("exact", "bf16"), default="exact")
    made.add_argument("--assume", action="append", default=[], choices=("contiguous_positions",), help="a promise")
    made.add_argument("--json", metavar="FILE", help="also write the explanation as JSON, for sparse-attn report")
    made.add_argument("--traceback", action="store_true", help="print the stack of an error in your code")
    return made


def run(options: argparse.Namespace) -> int:
    """Explain one call."""
    from . import explain_load

    try:
        call = explain_load.call_of(options.function)
        explanation = explained(call, options.target, chosen(options))
    except UserError as error:
        if options.traceback and error.__cause__ is not None:
            traceback.print_exception(error.__cause__)
        raise
    from .report_json import to_json
    from .report_text import text

    sys.stdout.write(text(explanation))
    if options.json:
        try:
            write_whole(options.json, to_json(explanation))
        except OSError as error:
            raise UserError(f"cannot write {options.json}: {error.strerror}") from None
    return 0


def chosen(options: argparse.Namespace) -> dict[str, Any]:
    """The backend's options of a command line."""
    return {"inner": options.inner, "accept_ranking": options.accept_ranking, "assume": tuple(options.assume)}


def explained(call: tuple[Callable[..., Any], Sequence[Any], dict[str, Any]], target: str, options: Any = None) -> Any:
    """The Explanation of one call, a (callable, args, kwargs). Raises UserError when the call itself fails."""
    import torch

    from sparse_attn.backend import collecting

    from .report_json import Explanation

    function, args, kwargs = call
    backend = compiler(target, runnable(target), options)
    with collecting() as reports, torch.no_grad():
        try:
            torch.compile(function, backend=backend, recompile_limit=RECOMPILES)(*args, **kwargs)
        except Exception as error:
            text = str(error).strip().splitlines() or [""]
            raise UserError(f"the call failed with {type(error).__name__}: {text[0]}") from error
    return Explanation(target, reports)


def compiler(target: str, run_it: bool, options: Any = None) -> Callable[..., Any]:
    """The backend with its options, as a function: it needs no installed entry point.

    Without `run_it` every graph is compiled, and what runs is the graph as torch captured it.
    """
    from sparse_attn.backend import sparse_attn

    def compile_graph(module: Any, inputs: Sequence[Any]) -> Any:
        compiled = sparse_attn(module, inputs, options={**(options or {}), "target": target})
        return compiled if run_it else module.forward

    return compile_graph


def runnable(target: str) -> bool:
    """Whether this machine can execute what is made for a target."""
    if target == "host":
        return True
    import torch

    from sparse_attn.device import target_of_npu

    return bool(getattr(torch, "npu", None)) and torch.npu.is_available() and target_of_npu() == target
