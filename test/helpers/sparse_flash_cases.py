"""Random calls of the attention operators that take nothing but a list of keys: one problem, any layout."""

from typing import Any

import numpy as np
from attention_cases import stored

from sparse_attn.dialect.npu.formats import float8_e4m3, hifloat8

Array = np.ndarray
LAYOUTS = [("BSND", "BSND"), ("TND", "TND"), ("BSND", "PA_BSND"), ("TND", "PA_BSND")]
QUERY_TENSORS = ("query", "query_rope", "sparse_indices")
KEY_TENSORS = ("key", "key_rope")
ELEMENTS = {"int8": np.int8, "e4m3": np.uint8, "hif8": np.uint8}


def random_problem(seed=0, kind="bf16", *, heads=5, rows=(3, 0, 2), tokens=(301, 4, 90), width=40, block=1) -> dict:
    """Per batch: the tensors of QUERY_TENSORS [S,...] and KEY_TENSORS [L,1,...], as lists."""
    rng = np.random.default_rng(seed)

    def data(*shape: int) -> Array:
        return stored((rng.standard_normal(shape)).astype(np.float32), kind)

    def lists(count: int, blocks: int) -> Array:
        table = np.full((count, 1, width), -1, np.int32)
        for row in table:
            row[0, : min(width, blocks)] = rng.permutation(blocks)[:width]
        return table

    return {
        "query": [data(count, heads, 512) for count in rows],
        "query_rope": [data(count, heads, 64) for count in rows],
        "sparse_indices": [lists(count, -(-n // block)) for count, n in zip(rows, tokens, strict=True)],
        "key": [data(count, 1, 512) for count in tokens],
        "key_rope": [data(count, 1, 64) for count in tokens],
        "sparse_block_size": block,
    }


def packed_rows(rng: np.random.Generator, count: int, elements: str, like: Array) -> Array:
    """[count,1,656]: 512 elements, 64 rotary ones in the query's type, 4 scales."""
    values = rng.standard_normal((count, 512)).astype(np.float32)
    scales = rng.uniform(0.5, 2, (count, 4)).astype("<f4")
    if elements == "int8":
        codes, scales = np.clip(np.round(values * 40), -127, 127).astype(np.int8), scales / 40
    else:
        codes = (float8_e4m3 if elements == "e4m3" else hifloat8).encode(values)
    parts = [codes.view(np.uint8), like.view(np.uint8).reshape(count, 128), scales.view(np.uint8)]
    return np.concatenate(parts, axis=-1).view(ELEMENTS[elements])[:, None]


def random_packed_problem(seed=0, elements="int8", **changes) -> dict:
    """The same with queries of 576 elements and packed keys [L,1,656]; `elements` is a key of ELEMENTS."""
    rng = np.random.default_rng(seed + 1)
    problem = random_problem(seed, **changes)
    pairs = zip(problem["query"], problem["query_rope"], strict=True)
    problem["query"] = [np.concatenate(parts, -1) for parts in pairs]
    problem["key"] = [packed_rows(rng, len(rope), elements, rope) for rope in problem.pop("key_rope")]
    return problem


def lay_out(problem: dict, layout_query: str, layout_kv: str, seed: int = 0) -> dict[str, Any]:
    """Keyword arguments: [B] lengths, or prefix sums without the leading 0 for packed tensors."""
    rng = np.random.default_rng(seed)
    rows, tokens = [len(part) for part in problem["query"]], [len(part) for part in problem["key"]]
    call: dict[str, Any] = {"layout_query": layout_query, "layout_kv": layout_kv, "scale_value": 576**-0.5}
    call |= {"attention_mode": 2, "sparse_mode": 3, "sparse_block_size": problem["sparse_block_size"]}
    for name in QUERY_TENSORS:
        call[name] = _together(problem[name], layout_query)
    for name in KEY_TENSORS:
        if name in problem:
            call[name] = _together(problem[name], layout_kv) if layout_kv != "PA_BSND" else None
    packed_q, packed_k = layout_query == "TND", layout_kv == "TND"
    call["actual_seq_lengths_query"] = np.array(np.cumsum(rows) if packed_q else rows, np.int32)
    call["actual_seq_lengths_kv"] = np.array(np.cumsum(tokens) if packed_k else tokens, np.int32)
    if layout_kv == "PA_BSND":
        _page(rng, problem, call, 16)
    call["value"] = call["key"]
    return call


def _together(parts: list[Array], layout: str) -> Array:
    if layout == "TND":
        return np.concatenate(parts)
    table = np.full((len(parts), max(map(len, parts)) + 1, *parts[0].shape[1:]), 7, parts[0].dtype)
    for batch, part in enumerate(parts):
        table[batch, : len(part)] = part
    return table


def _page(rng: np.random.Generator, problem: dict, call: dict[str, Any], size: int) -> None:
    needed = [-(-len(part) // size) for part in problem["key"]]
    ids = rng.permutation(sum(needed) + 2)
    table = np.full((len(needed), max(needed) + 1), -1, np.int32)
    for batch, count in enumerate(needed):
        table[batch, :count], ids = ids[:count], ids[count:]
    call["block_table"] = table
    for name in KEY_TENSORS:
        if name not in problem:
            continue
        cache = np.full((sum(needed) + 2, size, *problem[name][0].shape[1:]), 7, problem[name][0].dtype)
        for batch, part in enumerate(problem[name]):
            for token, row in enumerate(part):
                cache[table[batch, token // size], token % size] = row
        call[name] = cache


def live_rows(problem: dict, call: dict[str, Any], result: Array) -> list[Array]:
    """The live rows of a result laid out like the query, per batch."""
    counts = [len(part) for part in problem["query"]]
    if call["layout_query"] == "BSND":
        return [result[batch, :count] for batch, count in enumerate(counts)]
    return np.split(result, np.cumsum(counts)[:-1])
