"""The same call in another storage, and calls of nothing, made from any `HostCall`."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from host_call import HostCall

from sparse_attn.lowering.host.library import Tensor

KEYS = re.compile(r"k|key|key_rope|key_dequant_scale|(ori|cmp)_kv(_npu)?|state_cache|cache(_scale)?|kv_compress_cache")
PER_BATCH = re.compile(r"seqused.*|actual_seq_lengths.*|cmp_residual.*|.*block_table.*|start_pos")
SUMS = re.compile(r"cu_seqlens.*|q_act_seqs.*")
PER_ROW = re.compile(
    r"q|query(_rope|_dequant_scale|_npu)?|w|weights|rope_(sin|cos)|output_idx_offset|.*sparse_indices.*|.*topk_length|x|slot_mapping"
)


def stored(value: Any, change: Callable[[np.ndarray], np.ndarray]) -> Any:
    """`change` of an array, or of the array that a library tensor describes."""
    if isinstance(value, Tensor):
        return Tensor.of(change(value.owner), value.dtype)
    return change(value) if isinstance(value, np.ndarray) else value


def spread(array: np.ndarray) -> np.ndarray:
    """The same numbers with others between them along the first axis."""
    wide = np.full((2 * len(array), *array.shape[1:]), 0x7F, array.dtype)
    wide[::2] = array
    return wide[::2]


def spread_keys(call: HostCall) -> dict[str, Any]:
    """The keys of a call (and their scales) with a stride along their first axis; values stay one with their keys."""
    found = {n: stored(v, spread) for n, v in call.arguments.items() if v is not None and KEYS.fullmatch(n)}
    found = {n: v for n, v in found.items() if np.shape(getattr(v, "owner", v)) > (1,) and n not in call.written}
    if "value" in call.arguments and "key" in found:
        found["value"] = found["key"]
    return found


def is_packed(call: HostCall) -> bool:
    """Whether queries are packed."""
    return "TND" in (call.arguments.get("layout_q"), call.arguments.get("layout_query"))


def paged(call: HostCall) -> bool:
    """Whether keys lie in blocks, whose number is not that of the batches."""
    layouts = (call.arguments.get(name) for name in ("layout_k", "layout_kv", "layout_key"))
    return any(str(layout).startswith("PA") for layout in layouts) or "ori_kv_npu" in call.arguments


def of_nothing(call: HostCall) -> HostCall:
    """The call with no batch at all: no rows, no lengths; blocks of keys may be there."""
    arguments = {name: _of_nothing(call, name, value) for name, value in call.arguments.items()}
    if "value" in arguments:
        arguments["value"] = arguments["key"]  # one storage
    if call.name.endswith("_metadata"):
        return replace(call, arguments=arguments)
    packed_statistics = [array.ndim == 3 and len(array) == 1 and is_packed(call) for array in call.results]
    results = [a[:, :0] if flat else a[:0] for a, flat in zip(call.results, packed_statistics, strict=True)]
    return replace(call, arguments=arguments, results=results)


def _of_nothing(call: HostCall, name: str, value: Any) -> Any:
    if np.shape(getattr(value, "owner", value)) == (1,) and "scale" in name:
        return value  # one number for the whole tensor
    if SUMS.fullmatch(name):
        return stored(value, lambda array: array[:1])
    keys = KEYS.fullmatch(name) and not paged(call) and name not in call.written
    return (
        stored(value, lambda array: array[:0])
        if keys or PER_BATCH.fullmatch(name) or PER_ROW.fullmatch(name)
        else value
    )
