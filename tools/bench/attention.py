"""Peers of `torch.ops.sparse_attn.attention`. All results are [B,S,N,Dv]."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from .peers import Cost, Peer, compiled
from .shapes import Attention

NONE = float("-inf")


def operator(shape: Attention, inputs: dict[str, Any]) -> Callable[[], torch.Tensor]:
    """Our operator on a shape's inputs."""
    if shape.window:
        masks = {"ori_mask": "band", "ori_left": shape.window - 1, "ori_right": 0, "cmp_mask": "prefix"}
    else:
        masks = {"ori_mask": "causal"}
    call = torch.ops.sparse_attn.attention
    query, rest = inputs["query"], {name: value for name, value in inputs.items() if name != "query"}
    return lambda: call(query, **rest, **masks)[0]


def selected(shape: Attention, inputs: dict[str, Any]) -> torch.Tensor:
    """Which keys a row attends, bool [B,S,T+Tc], as models build it: from index lists by scatter, and positions."""
    s = shape
    key, row = torch.arange(s.keys), torch.arange(s.keys - s.rows, s.keys)[:, None]
    own = (key <= row) & (key > row - s.window if s.window else key >= 0)
    own = own.expand(s.batch, -1, -1)
    if "ori_indices" in inputs:
        return own & _listed(inputs["ori_indices"], s.keys)
    if not s.compressed:
        return own
    if "cmp_indices" in inputs:
        return torch.cat([own, _listed(inputs["cmp_indices"], s.compressed)], -1)
    return torch.cat([own, torch.arange(s.compressed) < inputs["cmp_visible"][..., None]], -1)


def _listed(indices: torch.Tensor, keys: int) -> torch.Tensor:
    none = torch.zeros(*indices.shape[:-1], keys + 1, dtype=torch.bool, device=indices.device)
    return none.scatter(-1, torch.where(indices < 0, keys, indices).long(), True)[..., :keys]


def _rows(inputs: dict[str, Any]) -> tuple[torch.Tensor, torch.Tensor]:
    """All keys and all values, [B,T+Tc,G,...]."""
    keys = torch.cat([inputs["ori_kv"], inputs["cmp_kv"]], 1) if "cmp_kv" in inputs else inputs["ori_kv"]
    return keys, inputs.get("ori_value", keys[..., : inputs.get("value_width", keys.shape[-1])])


def dense(shape: Attention, inputs: dict[str, Any]) -> torch.Tensor:
    """As transformers writes these models: every product is computed, the mask decides afterwards."""
    mask = selected(shape, inputs)[:, None]
    query = inputs["query"].transpose(1, 2)
    keys, values = (each.transpose(1, 2) for each in _rows(inputs))
    if "sinks" not in inputs:
        made = torch.nn.functional.scaled_dot_product_attention(query, keys, values, mask, scale=inputs["scale"])
        return made.transpose(1, 2)
    keys = keys.expand(-1, shape.heads, -1, -1)
    bias = torch.zeros((), dtype=query.dtype).where(mask, NONE)
    logits = torch.matmul(query, keys.transpose(2, 3)) * inputs["scale"] + bias
    sinks = inputs["sinks"].to(logits.dtype).reshape(1, -1, 1, 1).expand(shape.batch, -1, shape.rows, -1)
    logits = torch.cat([logits, sinks], -1)
    logits = logits - logits.max(-1, keepdim=True).values
    shares = torch.softmax(logits, -1, dtype=torch.float32)[..., :-1].to(query.dtype)
    return torch.matmul(shares, keys).transpose(1, 2)


def _dense_cost(shape: Attention, size: int) -> Cost:
    products = shape.batch * shape.rows * shape.heads * (shape.keys + shape.compressed)
    # logits with and without sinks and bias, fp32 shares, and shares in the type of the values
    return Cost(2.0 * products * (shape.width + shape.value), products * (3.0 * size + 4))


def gathered(shape: Attention, inputs: dict[str, Any]) -> torch.Tensor:
    """Only the selected keys, copied together row by row."""
    index = key_list(shape, inputs)
    keys, values = _rows(inputs)
    batch, seen = torch.arange(shape.batch)[:, None, None], index.clamp(min=0)
    keys, hidden = keys[batch, seen], index[:, :, None] < 0
    values = keys[..., : shape.value] if shape.shared else values[batch, seen]
    spelling = "bsngd,bskgd->bsngk"
    query = inputs["query"].unflatten(2, (shape.groups, -1)).transpose(2, 3)
    logits = torch.einsum(spelling, query, keys).float() * inputs["scale"]
    logits = logits.masked_fill(hidden[:, :, :, None], NONE)
    if "sinks" in inputs:
        sinks = inputs["sinks"].reshape(shape.groups, -1).T[None, None, :, :, None]
        logits = torch.cat([logits, sinks.expand(*logits.shape[:-1], 1)], -1)
    shares = torch.softmax(logits, -1)[..., : index.shape[-1]].to(keys.dtype)
    return torch.einsum("bsngk,bskgd->bsngd", shares, values).transpose(2, 3).flatten(2, 3)


def key_list(shape: Attention, inputs: dict[str, Any]) -> torch.Tensor:
    """The attended keys of every row, int64 [B,S,K] over ordinary then compressed keys, -1 for none."""
    s = shape
    parts = []
    if s.window:
        row = torch.arange(s.keys - s.rows, s.keys)[:, None]
        parts.append((row - torch.arange(min(s.window, s.keys))).clamp(min=-1).expand(s.batch, -1, -1))
    if "ori_indices" in inputs:
        parts.append(inputs["ori_indices"].long())
    if "cmp_indices" in inputs:
        listed = inputs["cmp_indices"].long()
        parts.append(torch.where(listed < 0, -1, listed + s.keys))
    elif s.compressed:
        every = torch.arange(s.compressed)
        parts.append(torch.where(every < inputs["cmp_visible"][..., None], every + s.keys, -1))
    return torch.cat(parts, -1)


def _gathered_cost(shape: Attention, size: int) -> Cost:
    rows = shape.batch * shape.rows * shape.attended
    copied = rows * shape.groups * (shape.width + (0 if shape.shared else shape.value)) * size
    return Cost(shape.flops, copied + rows * shape.heads * (8.0 + size))


def flex(shape: Attention, inputs: dict[str, Any]) -> Callable[[], torch.Tensor]:
    """flex_attention with the selection as its mask; a sink is the score of one more key, whose value is zero."""
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    keep, sinks, pad = selected(shape, inputs), inputs.get("sinks"), torch.nn.functional.pad
    query = inputs["query"].transpose(1, 2).contiguous()
    keys, values = (each.transpose(1, 2).contiguous() for each in _rows(inputs))
    sink_key = keep.shape[-1]
    if sinks is not None:
        keep = pad(keep, (0, 1), value=True)
        keys, values = (pad(each, (0, 0, 0, 1)) for each in (keys, values))
    blocks = create_block_mask(
        lambda b, h, q, kv: keep[b, q, kv], shape.batch, None, shape.rows, keep.shape[-1], device="cpu"
    )
    options: dict[str, Any] = {"block_mask": blocks, "scale": inputs["scale"]}
    options["enable_gqa"] = shape.groups != shape.heads
    if sinks is not None:
        options["score_mod"] = lambda score, b, h, q, kv: torch.where(kv == sink_key, sinks[h].to(score.dtype), score)
    attend = compiled(flex_attention)
    return lambda: attend(query, keys, values, **options).transpose(1, 2)


def _flex_cost(shape: Attention, size: int) -> Cost:
    return Cost(_dense_cost(shape, size).flops, shape.batch * shape.rows * (shape.keys + shape.compressed) * 2.0)


def _called(function: Callable[..., torch.Tensor]) -> Callable[..., Callable[[], torch.Tensor]]:
    return lambda shape, inputs: lambda: function(shape, inputs)


def _dense_inductor(shape: Attention, inputs: dict[str, Any]) -> Callable[[], torch.Tensor]:
    function = compiled(lambda given: dense(shape, given))
    return lambda: function(inputs)


PEERS = (
    Peer("eager, as transformers", _called(dense), _dense_cost),
    Peer("inductor", _dense_inductor, _dense_cost),
    Peer("eager, gathered", _called(gathered), _gathered_cost),
    Peer("flex_attention", flex, _flex_cost),
)
