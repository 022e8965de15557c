"""Attention over a window segment and a compressed segment, each restricted to lists of picked keys."""

import torch

from . import meaning_masks as masks
from .meaning_selection import reference as selection


def value_width_of(query, ori_value, value_width):
    """Dv: the width of the separate values, else `value_width`, else the width of a key."""
    if ori_value is not None:
        return ori_value.shape[-1]
    return query.shape[-1] if value_width < 0 else value_width


def infer(query, *, ori_value=None, value_width=-1, return_lse=False, **rest):
    """Uninitialised results: out [B, S, N, Dv] in the query's dtype, lse fp32 [B, S, N] or [0]."""
    heads = tuple(query.shape[:-1])
    out = query.new_empty((*heads, value_width_of(query, ori_value, value_width)))
    return out, query.new_empty(heads if return_lse else (0,), dtype=torch.float32)


def reference(
    query: torch.Tensor,
    *,
    ori_kv: torch.Tensor | None = None,
    ori_value: torch.Tensor | None = None,
    cmp_kv: torch.Tensor | None = None,
    ori_indices: torch.Tensor | None = None,
    cmp_indices: torch.Tensor | None = None,
    sinks: torch.Tensor | None = None,
    visible: torch.Tensor | None = None,
    cmp_visible: torch.Tensor | None = None,
    mask: torch.Tensor | None = None,
    scale: float = 1.0,
    value_width: int = -1,
    ori_mask: str = "none",
    ori_left: int = -1,
    ori_right: int = -1,
    cmp_mask: str = "none",
    cmp_ratio: int = 1,
    empty_rows: str = "zero",
    return_lse: bool = False,
) -> tuple[torch.Tensor, torch.Tensor]:
    """softmax(scale * query key^T + masks) value in fp32, the sinks being part of the denominator only.

    query [B,S,N,D]; ori_kv [B,T,G,D] with ori_value [B,T,G,Dv] or the first Dv channels of the key as value; cmp_kv
    [B,Tc,G,D], whose values are always its first Dv channels; query head n uses key head n // (N / G). *_indices
    [B or 1,S,K] list the keys of a segment a row may use (negative: none; a key listed once). visible and cmp_visible
    int32 [B or 1,S] count visible keys. mask, bool or float, broadcasts to [B,N,S,T+Tc].
    A row without any key gives 0 ("zero"), the mean of its values ("mean") or NaN ("nan"), and 0 when there are sinks.
    Returns out [B,S,N,Dv] in the query's dtype and lse fp32 [B,S,N], an empty tensor unless `return_lse`.
    """
    batch, rows, heads, _ = query.shape
    out, lse = infer(query, ori_value=ori_value, value_width=value_width, return_lse=return_lse)
    width, originals = out.shape[-1], 0 if ori_kv is None else ori_kv.shape[1]
    counts = masks.visible_counts(visible, rows, originals, query.device)
    keys, values, allowed = [], [], []
    if ori_kv is not None:
        keys.append(ori_kv)
        values.append(ori_kv[..., :width] if ori_value is None else ori_value)
        shown = _original_keys(ori_mask, counts, originals, ori_left, ori_right)
        allowed.append(_listed("ori_indices", ori_indices, shown, originals))
    if cmp_kv is not None:
        keys.append(cmp_kv)
        values.append(cmp_kv[..., :width])
        shown = _compressed_keys(cmp_mask, counts, cmp_visible, cmp_ratio, cmp_kv.shape[1])
        allowed.append(_listed("cmp_indices", cmp_indices, shown, cmp_kv.shape[1]))
    key, value, shown = torch.cat(keys, 1).float(), torch.cat(values, 1).float(), torch.cat(_aligned(allowed), -1)
    mask = None if mask is None else mask.expand(batch, heads, rows, key.shape[1])
    step = masks.rows_per_step(batch * heads * key.shape[1])
    for part in (slice(start, start + step) for start in range(0, rows, step)):
        logits = masks.apply(_logits(query[:, part], key) * scale, None if mask is None else mask[:, :, part])
        logits = logits.masked_fill(~shown[:, None, part], float("-inf"))
        out_part, lse_part = _softmax(logits, value, sinks, empty_rows)
        out[:, part] = out_part.transpose(1, 2)
        if return_lse:
            lse[:, part] = lse_part.transpose(1, 2)
    return out, lse


def _original_keys(mode: str, counts: torch.Tensor, keys: int, left: int, right: int) -> torch.Tensor:
    """Bool [B or 1, S, T]: the original keys a row sees."""
    if mode == "causal":
        return masks.prefix(counts, keys)
    return (
        masks.band(counts, keys, left, right) if mode == "band" else masks.prefix(torch.full_like(counts, keys), keys)
    )


def _compressed_keys(
    mode: str, counts: torch.Tensor, visible: torch.Tensor | None, ratio: int, keys: int
) -> torch.Tensor:
    """Bool [B or 1, S, Tc]: the compressed keys a row sees, by its own count or one per `ratio` visible tokens."""
    if mode == "none":
        return masks.prefix(torch.full_like(counts, keys), keys)
    return masks.prefix(torch.div(counts, ratio, rounding_mode="floor") if visible is None else visible, keys)


def _listed(name: str, indices: torch.Tensor | None, shown: torch.Tensor, keys: int) -> torch.Tensor:
    """The shown keys that are in the list as well."""
    if indices is None:
        return shown
    wrong = (indices >= keys).nonzero()
    if wrong.numel():
        place = wrong[0].tolist()
        raise ValueError(
            f"sparse_attn.attention: {name}{place} is {int(indices[tuple(place)])}, the segment has {keys} keys; "
            "use a negative index for no key"
        )
    return shown & selection(indices, extent=keys)


def _aligned(parts: list[torch.Tensor]) -> list[torch.Tensor]:
    """The parts with one common batch size."""
    batch = torch.broadcast_shapes(*(part.shape[:2] for part in parts))
    return [part.expand(*batch, part.shape[-1]) for part in parts]


def _logits(query: torch.Tensor, key: torch.Tensor) -> torch.Tensor:
    """Products [B, N, S, T] of query [B, S, N, D] and fp32 key [B, T, G, D]."""
    groups = key.shape[2]
    grouped = query.float().unflatten(2, (groups, -1)).permute(0, 2, 3, 1, 4)
    return torch.matmul(grouped, key.permute(0, 2, 3, 1).unsqueeze(2)).flatten(1, 2)


def _softmax(
    logits: torch.Tensor, value: torch.Tensor, sinks: torch.Tensor | None, empty_rows: str
) -> tuple[torch.Tensor, torch.Tensor]:
    """Output [B, N, S, Dv] and log-sum-exp [B, N, S] of logits [B, N, S, T] over value [B, T, G, Dv]."""
    groups = value.shape[2]
    values = value.permute(0, 2, 1, 3).unsqueeze(2)
    sink = logits.new_full((1,), float("-inf")) if sinks is None else sinks.float()
    sink = sink.view(1, -1, 1, 1).expand(*logits.shape[:3], 1)
    top = torch.cat([logits, sink], -1).amax(-1, keepdim=True)
    empty = top == float("-inf")
    top = top.masked_fill(empty, 0.0)
    weights = torch.exp(logits - top)
    total = weights.sum(-1, keepdim=True) + torch.exp(sink - top)
    result = torch.matmul(weights.unflatten(1, (groups, -1)), values).flatten(1, 2) / total
    if empty_rows == "mean" and value.shape[1]:
        filler = values.mean(-2, keepdim=True).expand(-1, -1, logits.shape[1] // groups, -1, -1).flatten(1, 2)
    else:
        filler = float("nan") if empty_rows == "nan" else 0.0
    return torch.where(empty, filler, result), (top + torch.log(total)).squeeze(-1)
