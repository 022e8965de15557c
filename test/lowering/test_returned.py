"""An indexer whose attention went back to torch: rows with fewer keys than k, and lists that cannot be kept."""

import pytest
import torch

from sparse_attn.backend import collecting, sparse_attn
from sparse_attn.lowering import settle

HIDDEN = float("-inf")


def sparse_attention(q, k, v, iq, ik, w, fill=HIDDEN, picks=6):
    """Causal sparse attention in plain torch: rows 0 to 4 see fewer keys than they pick."""
    tokens = q.shape[2]
    causal = torch.ones(tokens, tokens, dtype=torch.bool).tril()
    scores = torch.einsum("bshd,btd->bsht", iq, ik).relu()
    scores = torch.einsum("bsht,bsh->bst", scores.float(), w.float()).masked_fill(~causal, HIDDEN)
    chosen = scores.topk(picks, dim=-1).indices
    listed = torch.zeros(scores.shape, dtype=torch.bool).scatter(-1, chosen, True)
    mask = (listed & causal)[:, None]
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)


def tensors(dtype, heads=4, tokens=16):
    make = torch.Generator().manual_seed(3)
    shapes = [(2, heads, tokens, 32)] * 3 + [(2, tokens, 64, 128), (2, tokens, 128), (2, tokens, 64)]
    return [torch.randn(shape, generator=make).to(dtype) for shape in shapes]


def compiled(function, given, target):
    torch._dynamo.reset()
    with torch.no_grad(), collecting() as reports:
        made = torch.compile(function, backend=sparse_attn, fullgraph=True, options={"target": target})(*given)
    return made, reports[0]


@pytest.mark.parametrize("target", ["ascend950", "a3", "a2"])
def test_the_last_key_stands_for_none(target):
    """Each head has keys of its own, which no attention kernel takes; the indexer's kernel is kept."""
    given = tensors(torch.bfloat16)
    found, report = compiled(sparse_attention, given, target)
    indexer, attention = sorted(report, key=lambda f: f.kind != "indexer")
    assert "lightning_indexer" in indexer.became and not attention.fused, report.text()
    torch.testing.assert_close(found, sparse_attention(*given), rtol=2**-7, atol=1e-3)


def test_on_the_host_both_are_fused():
    given = tensors(torch.float32)
    found, report = compiled(sparse_attention, given, "host")
    assert all(f.fused for f in report), report.text()
    torch.testing.assert_close(found, sparse_attention(*given), rtol=1e-5, atol=1e-5)


def without_sparse_attention(monkeypatch):
    """`settle` sees nothing sparse in any attention and gives all of them back, after their lists were fused."""
    monkeypatch.setattr(settle, "sparse", lambda value: False)


def test_on_the_host_too(monkeypatch):
    without_sparse_attention(monkeypatch)
    given = tensors(torch.float32)
    found, report = compiled(sparse_attention, given, "host")
    indexer, attention = sorted(report, key=lambda f: f.kind != "indexer")
    assert indexer.fused and not attention.fused, report.text()
    torch.testing.assert_close(found, sparse_attention(*given), rtol=1e-5, atol=1e-5)


def test_a_mask_that_is_no_range_gives_the_indexer_back(monkeypatch):
    """Which key is hidden cannot be said then: torch's own list stays."""

    def masked(bias, *given):
        q, k, v, iq, ik, w = given
        scores = torch.einsum("bsht,bsh->bst", torch.einsum("bshd,btd->bsht", iq, ik).relu(), w) + bias
        listed = torch.full(scores.shape, HIDDEN).scatter(-1, scores.topk(6, dim=-1).indices, 0.0)
        return torch.softmax(q @ k.mT + (listed + bias)[:, None], -1) @ v

    hidden = torch.rand(2, 16, 16, generator=torch.Generator().manual_seed(1)) < 0.7
    hidden[:, :, 3] = False
    bias = torch.zeros(2, 16, 16).masked_fill(hidden, HIDDEN)
    given = [bias, *tensors(torch.float32)]
    found, report = compiled(masked, given, "host")
    assert all(f.fused for f in report), report.text()
    torch.testing.assert_close(found, masked(*given), rtol=1e-5, atol=1e-5)
    without_sparse_attention(monkeypatch)
    found, report = compiled(masked, given, "host")
    assert not any(f.fused for f in report)
    assert "a torch op reads its list and is not proven to stand a -1 there" in report.text()
    torch.testing.assert_close(found, masked(*given), rtol=1e-5, atol=1e-5)


def test_in_full_precision_both_go_back():
    given = tensors(torch.float32)
    found, report = compiled(sparse_attention, given, "ascend950")
    assert not any(f.fused for f in report)
    torch.testing.assert_close(found, sparse_attention(*given), rtol=0, atol=0)


def test_a_list_that_is_returned_is_not_touched():
    """The caller would see -1: the indexer is not fused at all."""

    def also_returned(*given):
        causal = torch.ones(16, 16, dtype=torch.bool).tril()
        scores = torch.einsum("bshd,btd->bsht", given[3], given[4]).relu()
        scores = torch.einsum("bsht,bsh->bst", scores.float(), given[5].float()).masked_fill(~causal, HIDDEN)
        return scores.topk(6, dim=-1).indices

    given = tensors(torch.bfloat16)
    found, report = compiled(also_returned, given, "host")
    assert "its indices are returned" in report.text()
    assert torch.equal(found, also_returned(*given))
