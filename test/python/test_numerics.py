"""Half precision, site by site: fed eager's own inputs, a fused attention is as near to the truth as eager is."""

import compiled
import pytest
import spellings
import torch

ROW_RELATIVE, ABSOLUTE = 2.0**-7, 1e-4


def window_with_sinks(q, k, w):
    """[B, S, N, D] queries over shared key-value rows: a window of 5 and one sink a head, as DeepSeek-V4 writes it."""
    query, keys = q.transpose(1, 2), k.unsqueeze(1)
    rows, count = query.shape[2], keys.shape[2]
    where = torch.arange(count)[None, :] - torch.arange(count - rows, count)[:, None]
    bias = torch.where((where <= 0) & (where > -5), 0.0, float("-inf")).to(q.dtype)
    repeated = keys.expand(-1, query.shape[1], -1, -1)
    logits = torch.matmul(query, repeated.transpose(2, 3)) * query.shape[-1] ** -0.5 + bias
    sinks = w[0, 0].reshape(1, -1, 1, 1).expand(query.shape[0], -1, rows, -1)
    logits = torch.cat([logits, sinks], -1)
    logits = logits - logits.max(-1, keepdim=True).values
    return torch.matmul(torch.softmax(logits, -1)[..., :-1], repeated).transpose(1, 2)


SITES = {"selected": spellings.attended(0), "window": window_with_sinks}


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16], ids=["bf16", "fp16"])
@pytest.mark.parametrize("name", SITES)
def test_a_site_is_within_tolerance_and_no_worse_than_eager(name, dtype):
    site = SITES[name]
    got, reports = compiled.run(site, spellings.inputs(dtype))
    assert all(f.fused for r in reports for f in r)
    eager = site(*spellings.inputs(dtype))
    exact = site(*(x.double() for x in spellings.inputs(dtype)))
    assert got.dtype == eager.dtype
    row = exact.abs().amax(-1, keepdim=True)
    assert ((got - eager).double().abs() <= ROW_RELATIVE * row + ABSOLUTE).all()
    error, eager_error = ((x.double() - exact).abs().max() for x in (got, eager))
    assert error <= 2 * eager_error + 1e-6


def test_a_wrong_window_would_be_noticed():
    """The tolerance is no free pass: one key more in the window is far outside it."""
    q, k, w = spellings.inputs(torch.bfloat16)
    full = window_with_sinks(q, k, w).double()
    moved = window_with_sinks(q, torch.roll(k, 1, dims=1), w).double()
    row = full.abs().amax(-1, keepdim=True)
    assert not ((full - moved).abs() <= ROW_RELATIVE * row + ABSOLUTE).all()
