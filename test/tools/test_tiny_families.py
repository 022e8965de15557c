"""Every family builds from unmodified transformers and computes."""

import pytest
import torch

from sparse_attn.tools.tiny_families import EAGER_ONLY, FAMILIES, HARD_TO_CAPTURE


@pytest.mark.parametrize("family", [*FAMILIES, *HARD_TO_CAPTURE])
def test_a_family_runs(family):
    model = (FAMILIES | HARD_TO_CAPTURE)[family]()
    if family in EAGER_ONLY:
        model.set_attn_implementation("eager")
    with torch.no_grad():
        out = model(torch.arange(3, 19)[None], use_cache=False)
    assert torch.isfinite(out[0]).all()
    assert not model.training


def test_the_same_seed_gives_the_same_model():
    first, second = (FAMILIES["axk2"]() for _ in range(2))
    assert all(torch.equal(a, b) for a, b in zip(first.parameters(), second.parameters(), strict=True))
    other = FAMILIES["axk2"](num_hidden_layers=1, mlp_layer_types=["dense"])
    assert len(list(other.parameters())) < len(list(first.parameters()))
