"""`make families`: for every model family and mode, the sites found and fused, and why the others were not."""

from __future__ import annotations

import argparse
import dataclasses
from typing import Any

MODES = ("prefill", "dynamic prefill", "decode", "static decode")


@dataclasses.dataclass
class Row:
    """One family in one mode. `error` is the largest difference from eager, `reasons` one per unfused site."""

    family: str
    mode: str
    found: int
    fused: int
    error: float
    reasons: tuple[str, ...]

    def __str__(self) -> str:
        head = f"| {self.family} | {self.mode} | {self.found} | {self.fused} | {self.error:.1e} |"
        return f"{head} {'; '.join(sorted(set(self.reasons)))} |"


def measure(family: str, mode: str, length: int = 48, steps: int = 3, target: str = "host") -> Row:
    """Run one family eager and compiled, and read the reports. One that is hard to capture says why in its reasons."""
    import torch

    from .tiny_families import WHY_HARD

    torch._dynamo.reset()
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=family in WHY_HARD):
        row = _measure(family, mode, length, steps, target)
    return dataclasses.replace(row, reasons=(*row.reasons, WHY_HARD[family])) if family in WHY_HARD else row


def _measure(family: str, mode: str, length: int, steps: int, target: str) -> Row:
    import torch

    from ..backend import collecting, sparse_attn
    from .tiny_families import CAPTURED_IN_PIECES, EAGER_ONLY, FAMILIES, HARD_TO_CAPTURE

    model = (FAMILIES | HARD_TO_CAPTURE)[family]()
    if family in EAGER_ONLY:
        model.set_attn_implementation("eager")
    options = {"target": target}
    one_graph = family not in CAPTURED_IN_PIECES
    compiled = torch.compile(model, backend=sparse_attn, fullgraph=one_graph, recompile_limit=64, options=options)
    ids = torch.randint(3, 500, (1, length), generator=torch.Generator().manual_seed(1))
    with torch.no_grad(), collecting() as reports:
        if mode in ("prefill", "dynamic prefill"):
            expected = _first(model(ids, use_cache=False))
            if mode.startswith("dynamic"):
                torch._dynamo.mark_dynamic(ids, 1)
            got = _first(compiled(ids, use_cache=False))
        else:
            cache = _static(model, length + steps) if mode.startswith("static") else lambda: None
            expected = _steps(model, cache(), ids, steps)
            got = _steps(compiled, cache(), ids, steps)
    sites = [f for r in reports for f in r]
    whole = [r.whole_graph for r in reports if r.whole_graph]
    reasons = tuple([f.reason for f in sites if not f.fused] + whole)
    return Row(family, mode, len(sites), sum(f.fused for f in sites), float((expected - got).abs().max()), reasons)


def _first(output: Any) -> Any:
    return output[0]


def _static(model: Any, length: int) -> Any:
    from transformers import StaticCache

    return lambda: StaticCache(config=model.config, max_cache_len=length)


def _steps(run: Any, cache: Any, ids: Any, steps: int) -> Any:
    """The last position's output after a prefill and after each of `steps` single tokens (always the same tokens)."""
    import torch

    outputs = []
    for step in range(steps + 1):
        out = run(ids, past_key_values=cache, use_cache=True)
        cache = out.past_key_values
        outputs.append(out[0][:, -1:])
        ids = torch.full((1, 1), 7 + step)
    return torch.cat(outputs, 1)


def parser() -> argparse.ArgumentParser:
    from .tiny_families import FAMILIES, HARD_TO_CAPTURE

    known = [*FAMILIES, *HARD_TO_CAPTURE]
    made = argparse.ArgumentParser(prog="sparse-attn families", description=__doc__)
    made.add_argument("--families", nargs="*", default=list(FAMILIES), choices=known)
    made.add_argument("--modes", nargs="*", default=list(MODES), choices=MODES)
    made.add_argument("--target", default="host")
    return made


def run(options: argparse.Namespace) -> int:
    """Print the table; exit code 1 when an answer differs from eager."""
    print("| family | mode | sites | fused | difference | why not |\n| --- | --- | --- | --- | --- | --- |")
    wrong = 0
    for family in options.families:
        for mode in options.modes:
            if (family, mode) == ("deepseek_v4", "static decode"):
                continue  # transformers has no static cache for it
            row = measure(family, mode, target=options.target)
            wrong += row.error > 1e-5
            print(row, flush=True)
    return int(bool(wrong))
