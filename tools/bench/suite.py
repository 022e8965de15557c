"""Every measurement of a level, in order."""

from __future__ import annotations

import platform
from collections.abc import Callable, Sequence
from typing import Any

import torch

import sparse_attn.ops  # noqa: F401  registers the operators

from . import attention, compile_time, facts, indexer, inputs, limit, measure, output
from .peers import MOST_BYTES, Peer
from .shapes import Indexer, Shape, shapes

BUDGET = {"quick": 0.5, "standard": 5.0, "full": 10.0}
"""Seconds for the pairs of one peer."""
NAMES = {torch.float32: "fp32", torch.bfloat16: "bf16"}


def run(level: str, only: str, dtypes: Sequence[torch.dtype], say: Callable[[str], None]) -> dict[str, Any]:
    """All results as plain data; each is said when it is there."""
    limits = limit.machine(level)
    machine = {"threads": torch.get_num_threads(), "torch": torch.__version__, "machine": platform.machine()}
    results: dict[str, Any] = {
        "format": 2, "level": level, "limits": limits.products, "bandwidth": limits.bandwidth, **machine,
        "measurements": [], "facts": [], "compilations": [],
    }  # fmt: skip
    say(output.head(results))
    for shape in shapes(level):
        for dtype in dtypes:
            if only in f"{shape.name} {NAMES[dtype]}":
                found = compared(shape, dtype, limits, BUDGET[level])
                results["measurements"].append(found)
                say(output.measurement(found))
    for name, measured in facts.every(level):
        if only in name:
            group = measured()
            results["facts"] += group
            say(output.facts(name, group))
    for model, layers in compile_time.cases(level):
        if only in compile_time.name_of(model, layers):
            results["compilations"].append(compile_time.split(model, layers))
            say(output.compilation(results["compilations"][-1]))
    return results


def compared(shape: Shape, dtype: torch.dtype, limits: limit.Machine, budget: float) -> dict[str, Any]:
    """Our operator on one shape, and each peer against it."""
    found: dict[str, Any] = {"name": f"{shape.name} {NAMES[dtype]}", "skipped": "", "peers": []}
    needed = inputs.nbytes(shape, dtype)
    if needed > MOST_BYTES:
        found["skipped"] = f"its inputs alone need {needed / 1e9:.0f} GB, more than {MOST_BYTES / 1e9:.0f} GB"
        return found
    room: Any = indexer if isinstance(shape, Indexer) else attention
    given = inputs.of_indexer(shape, dtype) if isinstance(shape, Indexer) else inputs.of_attention(shape, dtype)
    ours = room.operator(shape, given)
    wanted = ours()
    seconds = min(measure.timed(ours) for _ in range(measure.PAIRS[0]))
    least, binds = limits.least(shape.flops, shape.nbytes(dtype.itemsize), NAMES[dtype])
    found |= {"seconds": seconds, "least": least, "binds": binds, "share": least / seconds}
    rate = limits.products[NAMES[dtype]]
    found["peers"] = [against(peer, shape, given, ours, wanted, rate, budget) for peer in room.PEERS]
    return found


def against(
    peer: Peer, shape: Shape, given: dict[str, Any], ours: Callable[[], Any], wanted: Any, rate: float, budget: float
) -> dict[str, Any]:
    """One peer: the ratio of times, how far the results are apart, or why it was not run."""
    found: dict[str, Any] = {"name": peer.name, "skipped": peer.cost(shape, wanted_size(given)).too_much(rate)}
    if found["skipped"]:
        return found
    torch.compiler.reset()
    try:
        theirs = peer.make(shape, given)
        made = theirs()
        apart = difference(wanted, made)
        del made
        pairs = measure.in_turn(ours, theirs, budget)
    except Exception as error:  # a peer that cannot run is a result, not an end
        text = str(error).strip().splitlines() or [""]
        found["skipped"] = f"does not run here: {type(error).__name__}: {text[0][:150]}"
        return found
    low, high = pairs.spread
    return found | {
        "ratio": pairs.ratio, "low": low, "high": high, "difference": apart,
        "ours_seconds": pairs.ours, "seconds": pairs.theirs,
    }  # fmt: skip


def wanted_size(given: dict[str, Any]) -> int:
    """Bytes of an element of the inputs."""
    return given["query"].element_size()


def difference(wanted: torch.Tensor, made: torch.Tensor) -> float:
    """Floats: the largest difference by the largest value. Picks: the share that only one of the two has."""
    if wanted.shape != made.shape:
        raise ValueError(f"its result has sizes {tuple(made.shape)} instead of {tuple(wanted.shape)}")
    if wanted.is_floating_point():
        return float((wanted.float() - made.float()).abs().max() / wanted.float().abs().max())
    one, other = (each.long().sort(-1).values for each in (wanted, made))
    place = torch.searchsorted(other, one).clamp(max=other.shape[-1] - 1)
    return float((other.gather(-1, place) != one).float().mean())
