"""Sizes known only at run time, for each chip: one graph serves every length, and plans read lengths from tensors."""

import pytest
import torch
from chips import CHIPS, INDEXED, PLANNED, D, N, as_good_as_eager, attend

from sparse_attn import backend
from sparse_attn.backend import collecting, sparse_attn

INF = float("-inf")
SINKS = torch.randn(N, generator=torch.Generator().manual_seed(9))


def drawn(seed, *shapes):
    make = torch.Generator().manual_seed(seed)
    return [torch.randn(*shape, generator=make).to(torch.bfloat16) for shape in shapes]


def band(tokens, keys):
    """The window of 128 keys, the last row at the last key."""
    at, key = torch.arange(keys - tokens, keys)[:, None], torch.arange(keys)[None]
    return torch.where((key <= at) & (key > at - 128), 0.0, INF).to(torch.bfloat16)[None, None]


def window(q, kv, sinks):
    return attend(q, kv, band(q.shape[2], kv.shape[2]), sinks)


def prefix(q, kv, c128, sinks):
    """A single token sees all compressed keys there are."""
    seen = torch.zeros(1, 1, 1, c128.shape[2], dtype=q.dtype)
    mask = torch.cat([band(1, kv.shape[2]), seen], dim=-1)
    return attend(q, torch.cat([kv, c128], dim=2), mask, sinks)


def unrelated(q, kv, c4, iq, ik, iw, sinks):
    """Nothing in the graph says that the attended keys are as many as the scored ones."""
    scores = torch.relu(torch.einsum("bshd,btd->bsht", iq.float(), ik.float()) * 128**-0.5)
    picked = (scores * iw.float()[..., None]).sum(dim=2).topk(min(512, ik.shape[1]), dim=-1).indices
    bias = torch.full((q.shape[0], 1, 1, c4.shape[2]), INF, dtype=q.dtype).scatter(-1, picked[:, None], 0.0)
    mask = torch.cat([band(1, kv.shape[2]).expand(q.shape[0], -1, -1, -1), bias], dim=-1)
    return attend(q, torch.cat([kv, c4], dim=2), mask, sinks)


def listed(q, kv, c4, iq, ik, iw, sinks):
    torch._check(ik.shape[1] == c4.shape[2])
    return unrelated(q, kv, c4, iq, ik, iw, sinks)


def window_call(keys, tokens=1, batch=1):
    q, kv = drawn(keys, (batch, N, tokens, D), (batch, 1, keys, D))
    torch._dynamo.mark_dynamic(kv, 2)
    return {"q": q, "kv": kv, "sinks": SINKS}


def prefix_call(keys, compressed):
    (c128,) = drawn(compressed, (1, 1, compressed, D))
    torch._dynamo.mark_dynamic(c128, 2)
    return window_call(keys) | {"c128": c128}


def listed_call(keys, compressed, batch=2):
    c4, iq, ik, iw = drawn(
        compressed, (batch, 1, compressed, D), (batch, 1, 64, 128), (batch, compressed, 128), (batch, 1, 64)
    )
    torch._dynamo.mark_dynamic(c4, 2)
    torch._dynamo.mark_dynamic(ik, 1)
    return window_call(keys, batch=batch) | {"c4": c4, "iq": iq, "ik": ik, "iw": iw}


def one_graph(function, calls, target, expected):
    """Every call runs the graph of the first, and is as good as eager; the operators of ours in it are `expected`."""
    torch._dynamo.reset()
    graphs, original = [], backend._inner
    backend._inner = lambda graph, *rest: graphs.append(graph) or original(graph, *rest)
    try:
        with torch.no_grad(), collecting() as reports:
            run = torch.compile(function, backend=sparse_attn, fullgraph=True, options={"target": target})
            for given in calls:
                as_good_as_eager(run(**given), function, given)
    finally:
        backend._inner = original
    (graph,), (report,) = graphs, reports
    targets = [str(node.target) for node in graph.graph.nodes if node.op == "call_function"]
    called = [t for t in targets if t.startswith(("cann_ops_transformer", "custom", "npu", "pypto"))]
    assert called == expected, report.text()
    return report


@pytest.mark.parametrize("target", CHIPS)
def test_a_window_over_a_growing_cache(target):
    one_graph(window, [window_call(140), window_call(90)], target, PLANNED)


@pytest.mark.parametrize("target", CHIPS)
def test_all_compressed_keys_of_a_growing_cache(target):
    one_graph(prefix, [prefix_call(140, 3), prefix_call(200, 5)], target, PLANNED)


@pytest.mark.parametrize("target", CHIPS)
def test_listed_keys_of_a_growing_cache(target):
    """More keys than picks. A3 and A2 have an indexer that needs no pages for uncompressed keys."""
    indexer = INDEXED if target == "ascend950" else ["npu.npu_lightning_indexer.default"]
    one_graph(listed, [listed_call(140, 530), listed_call(90, 600)], target, indexer + PLANNED)


def test_a_list_of_another_cache_counts_its_own_entries():
    """Nothing says that both caches are as long: rows see as many entries as the indexer has keys."""
    one_graph(unrelated, [listed_call(140, 530), listed_call(90, 300)], "ascend950", INDEXED + PLANNED)


def test_a_prefill_of_any_length():
    calls = [window_call(140, tokens=140), window_call(70, tokens=70)]
    for call in calls:
        torch._dynamo.mark_dynamic(call["q"], 2)
    one_graph(window, calls, "ascend950", PLANNED)


def test_any_number_of_requests_is_refused_by_name():
    call = window_call(140)
    call = call | {"q": call["q"].expand(3, -1, -1, -1).clone(), "kv": call["kv"].expand(3, -1, -1, -1).clone()}
    for name in ("q", "kv"):
        torch._dynamo.mark_dynamic(call[name], 0)
    report = one_graph(window, [call], "ascend950", [])
    assert "its plan, sparse_flash_mla_metadata, refuses [c14]" in report.text()
    assert "batch_size is 0 with layout_q BSND" in report.text()
