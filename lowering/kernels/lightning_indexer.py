"""cann_ops_transformer::lightning_indexer: the un-quantised indexer of Ascend 950, A3 and A2.

Source: the operator's document and tiling checks in ops-transformer. It scores with ReLU and weights, ranks in fp32,
and takes bf16 or fp16 queries and keys of 128 channels with fp32 weights.
"""

from __future__ import annotations

from .contract import Contract, Use

MOST_HEADS, MOST_PICKS, CHANNELS = 64, {"ascend950": 8192, "a3": 2048, "a2": 2048}, 128


def _dtype(use: Use) -> str | None:
    for name in ("query", "key"):
        value = use.operand(name)
        if value is not None and value.dtype not in ("bf16", "f16"):
            return f"{name} is {value.dtype}; the kernel takes bf16 or fp16: run the model in one of these"
    return None


def _activation(use: Use) -> str | None:
    if use.attribute("activation") != "relu":
        return "the scores have no ReLU; the kernel always applies one"
    return None


def _weights(use: Use) -> str | None:
    if use.attribute("reduce") != "weighted":
        return "the heads are not weighted; the kernel always weights them"
    return None


def _sizes(use: Use) -> str | None:
    heads, channels = use.size("query", 2), use.size("query", 3)
    if channels != CHANNELS:
        return f"the indexer's head size is {channels}; the kernel takes {CHANNELS}"
    if heads is None or heads > MOST_HEADS:
        return f"the indexer has {heads} heads; the kernel takes 1 to {MOST_HEADS}"
    return None


def _mask(use: Use) -> str | None:
    if use.operand("mask") is not None:
        return "part of the mask is not proven; the kernel takes no mask operand"
    if use.attribute("mask_mode") == "none":
        return "the selection is not causal; only the causal form is offered here"
    rows = use.size("query", 1)
    if use.operand("visible") is not None and rows != 1 and "contiguous_positions" not in use.assume:
        return (
            "the visible keys of several query tokens are read from positions known at run time; the kernel needs "
            'them to be consecutive: pass options={"assume": ("contiguous_positions",)} if they are'
        )
    return None


def _values(use: Use) -> str | None:
    values = use.value.siblings[1]
    return (
        "the scores of the picked keys are used; the kernel's contract here returns indices only"
        if values.uses
        else None
    )


def _key_scale(use: Use) -> str | None:
    if use.operand("key_scale") is not None or use.operand("query_scale") is not None:
        return "the scores carry dequantisation scales; the un-quantised kernel takes none"
    return None


def _picks(limit: int, target: str) -> object:
    def check(use: Use) -> str | None:
        k = use.attribute("k")
        return f"k = {k} exceeds the {limit} that {target} takes" if isinstance(k, int) and k > limit else None

    return check


COMMON = (_dtype, _activation, _weights, _sizes, _mask, _values, _key_scale)


def _heads_of_a2(use: Use) -> str | None:
    heads = use.size("query", 2)
    return f"the indexer has {heads} heads; the kernel takes {MOST_HEADS} on this chip" if heads != MOST_HEADS else None


CONTRACTS = [
    Contract(
        kernel="cann_ops_transformer::lightning_indexer",
        implements="sparse_attn.lightning_indexer",
        targets=(target,),
        requirements=(*COMMON, _picks(limit, target), *((_heads_of_a2,) if target != "ascend950" else ())),  # type: ignore[arg-type]
    )
    for target, limit in MOST_PICKS.items()
]
