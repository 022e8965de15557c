"""What is not a race against a peer: cost of a call, memory of a long prompt, growth with the context, int8 scores."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch

from . import attention, indexer, inputs, memory
from .measure import in_turn, timed
from .shapes import Attention, Indexer

CALLS, ROUNDS = 300, 9
LONG = {"standard": 32768, "full": 32768}
CONTEXTS = {"standard": (8192, 16384, 32768), "full": (8192, 16384, 32768, 65536)}
V4 = Attention("attention V4 ratio 4 k=128", 1, 64, 64, 1, 512, 512, 0, 128, 0, 4, 128, True)
SCORES = Indexer("indexer V4 k=512", 1, 64, 64, 128, 0, 512, 4)
Fact = dict[str, Any]
"""name, value, unit, goal (the largest or smallest good value, as text)."""


def every(level: str) -> list[tuple[str, Callable[[], list[Fact]]]]:
    """Name and function of each group of facts that a level measures."""
    found: list[tuple[str, Callable[[], list[Fact]]]] = [("overhead of a call", overhead), ("indexer int8", int8)]
    if level in LONG:
        found.append(("memory of a long prompt", lambda: [long_prompt(LONG[level])]))
        found.append(("growth with the context", lambda: growth(CONTEXTS[level])))
    return found


def overhead() -> list[Fact]:
    """Microseconds of a call of torch.ops.sparse_attn.attention on tiny inputs, above those of the kernel itself."""
    from sparse_attn.lowering.host import library
    from sparse_attn.ops import meaning, meaning_check, meaning_host, meaning_shim

    query, keys = torch.randn(1, 1, 2, 8), {"ori_kv": torch.randn(1, 2, 1, 8), "ori_mask": "causal"}
    operator = torch.ops.sparse_attn.attention.default
    values = meaning_check.arguments("attention", (query,), keys)
    results = meaning.OPERATORS["attention"].infer(**values)
    _, passed = meaning_host.marshal([*values.values(), *results])
    function = library.load()["sa_meaning_attention"]  # an object of its own, with its own types
    function.argtypes = meaning_host.signature("attention")
    error = ctypes.create_string_buffer(1024)

    def each() -> float:
        return _microseconds(lambda: operator(query, **keys))

    kernel, shim, through_ctypes = [], [], []
    for _ in range(ROUNDS):  # in turn, so that what else the machine does meets all of them
        kernel.append(_microseconds(lambda: function(*passed, 1, error)))
        shim.append(each())
        with meaning_shim.paused():
            through_ctypes.append(each())
    base = min(kernel)
    found = [_fact("overhead of a call through ctypes", min(through_ctypes) - base, "us", "<= 45")]
    if meaning_shim.find()[0] is not None:
        found.insert(0, _fact("overhead of a call through the shim", min(shim) - base, "us", "<= 20"))
    return found


def _microseconds(call: Callable[[], Any]) -> float:
    start = time.thread_time()  # so small a call never leaves its thread, and others' work does not count
    for _ in range(CALLS):
        call()
    return (time.thread_time() - start) / CALLS * 1e6


def int8(rows: int = 2048, keys: int = 512) -> list[Fact]:
    """How many times as long the fp32 indexer takes as quant_lightning_indexer with int8 on the same shape."""
    shape = replace(SCORES, rows=rows, keys=keys)
    ours = indexer.operator(shape, inputs.of_indexer(shape, torch.float32))
    quantised = _quantised(shape)
    ours(), quantised()
    return [
        _fact(f"{shape.name}, prompt {rows}: int8 faster than fp32", in_turn(quantised, ours, 2.0).ratio, "x", ">= 2.5")
    ]


def _quantised(shape: Indexer) -> Callable[[], Any]:
    def draw(*sizes: int) -> torch.Tensor:
        return torch.randint(-127, 128, sizes, dtype=torch.int8)

    query, key = draw(1, shape.rows, shape.heads, shape.width), draw(1, shape.keys, 1, shape.width)
    weights, scale = (torch.rand(1, shape.rows, shape.heads).half() for _ in range(2))
    key_scale, rest = torch.rand(1, shape.keys, 1).half(), torch.zeros(1, dtype=torch.int32)
    call = torch.ops.cann_ops_transformer.quant_lightning_indexer
    options = {"mask_mode": 3, "cmp_ratio": shape.ratio, "cmp_residual_k": rest}
    return lambda: call(query, key, weights, scale, key_scale, min(shape.picks, shape.keys), 2, **options)


def long_prompt(tokens: int) -> Fact:
    """Megabytes that attention of a whole prompt needs for a moment, beside its inputs and its result."""
    shape = replace(V4, rows=tokens, keys=tokens, compressed=tokens // V4.ratio)
    call = attention.operator(shape, inputs.of_attention(shape, torch.bfloat16))
    extra = memory.extra(call) / 1e6
    return _fact(f"{V4.name}, prompt {tokens} bf16: memory beside inputs and result", extra, "MB", "<= 256")


def growth(contexts: tuple[int, ...]) -> list[Fact]:
    """The time of the last 64 tokens of prompts: by token for attention, by token and key for the indexer."""
    cost: dict[str, list[float]] = {V4.name: [], SCORES.name: []}
    for context in contexts:
        shape = replace(V4, keys=context, compressed=context // V4.ratio)
        scores = replace(SCORES, keys=context // SCORES.ratio)
        cost[V4.name].append(_best(attention.operator(shape, inputs.of_attention(shape, torch.float32))))
        cost[SCORES.name].append(_best(indexer.operator(scores, inputs.of_indexer(scores, torch.float32))) / context)
    span, goals = f"{contexts[0]} to {contexts[-1]}", {V4.name: "<= 1.1", SCORES.name: "<= 1.1"}
    what = {V4.name: "a token", SCORES.name: "a token and key"}
    return [_fact(f"{n}: cost of {what[n]}, {span}", max(c) / min(c), "x", goals[n]) for n, c in cost.items()]


def _best(call: Callable[[], Any]) -> float:
    call()
    return min(timed(call) for _ in range(ROUNDS))


def _fact(name: str, value: float, unit: str, goal: str) -> Fact:
    return {"name": name, "value": value, "unit": unit, "goal": goal}
