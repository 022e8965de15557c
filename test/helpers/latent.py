"""Small latent attention with an indexer, in the spellings models use, and with one thing changed at a time."""

from __future__ import annotations

import torch
from sites import INF

B, S, T, N, C, NOPE, R, DV, K, H, D = 2, 2, 40, 4, 16, 6, 4, 5, 8, 3, 4


def inputs(rows: int = S, seed: int = 0, **sizes: int) -> dict[str, torch.Tensor]:
    """Queries, latent, rotary keys, weights [N (NOPE + DV), C], and an indexer's query, key and weights."""
    made = torch.Generator().manual_seed(seed)
    tokens = sizes.get("tokens", T)
    shapes = {
        "q": (B, N, rows, NOPE + R), "latent": (B, 1, tokens, C), "rope": (B, 1, tokens, R), "w": (N * (NOPE + DV), C),
        "iq": (B, rows, H, D), "ik": (B, tokens, D), "iw": (B, rows, H),
    }  # fmt: skip
    return {name: torch.randn(shape, generator=made) * (0.3 if name == "w" else 1.0) for name, shape in shapes.items()}


def picks(iq, ik, iw):
    """An additive mask [B, 1, S, T] of the K best keys."""
    scores = torch.einsum("bsht,bsh->bst", torch.relu(torch.einsum("bshd,btd->bsht", iq, ik)), iw)
    indices = scores.topk(K, -1)[1]
    return torch.full(scores.shape, INF).scatter(-1, indices, 0.0).unsqueeze(1)


def attend(q, k, v, mask, scale=0.4):
    return torch.softmax(q @ k.transpose(-1, -2) * scale + mask, -1) @ v


def split(expanded):
    """[B, N, T, NOPE] and [B, N, T, DV] out of [B, 1, T, N (NOPE + DV)]."""
    each = expanded.view(B, -1, N, NOPE + DV).transpose(1, 2)
    return each.split([NOPE, DV], -1)


def heads(x):
    return x.expand(-1, N, -1, -1)


def by_copies(nope, rope):
    """Keys written into an empty tensor, as DeepSeek's code does."""
    keys = nope.new_empty(*nope.shape[:-1], NOPE + R)
    keys[..., :NOPE].copy_(nope)
    keys[..., NOPE:].copy_(heads(rope))
    return keys


def attention(keys_and_values, swapped=False, **rest):
    """A function of `inputs`; `keys_and_values(latent, rope, w)` spells the expansion; `swapped`: rotary first."""

    def function(q, latent, rope, w, iq, ik, iw, **more):
        k, v = keys_and_values(latent, rope, w, **more)
        return attend(q.roll(R, -1) if swapped else q, k, v, picks(iq, ik, iw), **rest)

    return function


def plain(latent, rope, w):
    nope, v = split(torch.nn.functional.linear(latent, w))
    return torch.cat([nope, heads(rope)], -1), v


def copied(latent, rope, w):
    nope, v = split(torch.nn.functional.linear(latent, w))
    return by_copies(nope, rope), v


def rotary_first(latent, rope, w):
    nope, v = split(torch.nn.functional.linear(latent, w))
    return torch.cat([heads(rope), nope], -1), v


def by_einsum(latent, rope, w):
    each = w.view(N, NOPE + DV, C)
    nope = torch.einsum("btc,hdc->bhtd", latent[:, 0], each[:, :NOPE])
    v = torch.einsum("hec,btc->bhte", each[:, NOPE:], latent[:, 0])
    return torch.cat([nope, heads(rope)], -1), v


def by_matmul(latent, rope, w):
    each = w.view(1, N, NOPE + DV, C).transpose(-1, -2)
    nope, v = (latent @ each).split([NOPE, DV], -1)
    return torch.cat([nope, heads(rope)], -1), v


def multiplied(latent, rope, w):
    nope, v = split(torch.nn.functional.linear(latent, w))
    return torch.cat([nope * 0.5, heads(rope)], -1), v * -3.0


def two_shared_parts(latent, rope, w):
    nope, v = split(torch.nn.functional.linear(latent, w))
    return torch.cat([heads(rope[..., :1]), nope, heads(rope[..., 1:])], -1), v


def cached(latent, rope, w):
    """The latent of tokens before and now, joined."""
    return plain(torch.cat([latent[:, :, :-S], latent[:, :, -S:] * 2], 2), rope, w)
