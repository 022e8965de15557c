"""Nine spellings of one indexer, and near misses that are a different operation."""

from __future__ import annotations

import torch

K = 4
ROWS, KEYS, HEADS, WIDTH = 4, 16, 8, 128


def inputs(dtype: torch.dtype = torch.float32, batch: int = 1) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """query [B, 4, 8, 128], key [B, 16, 128], weights [B, 4, 8]."""
    generator = torch.Generator().manual_seed(5)

    def draw(*sizes: int) -> torch.Tensor:
        return torch.randn(*sizes, generator=generator).to(dtype)

    return draw(batch, ROWS, HEADS, WIDTH), draw(batch, KEYS, WIDTH), draw(batch, ROWS, HEADS).abs()


def dots(q, k):
    return torch.einsum("bsnd,btd->bsnt", q, k)


def identical(q, k, w):
    return torch.topk((torch.relu(dots(q, k)) * w.unsqueeze(-1)).sum(2), K, -1)[1]


def matmul(q, k, w):
    return (torch.matmul(q, k.transpose(-1, -2).unsqueeze(1)).relu() * w[..., None]).sum(-2).topk(K, -1).indices


def another_k(q, k, w):
    return torch.topk((torch.relu(dots(q, k)) * w.unsqueeze(-1)).sum(2), 8, -1)[1]


def second_einsum(q, k, w):
    return torch.topk(torch.einsum("bsnt,bsn->bst", torch.relu(dots(q, k)), w), K, -1)[1]


def sum_over_minus_two(q, k, w):
    return torch.topk((torch.relu(dots(q, k)) * w.unsqueeze(-1)).sum(dim=-2), K, dim=-1)[1]


def weight_first(q, k, w):
    return torch.topk((w.unsqueeze(-1) * torch.relu(dots(q, k))).sum(2), K, -1)[1]


def float_inputs(q, k, w):
    return torch.topk((torch.relu(dots(q.float(), k.float())) * w.float().unsqueeze(-1)).sum(2), K, -1)[1]


def scores_returned(q, k, w):
    scores = (torch.relu(dots(q, k)) * w.unsqueeze(-1)).sum(2)
    return torch.topk(scores, K, -1)[1], scores


def additive_mask(q, k, w):
    scores = (torch.relu(dots(q, k)) * w.unsqueeze(-1)).sum(2)
    return torch.topk(scores + torch.zeros(scores.shape[1], scores.shape[2], dtype=scores.dtype), K, -1)[1]


NINE = (
    identical, matmul, another_k, second_einsum, sum_over_minus_two, weight_first, float_inputs, scores_returned,
    additive_mask,
)  # fmt: skip


def no_relu(q, k, w):
    return torch.topk((dots(q, k) * w.unsqueeze(-1)).sum(2), K, -1)[1]


def unweighted(q, k, w):
    return torch.topk(torch.relu(dots(q, k)).sum(2), K, -1)[1]


def values_used(q, k, w):
    values, indices = torch.topk((torch.relu(dots(q, k)) * w.unsqueeze(-1)).sum(2), K, -1)
    return values * 2, indices


GENERAL = (no_relu, unweighted, values_used)  # host forms that no NPU kernel has


def negative_weight(q, k, w):
    return torch.topk((torch.relu(dots(q, k)) * (w * -0.5).unsqueeze(-1)).sum(2), K, -1)[1]


def negative_scale(q, k, w):
    return torch.topk((torch.relu(dots(q, k) * -0.1) * w.unsqueeze(-1)).sum(2), K, -1)[1]


def per_head(q, k, w):
    return torch.topk(torch.relu(dots(q, k)) * w.unsqueeze(-1), K, -1)[1]


def causal(rows: int, keys: int) -> torch.Tensor:
    return torch.arange(keys)[None, :] <= torch.arange(keys - rows, keys)[:, None]


def masked_without_mask_after(q, k, w):
    scores = (torch.relu(dots(q, k)) * w.unsqueeze(-1)).sum(2)
    return torch.topk(scores.masked_fill(~causal(scores.shape[1], scores.shape[2]), float("-inf")), K, -1)[1]


def attended(shift: int):
    """Selection under a causal mask, attention under one moved by `shift` keys."""

    def attend(q, k, w):
        scores = (torch.relu(dots(q, k)) * w.unsqueeze(-1)).sum(2)
        rows, keys = scores.shape[1:]
        picked = torch.topk(scores.masked_fill(~causal(rows, keys), float("-inf")), K, -1)[1]
        chosen = torch.zeros_like(scores, dtype=torch.bool).scatter(-1, picked, True)
        seen = torch.arange(keys)[None, :] <= torch.arange(keys - rows, keys)[:, None] + shift
        kv = k.unsqueeze(1).expand(-1, q.shape[2], -1, -1)
        mask = (chosen & seen).unsqueeze(1)
        return torch.nn.functional.scaled_dot_product_attention(q.transpose(1, 2), kv, kv, attn_mask=mask)

    attend.__name__ = f"attended_shift_{shift}"
    return attend


REFUSED = {
    negative_weight: "the weight scale -0.5 is negative",
    negative_scale: "the score scale -0.1 is negative",
    per_head: "top-k is taken per head",
    masked_without_mask_after: "its indices are returned",
    attended(1): "does not hide again what the selection's mask hides",
}
