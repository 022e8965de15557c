"""torch.ops.sparse_attn.attention against the eager spelling: dtypes, heads, segments, lists, sinks, empty rows."""

import pytest
import torch
from meaning_cases import FLOATS, NONE, close, draw, integers, numpy_reference, operator, picks

attention = operator("attention")
pytestmark = pytest.mark.usefixtures("implementation")

B, S, T, C, N, G, D = 2, 11, 23, 14, 8, 2, 24


def eager(query, key, value, shown, scale, sinks=None):
    """What a model writes: repeat the key heads, add a mask, append the sink, softmax, drop the sink. fp32."""
    repeat = query.shape[2] // key.shape[2]
    query, key, value = (x.float().transpose(1, 2) for x in (query, key, value))
    key, value = key.repeat_interleave(repeat, 1), value.repeat_interleave(repeat, 1)
    logits = (query @ key.mT * scale).masked_fill(~shown, NONE)
    if sinks is not None:
        logits = torch.cat([logits, sinks.float().view(1, -1, 1, 1).expand(*logits.shape[:3], 1)], -1)
    weights = logits.softmax(-1)[..., : key.shape[2]]
    return (weights @ value).transpose(1, 2), logits.logsumexp(-1).transpose(1, 2)


def segments(dtype=torch.float32, batch=B, rows=S, keys=T, compressed=C, heads=N, groups=G, width=D):
    return (
        draw(batch, rows, heads, width, dtype=dtype),
        draw(batch, keys, groups, width, dtype=dtype, seed=1),
        draw(batch, compressed, groups, width, dtype=dtype, seed=2),
    )


def listed(indices, extent):
    """Bool [B, 1, S, extent]."""
    return (indices[..., None] == torch.arange(extent)).any(2)[:, None]


def causal(rows, keys):
    return torch.ones(rows, keys, dtype=torch.bool).tril(keys - rows)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(("heads", "groups"), [(8, 2), (3, 3), (1, 1), (20, 1), (64, 1), (130, 1), (32, 2)])
def test_causal_attention_with_a_cached_past(dtype, heads, groups):
    query, key, _ = segments(dtype, heads=heads, groups=groups)
    out, lse = attention(query, ori_kv=key, scale=0.2, ori_mask="causal", return_lse=True)
    wanted, total = eager(query, key, key, causal(S, T), 0.2)
    assert out.dtype == dtype
    close(out, wanted.to(dtype) if dtype == torch.float32 else wanted)
    torch.testing.assert_close(lse, total, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(("heads", "groups"), [(8, 2), (16, 1), (4, 4)])
def test_window_and_picked_compressed_keys_with_sinks(dtype, heads, groups):
    query, key, compressed = segments(dtype, heads=heads, groups=groups)
    sinks, indices = draw(heads, dtype=dtype, seed=3), picks(B, S, 6, C, seed=4)
    out, _ = attention(
        query, ori_kv=key, cmp_kv=compressed, cmp_indices=indices, sinks=sinks, scale=0.3,
        ori_mask="band", ori_left=4, ori_right=0,
    )  # fmt: skip
    window = causal(S, T) & ~causal(S, T).roll(-5, 1).tril(T - S - 5)
    shown = torch.cat([window.expand(B, 1, S, T), listed(indices, C)], -1)
    both = torch.cat([key, compressed], 1)
    close(out, eager(query, both, both, shown, 0.3, sinks)[0])


@pytest.mark.parametrize("count", [1, 5, 22, 23, 40])
@pytest.mark.parametrize("heads", [2, 16])
def test_lists_of_keys_with_values_apart(count, heads):
    """Lists wider than the segment end in -1, as a top-k of fewer visible keys does."""
    query, key, _ = segments(heads=heads)
    value, indices = draw(B, T, G, 10, seed=5), picks(B, S, count, T, seed=6)
    out, _ = attention(query, ori_kv=key, ori_value=value, ori_indices=indices, scale=0.3)
    wanted, _ = eager(query, key, value, listed(indices, T), 0.3)
    close(out, wanted.nan_to_num(0.0))


@pytest.mark.parametrize("rows", [1, 4])
@pytest.mark.parametrize("heads", [2, 16, 64])
def test_decode_over_long_lists_and_long_contexts(rows, heads):
    """Few rows over many keys are computed in parts and joined."""
    query, key, compressed = segments(rows=rows, keys=900, compressed=700, heads=heads)
    indices, sinks = picks(B, rows, 600, 700, seed=7), draw(heads, seed=3)
    call = {"scale": 0.2, "sinks": sinks, "return_lse": True, "ori_mask": "causal"}
    out, lse = attention(query, ori_kv=key, cmp_kv=compressed, cmp_indices=indices, **call)
    shown = torch.cat([causal(rows, 900).expand(B, 1, rows, 900), listed(indices, 700)], -1)
    both = torch.cat([key, compressed], 1)
    wanted, total = eager(query, both, both, shown, 0.2, sinks)
    close(out, wanted)
    torch.testing.assert_close(lse, total, rtol=1e-5, atol=1e-5)


def test_values_may_be_narrower_than_keys():
    query, key, compressed = segments()
    both = torch.cat([key, compressed], 1)
    out, _ = attention(query, ori_kv=key, cmp_kv=compressed, value_width=7, scale=0.3)
    close(out, eager(query, both, both[..., :7], torch.ones(S, T + C, dtype=torch.bool), 0.3)[0])


def test_one_list_may_serve_every_batch_and_may_be_int64():
    query, key, _ = segments()
    one = picks(1, S, 5, T, seed=6)
    each, _ = attention(query, ori_kv=key, ori_indices=one.expand(B, S, 5).contiguous(), scale=0.3)
    assert torch.equal(attention(query, ori_kv=key, ori_indices=one.long(), scale=0.3)[0], each)


def test_the_order_of_a_list_does_not_matter():
    query, key, _ = segments()
    indices = picks(B, S, 9, T, seed=6)
    flipped, _ = attention(query, ori_kv=key, ori_indices=indices.flip(-1), scale=0.3)
    close(flipped, attention(query, ori_kv=key, ori_indices=indices, scale=0.3)[0])


@pytest.mark.parametrize("rule", ["zero", "mean", "nan"])
@pytest.mark.parametrize("heads", [2, 16])
@pytest.mark.parametrize("sink", [False, True])
def test_rows_without_a_key(rule, heads, sink):
    query, _, compressed = segments(heads=heads)
    indices = picks(B, S, 5, C, seed=8)
    indices[:, 2] = indices[:, 7] = -1
    sinks = draw(heads, seed=3) if sink else None
    call = {"cmp_kv": compressed, "cmp_indices": indices, "scale": 0.3, "empty_rows": rule, "return_lse": True}
    out, lse = attention(query, sinks=sinks, **call)
    wanted, total = eager(query, compressed, compressed, listed(indices, C), 0.3, sinks)
    if not sink:
        empty = (indices < 0).all(-1)
        mean = compressed.mean(1).repeat_interleave(heads // G, 1)[:, None]
        fill = {"zero": torch.zeros(()), "mean": mean, "nan": torch.tensor(float("nan"))}[rule]
        wanted = torch.where(empty[..., None, None], fill, wanted)
        assert torch.equal(lse.isneginf(), empty[..., None].expand_as(lse)) and empty.sum() >= 2 * B
    close(out, wanted)
    torch.testing.assert_close(lse, total, rtol=1e-5, atol=1e-5)


def test_mean_is_what_a_finite_minimum_gives_in_eager():
    query, key, _ = segments()
    hidden = torch.zeros(S, T, dtype=torch.bool)
    added = torch.full((S, T), torch.finfo(torch.float32).min)
    natural, _ = attention(query, ori_kv=key, mask=added, scale=0.3)
    close(attention(query, ori_kv=key, mask=hidden, scale=0.3, empty_rows="mean")[0], natural)


@pytest.mark.parametrize("sizes", [(0, S, T), (B, 0, T), (B, S, 0)])
def test_empty_tensors(sizes):
    batch, rows, keys = sizes
    query, key, _ = segments(batch=batch, rows=rows, keys=keys)
    out, lse = attention(query, ori_kv=key, ori_mask="causal", return_lse=True, empty_rows="mean")
    assert out.shape == query.shape and lse.shape == query.shape[:3]
    assert not out.any() and lse.isneginf().all()


def test_more_rows_than_keys_leaves_the_first_rows_empty():
    query, key, _ = segments(rows=7, keys=3)
    out, lse = attention(query, ori_kv=key, ori_mask="causal", scale=0.3, return_lse=True)
    assert lse[:, :4].isneginf().all() and not out[:, :4].any()
    close(out[:, 4:], eager(query[:, 4:], key, key, causal(3, 3), 0.3)[0])


def test_nan_and_infinite_inputs_stay_in_their_rows():
    query, key, _ = segments()
    query[0, 3, 1] = float("nan")
    out, lse = attention(query, ori_kv=key, ori_mask="causal", scale=0.3, return_lse=True)
    assert out[0, 3, 1].isnan().all() and lse[0, 3, 1].isnan()
    assert out.isnan().sum() == D and lse.isnan().sum() == 1


def test_large_logits_do_not_overflow():
    query, key, _ = segments()
    out, _ = attention(query * 1e4, ori_kv=key, ori_mask="causal")
    close(out, eager(query * 1e4, key, key, causal(S, T), 1.0)[0])


def test_strided_inputs():
    query, key, compressed = segments()
    call = {"scale": 0.3, "ori_mask": "causal", "value_width": 5}
    wanted, _ = attention(query[:, :, ::2], ori_kv=key.flip(1), cmp_kv=compressed, **call)
    views = [
        x.permute(3, 2, 1, 0).contiguous().permute(3, 2, 1, 0) for x in (query[:, :, ::2], key.flip(1), compressed)
    ]
    close(attention(views[0], ori_kv=views[1], cmp_kv=views[2], **call)[0], wanted)


@pytest.mark.parametrize("which", ["ori", "cmp"])
@pytest.mark.parametrize("index", [C, T, 2**31 - 1])
def test_an_index_beyond_its_segment_is_an_error(which, index):
    query, key, compressed = segments(keys=C)
    indices = picks(B, S, 5, C, seed=6)
    indices[1, 4, 2] = index
    with pytest.raises(ValueError, match=rf"{which}_indices.*{index}"):
        attention(query, ori_kv=key, cmp_kv=compressed, **{f"{which}_indices": indices})


def test_counts_and_random_restrictions_agree_with_the_dialect():
    for seed in range(12):
        heads = (2, 8, 16)[seed % 3]
        query, key, compressed = segments(heads=heads)
        call = {
            "ori_kv": key, "cmp_kv": compressed, "scale": 0.3, "return_lse": True,
            "visible": integers(-3, T + 4, B, S, seed=seed),
            "ori_indices": picks(B, S, 9, T, seed=seed), "empty_rows": ("zero", "mean", "nan")[seed % 3],
            "ori_mask": ("causal", "band")[seed % 2], "cmp_mask": "prefix", "cmp_ratio": 1 + seed % 4,
        }  # fmt: skip
        if seed % 2:
            call |= {"ori_left": seed - 2, "ori_right": seed % 3 - 1}
        if seed % 4 == 3:
            call |= {"cmp_visible": integers(-1, C + 2, 1, S, seed=seed), "cmp_indices": picks(1, S, 4, C, seed=seed)}
        for found, wanted in zip(attention(query, **call), numpy_reference("attention", query, **call), strict=True):
            torch.testing.assert_close(found, wanted, rtol=1e-5, atol=1e-5, equal_nan=True)
