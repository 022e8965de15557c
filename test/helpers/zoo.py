"""Indexed sparse attention in every spelling: scores x selection mask x selection x use of the indices.

Each part is a function of plain torch; `model` puts one of each together. Inputs are index query [B, S, H, d], index
key [B, T, d], weights [B, S, H], query [B, N, S, D], keys that are their own values [B, T, D], sinks [N].
"""

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F

B, S, T, H, d, N, D, K = 2, 4, 13, 3, 8, 2, 8, 5
INF = float("-inf")
Part = Callable[..., torch.Tensor]


def inputs(seed: int = 7) -> list[torch.Tensor]:
    made = torch.Generator().manual_seed(seed)
    shapes = ((B, S, H, d), (B, T, d), (B, S, H), (B, N, S, D), (B, T, D), (N,))
    iq, ik, w, q, kv, sink = (torch.randn(shape, generator=made) for shape in shapes)
    return [iq, ik, w.abs() + 0.1, q, kv, sink]  # positive weights: scores of zero never compete for the last place


def visible(rows: int, keys: int, shift: int = 0) -> torch.Tensor:
    """Rows stand at the end of the keys and see up to their own position."""
    return torch.arange(keys)[None, :] <= torch.arange(keys - rows, keys)[:, None] + shift


def flat(x: torch.Tensor) -> tuple[int, int]:
    return x.shape[1], x.shape[-1]


def broadcast(q, k, w):
    dots = torch.matmul(q.float(), k.float().mT.unsqueeze(1)) * d**-0.5
    return torch.matmul(w.unsqueeze(-2), F.relu(dots)).squeeze(-2)


def scaled_after(q, k, w):
    return (torch.matmul(q, k.transpose(1, 2).unsqueeze(1)).relu() * d**-0.5 * w[..., None]).sum(2)


def in_place(q, k, w):
    dots = torch.einsum("bshd,btd->bsht", q, k)
    return dots.relu_().mul_(w.unsqueeze(-1)).sum(dim=-2)


def letters(q, k, w):
    dots = torch.einsum("xyzc,xtc->xzyt", q, k).relu()
    return torch.einsum("xzyt,xyz->xyt", dots, w)


def flattened(q, k, w):
    rows, keys = q.shape[1], k.shape[1]
    dots = torch.relu(torch.bmm(q.reshape(B, rows * H, d), k.transpose(1, 2))).view(B, rows, H, keys)
    columns = dots.transpose(2, 3).reshape(B * rows, keys, H)
    return torch.bmm(columns, w.reshape(B * rows, H, 1)).view(B, rows, keys)


def heads_first(q, k, w):
    dots = torch.clamp(q.permute(0, 2, 1, 3) @ k.unsqueeze(1).mT, min=0)
    return dots.mul(w.permute(0, 2, 1)[..., None]).sum(1)


def eight_bits(q, k, w):
    sq, sk = (x.abs().amax(-1, keepdim=True) / 448 for x in (q, k))
    q8, k8 = (q / sq).to(torch.float8_e4m3fn), (k / sk).to(torch.float8_e4m3fn)
    dots = torch.einsum("bshd,btd->bsht", q8.float(), k8.float()).relu()
    return (dots * (w.unsqueeze(-1) * sq)).sum(2) * sk.squeeze(-1).unsqueeze(1)


SCORES: tuple[Part, ...] = (broadcast, scaled_after, in_place, letters, flattened, heads_first, eight_bits)


def filled(x):
    return x.masked_fill(~visible(*flat(x)), INF)


def added(x):
    return x + torch.where(visible(*flat(x)), 0.0, INF)


def minimum(x):
    return torch.where(visible(*flat(x)), x, torch.finfo(x.dtype).min)


MASKS: tuple[Part, ...] = (filled, added, minimum)


def topk(x):
    return x.topk(K, dim=-1).indices


def sort(x):
    return x.sort(dim=-1, descending=True).indices[..., :K]


def argsort(x):
    return torch.argsort(x, dim=-1, descending=True)[..., :K]


SELECTIONS: tuple[Part, ...] = (topk, sort, argsort)


def seen(at, kv, shift):
    """Whether each listed key is visible to its row."""
    return visible(at.shape[1], kv.shape[1], shift).expand(B, -1, -1).gather(-1, at)


def dense(q, kv, mask):
    keys = kv.unsqueeze(1).expand(-1, N, -1, -1)
    return F.scaled_dot_product_attention(q, keys, keys, attn_mask=mask.unsqueeze(1))


def not_selected(at, q, kv, sink, shift):
    out = torch.ones(B, at.shape[1], kv.shape[1], dtype=torch.bool).scatter(-1, at, False)
    return dense(q, kv, visible(at.shape[1], kv.shape[1], shift) & ~out)


def additive(at, q, kv, sink, shift):
    mask = torch.full((B, at.shape[1], kv.shape[1]), INF).scatter_(-1, at, 0.0)
    mask += torch.where(visible(at.shape[1], kv.shape[1], shift), 0.0, INF)
    logits = torch.einsum("bhsd,btd->bhst", q, kv) * D**-0.5
    logits += mask.unsqueeze(1)
    return torch.einsum("bhst,btd->bhsd", logits.softmax(-1, dtype=torch.float32), kv)


def sentinel(at, q, kv, sink, shift):
    keys = kv.shape[1]
    kept = torch.where(seen(at, kv, shift), at, -1)
    bias = q.new_full((B, 1, at.shape[1], keys + 1), INF)
    bias.scatter_(-1, torch.where(kept >= 0, kept, keys).unsqueeze(1), 0.0)
    logits = torch.matmul(q, kv.unsqueeze(1).mT) * D**-0.5 + bias[..., :keys]
    logits = torch.cat([logits, sink.view(1, -1, 1, 1).expand(B, -1, at.shape[1], -1)], -1)
    logits = logits - logits.max(-1, keepdim=True).values
    return torch.matmul(F.softmax(logits, -1)[..., :-1], kv.unsqueeze(1))


def counted(at, q, kv, sink, shift):
    count = torch.zeros(B, at.shape[1], kv.shape[1], dtype=torch.int32)
    count.scatter_add_(-1, at.clamp(min=0), seen(at, kv, shift).to(torch.int32))
    return dense(q, kv, count.ne(0))


def last_column(at, q, kv, sink, shift):
    keys = kv.shape[1]
    kept = torch.where(seen(at, kv, shift), at, keys)
    return dense(q, kv, torch.zeros(B, at.shape[1], keys + 1, dtype=torch.bool).scatter(-1, kept, True)[..., :keys])


def gather(at, q, kv, sink, shift):
    """Gathered keys, softmax written out, the sink in its denominator."""
    keys = kv.gather(1, at.reshape(B, -1, 1).expand(-1, -1, D)).reshape(B, at.shape[1], K, D)
    logits = torch.einsum("bshd,bskd->bshk", q.transpose(1, 2), keys) * D**-0.5
    logits = logits.masked_fill(~seen(at, kv, shift).unsqueeze(2), INF)
    top = torch.maximum(logits.amax(-1), sink.view(1, 1, -1))
    p = torch.exp(logits - top.unsqueeze(-1))
    total = p.sum(-1) + torch.exp(sink.view(1, 1, -1) - top)
    return (torch.einsum("bshk,bskd->bshd", p, keys) / total.unsqueeze(-1)).transpose(1, 2)


def index_select(at, q, kv, sink, shift):
    keys = kv.shape[1]
    rows = (at + torch.arange(B).view(B, 1, 1) * keys).reshape(-1)
    own = kv.reshape(B * keys, D).index_select(0, rows).view(B, at.shape[1], K, D)
    logits = (q.transpose(1, 2) @ own.mT) * D**-0.5
    return (logits.masked_fill(~seen(at, kv, shift).unsqueeze(2), INF).softmax(-1) @ own).transpose(1, 2)


def advanced(at, q, kv, sink, shift):
    own = kv[torch.arange(B)[:, None, None], at]
    mask = seen(at, kv, shift).unsqueeze(2)
    return F.scaled_dot_product_attention(q.transpose(1, 2), own, own, attn_mask=mask).transpose(1, 2)


def compared(at, q, kv, sink, shift):
    listed = (at.unsqueeze(-1) == torch.arange(kv.shape[1])).any(-2)
    return dense(q, kv, listed & visible(at.shape[1], kv.shape[1], shift))


def one_hot(at, q, kv, sink, shift):
    listed = F.one_hot(at, kv.shape[1]).sum(-2).bool()
    return dense(q, kv, listed & visible(at.shape[1], kv.shape[1], shift))


CONSUMERS: tuple[Part, ...] = (
    not_selected, additive, sentinel, counted, last_column, gather, index_select, advanced, compared, one_hot,
)  # fmt: skip


def model(score: Part, mask: Part, select: Part, consume: Part, shift: int = 0) -> Callable[..., Any]:
    """The attention put together from one spelling of each part; `shift` moves the consumer's mask alone."""

    def attend(iq, ik, w, q, kv, sink):
        assert ik.shape[1] == kv.shape[1]  # under symbolic sizes this makes them one
        return consume(select(mask(score(iq, ik, w))), q, kv, sink, shift)

    return attend


# Almost right: what is wrong, the model, and what the refusal says (any of these).


def turned_weights(score, mask, select, consume):
    return lambda iq, ik, w, *rest: model(score, mask, select, consume)(iq, ik, w * -2.0, *rest)


def turned_scores(score, mask, select, consume):
    return model(lambda q, k, w: score(q, k, w) * -1.0, mask, select, consume)


def smallest(score, mask, select, consume):
    def least(x):
        if select is topk:
            return x.topk(K, dim=-1, largest=False).indices
        return x.sort(dim=-1).indices[..., :K] if select is sort else torch.argsort(x, dim=-1)[..., :K]

    return model(score, mask, least, consume)


def rounded(score, mask, select, consume):
    return model(lambda q, k, w: score(q, k, w).bfloat16(), mask, select, consume)


def looks_ahead(score, mask, select, consume):
    return model(score, mask, select, consume, shift=1)


def returned(score, mask, select, consume):
    def both(iq, ik, w, q, kv, sink):
        assert ik.shape[1] == kv.shape[1]
        at = select(mask(score(iq, ik, w)))
        return consume(at, q, kv, sink, 0), at

    return both


def merged(score, mask, select, consume):
    """Two keys become one: a list that may name it twice."""
    return model(score, mask, lambda x: select(x) // 2, consume)


AHEAD = "does not hide again what the selection's mask hides"
DEFECTS: dict[Callable[..., Any], tuple[str, ...]] = {
    turned_weights: ("is negative: it turns the order",),
    turned_scores: ("it turns the order of the keys around",),
    smallest: ("keeps the smallest scores", "puts the smallest scores first"),
    rounded: ("are rounded from f32 to bf16 before top-k",),
    looks_ahead: (AHEAD,),
    returned: ("its indices are returned",),
    merged: ("are used by torch.aten.floor_divide", "are used by torch.aten.div"),
}


def applies(defect: Callable[..., Any], score: Part) -> bool:
    """A sign folded into weights that are computed anyway is data, and right."""
    return not (defect is turned_weights and score is eight_bits)
