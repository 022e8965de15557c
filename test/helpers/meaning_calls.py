"""A random call of every meaning-level host kernel that follows indices, counts or slots."""

from collections.abc import Callable
from typing import Any

import numpy as np
from host_call import Array, HostCall, filled


def meaning(
    name: str, make: Callable[[np.random.Generator], tuple[dict[str, Any], list[Array]]]
) -> Callable[[int], HostCall]:
    def made(seed: int) -> HostCall:
        arguments, results = make(np.random.default_rng(seed))
        return HostCall(f"meaning_{name}", arguments, results)

    return made


def numbers(rng: np.random.Generator, *shape: int) -> Array:
    return rng.standard_normal(shape).astype(np.float32)


def meaning_attention(rng: np.random.Generator) -> tuple[dict[str, Any], list[Array]]:
    picks = np.stack([[rng.permutation(11)[:4] for _ in range(3)] for _ in range(2)]).astype(np.int32)
    arguments = {
        "query": numbers(rng, 2, 3, 4, 8), "ori_kv": numbers(rng, 2, 11, 2, 8), "ori_value": None,
        "cmp_kv": numbers(rng, 2, 11, 2, 8), "ori_indices": picks, "cmp_indices": picks[::-1].astype(np.int64),
        "sinks": numbers(rng, 4), "visible": np.array([[3, 20, -4]], np.int32), "cmp_visible": None, "mask": None,
        "scale": 0.4, "value_width": -1, "ori_mask": "causal", "ori_left": -1, "ori_right": -1, "cmp_mask": "prefix",
        "cmp_ratio": 2, "empty_rows": "zero", "return_lse": True,
    }  # fmt: skip
    return arguments, [filled((2, 3, 4, 8), np.float32), filled((2, 3, 4), np.float32)]


def meaning_topk(rng: np.random.Generator) -> tuple[dict[str, Any], list[Array]]:
    arguments = {
        "scores": numbers(rng, 2, 3, 40), "visible": rng.integers(-2, 44, (2, 3)).astype(np.int32), "mask": None,
        "k": 9, "mask_mode": "prefix", "ratio": 4, "block": 1, "local_blocks": 0, "sorted": True,
    }  # fmt: skip
    return arguments, [filled((2, 3, 9), np.int32), filled((2, 3, 9), np.float32)]


def meaning_selection(rng: np.random.Generator) -> tuple[dict[str, Any], list[Array]]:
    picks = rng.integers(-2, 13, (2, 3, 5)).astype(np.int32)
    return {"indices": picks, "extent": 11, "form": "mask"}, [np.zeros((2, 3, 11), bool)]


def meaning_paged_write(rng: np.random.Generator) -> tuple[dict[str, Any], list[Array]]:
    slots = np.concatenate([rng.permutation(12)[:5], [-1]]).astype(np.int64)
    return {"cache": numbers(rng, 3, 4, 2), "rows": numbers(rng, 6, 2), "slots": slots}, [filled((3, 4, 2), np.float32)]


MEANING_CALLS: dict[str, Callable[[int], HostCall]] = {
    "meaning_attention": meaning("attention", meaning_attention),
    "meaning_topk": meaning("topk", meaning_topk),
    "meaning_selection": meaning("selection", meaning_selection),
    "meaning_paged_write": meaning("paged_write", meaning_paged_write),
}
