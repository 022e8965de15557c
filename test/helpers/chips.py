"""Attention of DeepSeek-V4 in plain torch, compiled for a chip, and what is called there."""

import torch

from sparse_attn import backend
from sparse_attn.backend import collecting, sparse_attn

CHIPS = ("ascend950", "a3", "a2")
N, D, TOKENS, WINDOW, INF = 64, 512, 40, 128, float("-inf")
CANN = "cann_ops_transformer"
PLANNED = [f"{CANN}.sparse_flash_mla_metadata.default", f"{CANN}.sparse_flash_mla.default"]
INDEXED = [f"{CANN}.lightning_indexer_metadata.default", f"{CANN}.lightning_indexer.default"]


def draws(seed=0, batch=1, dtype=torch.bfloat16):
    make = torch.Generator().manual_seed(seed)

    def draw(*shape):
        return torch.randn(batch, *shape, generator=make).to(dtype)

    return {
        "q": draw(N, TOKENS, D), "kv": draw(1, TOKENS, D), "sinks": torch.randn(N, generator=make),
        "c4": draw(1, TOKENS // 4, D), "c128": draw(1, 4, D),
        "iq": draw(TOKENS, 64, 128), "ik": draw(TOKENS // 4, 128), "iw": draw(TOKENS, 64),
    }  # fmt: skip


def attend(q, kv, mask, sinks):
    """DeepSeek-V4's eager attention: keys are values, a sink joins the softmax."""
    keys = kv.expand(-1, q.shape[1], -1, -1)
    logits = q @ keys.transpose(2, 3) * D**-0.5 + mask
    sink = sinks.reshape(1, -1, 1, 1).expand(q.shape[0], -1, q.shape[2], -1)
    joined = torch.cat([logits, sink], dim=-1)
    joined = joined - joined.max(dim=-1, keepdim=True).values
    weights = torch.softmax(joined, dim=-1, dtype=joined.dtype)[..., :-1]
    return (weights.to(q.dtype) @ keys).transpose(1, 2)


def sliding(dtype):
    at, key = torch.arange(TOKENS)[:, None], torch.arange(TOKENS)[None]
    return torch.where((key <= at) & (key > at - WINDOW), 0.0, INF).to(dtype)[None, None]


def swa(q, kv, sinks, **_):
    return attend(q, kv, sliding(q.dtype), sinks)


def hca(q, kv, sinks, c128, **_):
    """Ten tokens make a compressed key here, so that short sequences have some."""
    seen = torch.arange(4)[None] < (torch.arange(TOKENS)[:, None] + 1) // 10
    bias = torch.where(seen, 0.0, INF).to(q.dtype)[None, None]
    return attend(q, torch.cat([kv, c128], dim=2), torch.cat([sliding(q.dtype), bias], dim=-1), sinks)


def csa(q, kv, sinks, c4, iq, ik, iw, k=512, **_):
    keys, batch = c4.shape[2], q.shape[0]
    scores = torch.relu(torch.einsum("bshd,btd->bsht", iq.float(), ik.float()) * 128**-0.5)
    scores = (scores * iw.float()[..., None]).sum(dim=2)
    seen = (torch.arange(TOKENS) + 1) // 4
    scores = scores.masked_fill(torch.arange(keys)[None, None] >= seen[None, :, None], INF)
    picked = scores.topk(min(k, keys), dim=-1).indices
    picked = torch.where(picked >= seen[None, :, None], -1, picked)
    slots = torch.where(picked < 0, keys, picked)
    bias = torch.full((batch, 1, TOKENS, keys + 1), INF, dtype=q.dtype)
    bias = bias.scatter(-1, slots[:, None], 0.0)[..., :-1]
    mask = torch.cat([sliding(q.dtype).expand(batch, -1, -1, -1), bias], dim=-1)
    return attend(q, torch.cat([kv, c4], dim=2), mask, sinks)


def compiled(function, given, **options):
    """The compiled result, the report, and the operators of ours in the emitted graph."""
    torch._dynamo.reset()
    graphs = []
    original = backend._inner

    def keep(graph, *rest):
        graphs.append(graph)
        return original(graph, *rest)

    backend._inner = keep
    try:
        with torch.no_grad(), collecting() as reports:
            made = torch.compile(function, backend=sparse_attn, fullgraph=True, options=options)(**given)
    finally:
        backend._inner = original
    targets = [str(node.target) for graph in graphs for node in graph.graph.nodes if node.op == "call_function"]
    return made, reports[0], [t for t in targets if not t.startswith("aten.") and "getitem" not in t]


def as_good_as_eager(found, function, given):
    """Against the same function in fp64, the error is at most twice eager's own, and no row is far from eager's."""
    wide = {name: x.double() if torch.is_tensor(x) else x for name, x in given.items()}
    wanted, eager = function(**wide), function(**given)
    error, own = ((x.double() - wanted).abs().max() for x in (found, eager))
    assert error <= 2 * own, (error, own)
    off, largest = (found.float() - eager.float()).abs().amax(-1), eager.float().abs().amax(-1)
    assert (off <= 2**-5 * largest + 1e-4).all(), (off / largest).max()
