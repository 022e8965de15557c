"""What is read off keys and values that a latent was expanded into."""

import latent
import pytest
import torch
from latent import DV, NOPE, B, C, N, R, T, heads
from terms import Captured

from sparse_attn.lowering.fuse import expanded
from sparse_attn.lowering.fuse.channels import size
from sparse_attn.lowering.pattern import NoMatch

GIVEN = latent.inputs()


def read(spelled, *more):
    """The expansion of keys and values laid out [B, T, N, channels], and the graph's arguments."""

    def function(*args):
        k, v = spelled(*args)
        return k.transpose(1, 2), v.transpose(1, 2)

    it = Captured(function, GIVEN["latent"], GIVEN["rope"], GIVEN["w"], *more)
    key, value = it.graph.results
    KEPT.append(it)
    return expanded.match(key, value), it.graph.arguments


KEPT = []


@pytest.mark.parametrize("spelled", [latent.plain, latent.copied, latent.by_einsum, latent.by_matmul])
def test_latent_weights_and_shared_channels(spelled):
    found, (rows, rope, weights) = read(spelled)
    assert found.latent_width == C and (found.part.start, found.part.size) == (0, NOPE)
    assert found.key.latent.value is rows and found.value.latent.value is rows
    assert found.key.weight.value is weights and found.value.weight.value is weights
    (shared,) = found.shared
    assert shared.elem.value is rope and (shared.start, shared.size) == (NOPE, R)
    assert found.key.coefficient == found.value.coefficient == 1.0


def test_the_order_of_the_channels_is_told():
    found, _ = read(latent.rotary_first)
    assert (found.part.start, found.part.size) == (R, NOPE) and found.shared[0].start == 0
    found, _ = read(latent.two_shared_parts)
    assert [(p.start, p.size) for p in found.shared] == [(0, 1), (1 + NOPE, R - 1)]


def test_factors_are_told():
    found, _ = read(latent.multiplied)
    assert (found.key.coefficient, found.value.coefficient) == (0.5, -3.0)


def test_weights_of_their_own_for_keys_and_values():
    def spelled(x, rope, w, other):
        nope, _ = latent.split(torch.nn.functional.linear(x, w))
        v = torch.nn.functional.linear(x, other).view(B, T, N, DV).transpose(1, 2)
        return torch.cat([nope, heads(rope)], -1), v

    found, (rows, _, weights, other) = read(spelled, torch.randn(N * DV, C))
    assert found.key.weight.value is weights and found.value.weight.value is other
    assert found.key.latent.value is found.value.latent.value is rows
    assert size(found.value.latent_channel) == size(found.key.latent_channel)


@pytest.mark.parametrize(("spelled", "distance", "reason"), [
    (lambda x, rope, w: (heads(rope), heads(rope)), 1, "0 ranges of its key channels differ between heads"),
    (lambda x, rope, w: (heads(x) * w[:N, None].view(1, N, 1, C), heads(rope)), 0, "no product of a latent"),
    (lambda x, rope, w: (torch.cat([heads(x) * w[:N].view(1, N, 1, C), heads(rope)], -1), heads(rope)), 1,
     "no product of a latent"),
    (lambda x, rope, w: (latent.plain(x, rope, w)[0][:, :1], latent.plain(x, rope, w)[1][:, :1]), 0, "one key head"),
])  # fmt: skip
def test_what_is_no_expansion_says_why_and_how_near_it_was(spelled, distance, reason):
    with pytest.raises(NoMatch, match=reason) as failed:
        read(spelled)
    assert failed.value.distance == distance
