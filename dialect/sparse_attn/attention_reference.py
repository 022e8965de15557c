"""The meaning of `sparse_attn.attention` on numpy arrays: build every row's set of keys, then one softmax."""

import numpy as np

from .visibility import apply_mask, visible_counts


def attend(
    query, *, ori_kv=None, ori_value=None, cmp_kv=None, ori_indices=None, cmp_indices=None, sinks=None, visible=None,
    cmp_visible=None, mask=None, scale=1.0, value_width=-1, ori_mask="none", ori_left=-1, ori_right=-1,
    cmp_mask="none", cmp_ratio=1, empty_rows="zero", return_lse=False,
):  # fmt: skip
    """(out [B,S,N,Dv] in the query's dtype, lse fp32 [B,S,N] or [0]); ValueError for an index beyond its segment."""
    batch, rows, heads, depth = query.shape
    width = ori_value.shape[-1] if ori_value is not None else depth if value_width == -1 else value_width
    tokens = 0 if ori_kv is None else ori_kv.shape[1]
    counts = visible_counts(visible, rows, tokens)[..., None]
    keys, values, parts = [], [], []
    if ori_kv is not None:
        keys.append(ori_kv)
        values.append(ori_kv[..., :width] if ori_value is None else ori_value)
        parts.append(_listed(ori_indices, tokens) & _band(counts, tokens, ori_mask, ori_left, ori_right))
    if cmp_kv is not None:
        extent = cmp_kv.shape[1]
        seen = counts // cmp_ratio if cmp_visible is None else cmp_visible[..., None]
        keys.append(cmp_kv)
        values.append(cmp_kv[..., :width])
        parts.append(_listed(cmp_indices, extent) & ((cmp_mask == "none") | (np.arange(extent) < seen)))
    allowed = np.concatenate([np.broadcast_to(part, (batch, rows, part.shape[-1])) for part in parts], axis=-1)
    key, value = _per_head(np.concatenate(keys, axis=1), heads), _per_head(np.concatenate(values, axis=1), heads)
    scores = scale * np.einsum("bsnd,btnd->bnst", query.astype(np.float32), key)
    scores = apply_mask(np.where(allowed[:, None], scores, -np.inf), mask)
    out, lse = _softmax(scores, value, sinks, empty_rows)
    return out.astype(query.dtype), lse if return_lse else np.zeros(0, np.float32)


def _listed(indices, extent):
    """[B or 1, S, extent], or [1, 1, extent] without a list: which keys the lists name."""
    if indices is None:
        return np.ones((1, 1, extent), dtype=bool)
    if indices.size and indices.max() >= extent:
        raise ValueError(f"index {indices.max()} is beyond the {extent} keys of its segment")
    return (indices[..., None] == np.arange(extent)).any(axis=2)


def _band(counts, tokens, ori_mask, left, right):
    own, keys = counts - 1, np.arange(tokens)
    if ori_mask == "none":
        return np.ones((1, 1, tokens), dtype=bool)
    if ori_mask == "causal":
        return keys <= own
    return ((left == -1) | (keys >= own - left)) & ((right == -1) | (keys <= own + right))


def _per_head(rows, heads):
    return np.repeat(rows.astype(np.float32), heads // rows.shape[2], axis=2)


def _softmax(scores, values, sinks, empty_rows):
    """scores [B,N,S,T], values [B,T,N,Dv] to out [B,S,N,Dv], lse [B,S,N]."""
    if sinks is not None:
        column = np.broadcast_to(sinks.astype(np.float32)[None, :, None, None], (*scores.shape[:3], 1))
        scores = np.concatenate([scores, column], axis=-1)
        values = np.concatenate([values, np.zeros_like(values[:, :1])], axis=1)
    top = scores.max(axis=-1, keepdims=True, initial=-np.inf)
    empty = top == -np.inf
    weights = np.exp(scores - np.where(empty, 0, top))
    total = weights.sum(axis=-1, keepdims=True)
    out = np.einsum("bnst,btnd->bsnd", weights / np.where(empty, 1, total), values)
    with np.errstate(divide="ignore"):
        lse = (np.log(total) + np.where(empty, 0, top))[..., 0].transpose(0, 2, 1)
    fill = {"zero": 0.0, "nan": np.nan, "mean": values.mean(axis=1)[:, None] if values.shape[1] else 0.0}[empty_rows]
    out = np.where(empty[..., 0].transpose(0, 2, 1)[..., None], fill, out)
    return out.astype(np.float32), lse.astype(np.float32)
