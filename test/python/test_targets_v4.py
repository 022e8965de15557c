"""DeepSeek-V4 for every chip: each of its three kinds of layers has a kernel there, or the report says why not."""

import pytest
import torch
from chips import CHIPS

from sparse_attn.tools import tiny_models
from sparse_attn.tools.explain import explained

REAL = {  # the sizes that kernels look at are those of the published model; the rest is small
    "hidden_size": 64, "num_attention_heads": 64, "head_dim": 512, "o_groups": 8, "o_lora_rank": 8, "q_lora_rank": 32,
    "sliding_window": 128, "index_n_heads": 64, "index_head_dim": 128, "index_topk": 512,
    "partial_rotary_factor": 0.125,
    "compress_rates": {"compressed_sparse_attention": 4, "heavily_compressed_attention": 128},
}  # fmt: skip
TOKENS = 300  # more than a window, two heavily compressed keys


def findings(model, target, tokens=TOKENS):
    torch._dynamo.reset()
    ids = torch.randint(3, 500, (1, tokens), generator=torch.Generator().manual_seed(1))
    (report,) = explained((model, (ids,), {"use_cache": False}), target).reports
    return list(report)


@pytest.mark.slow
@pytest.mark.parametrize("target", CHIPS)
def test_real_sizes_have_a_kernel_for_every_layer(target):
    """The indexer, and the window, the list and the prefix of the three layers."""
    found = findings(tiny_models.deepseek_v4(**REAL).to(torch.bfloat16), target)
    assert [f.kind for f in found] == ["indexer", "attention", "attention", "attention"]
    assert all(f.fused for f in found), [f.reason for f in found if not f.fused]
    assert {f.became for f in found} == {
        f"cann_ops_transformer::{name} on {target}" for name in ("lightning_indexer", "sparse_flash_mla")
    }


@pytest.mark.slow
@pytest.mark.parametrize("target", CHIPS)
def test_small_sizes_say_which_limit_they_break(target):
    found = findings(tiny_models.deepseek_v4().to(torch.bfloat16), target, tokens=40)
    attentions = [f for f in found if f.kind == "attention"]
    assert len(attentions) == 3 and not any(f.fused for f in found)
    assert all(f.reason and f.notes for f in attentions), "every kernel of the chip says why"
    assert any("[c5] head size D is 64, not 512" in f.reason for f in attentions)
