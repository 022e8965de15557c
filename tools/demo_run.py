"""One generation: a prompt, then greedy tokens, in eager or compiled; times and the peak of memory."""

from __future__ import annotations

import resource
import time
import warnings
from collections.abc import Callable
from typing import Any

from . import tiny_models
from .demo_cases import PROMPT, Case, case_of
from .explain import RECOMPILES, compiler, runnable

MEBIBYTE = 1024
"""In units of what the system reports as a peak (KiB)."""


def generate(tell: Callable[[str], None], name: str, who: str, seed: int) -> dict[str, Any]:
    """Tokens, seconds of every step, graphs made after it, growth of the peak of memory in MiB, and the reports.

    `who` is "eager", "sparse_attn" or a target whose chip need not be here: then only the prompt's graph is made.
    """
    import torch

    from sparse_attn.backend import collecting

    warnings.filterwarnings("ignore", category=FutureWarning)
    case = case_of(name)
    model = getattr(tiny_models, case.model)(case.layers, seed)
    call, steps = model, case.steps
    if who != "eager":
        target = "host" if who == "sparse_attn" else who
        call = torch.compile(model, backend=compiler(target, runnable(target)), recompile_limit=RECOMPILES)
        steps = case.steps if target == "host" else 0
    before = _peak()
    with collecting() as graphs, torch.no_grad():
        made: list[int] = []

        def after(note: str) -> None:
            made.append(len(graphs))
            tell(f"{who} {note}")

        tokens, seconds = _tokens(call, _cache(case, model), _prompt(seed, model), steps, after)
    memory = (_peak() - before) / MEBIBYTE
    return {"tokens": tokens, "seconds": seconds, "graphs_after": made, "memory": memory, "graphs": graphs}


def _tokens(
    call: Any, cache: Any, prompt: Any, steps: int, tell: Callable[[str], None]
) -> tuple[list[int], list[float]]:
    tokens: list[int] = []
    seconds: list[float] = []
    given = prompt
    for step in range(steps + 1):
        start = time.perf_counter()
        given = call(given, cache=cache, use_cache=True).logits[:, -1:].argmax(-1)
        seconds.append(time.perf_counter() - start)
        tokens.append(int(given))
        tell(f"token {step}" if step else "prompt")
    return tokens, seconds


def _prompt(seed: int, model: Any) -> Any:
    import torch

    return torch.randint(model.config.vocab_size, (1, PROMPT), generator=torch.Generator().manual_seed(seed))


def _cache(case: Case, model: Any) -> Any:
    from transformers import DynamicCache, StaticCache

    if case.cache == "static":
        return StaticCache(config=model.config, max_cache_len=PROMPT + case.steps)
    return DynamicCache(config=model.config)


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
