"""Keys expanded from a latent are absorbed where the algebra holds, left where one thing is different, and priced."""

import latent
import pytest
import torch
from compiled import run
from latent import DV, NOPE, B, C, N, R, T, attend, attention, by_copies, heads, inputs, picks, plain, split
from sites import outcome
from torch.nn.functional import linear

ABSORBED, LEFT = "projections are absorbed", "projections are not absorbed: "


def absorbed(function, given, choice="on", **options):
    """The attention's finding; the result was compared with eager."""

    def by_place(*args):
        return function(**dict(zip(given, args, strict=True)))

    return outcome(by_place, *given.values(), absorb=choice, **options)["attention"]


FIRES = {
    "concatenated": attention(plain),
    "written by copies": attention(latent.copied),
    "rotary channels first": attention(latent.rotary_first, swapped=True),
    "einsum with weights apart": attention(latent.by_einsum),
    "matmul with transposed weights": attention(latent.by_matmul),
    "constant factors": attention(latent.multiplied),
    "shared channels on both sides": attention(latent.two_shared_parts),
    "a cache and new tokens": attention(latent.cached),
}


@pytest.mark.parametrize("name", FIRES)
def test_an_expansion_is_absorbed(name):
    found = absorbed(FIRES[name], inputs())
    assert found.fused and any(ABSORBED in note for note in found.notes), str(found)


def test_one_row_and_one_batch():
    given = {k: v if k == "w" else v[:1] for k, v in inputs(rows=1).items()}

    def function(q, latent, rope, w, iq, ik, iw):
        nope, v = linear(latent, w).view(1, T, N, NOPE + DV).transpose(1, 2).split([NOPE, DV], -1)
        return attend(q, torch.cat([nope, heads(rope)], -1), v, picks(iq, ik, iw))

    assert any(ABSORBED in note for note in absorbed(function, given).notes)


def test_without_shared_channels():
    def function(q, latent, rope, w, iq, ik, iw):
        k, v = split(linear(latent, w))
        return attend(q[..., :NOPE], k, v, picks(iq, ik, iw))

    assert any(ABSORBED in note for note in absorbed(function, inputs()).notes)


def test_with_sinks_and_a_mask_of_heads():
    def function(q, latent, rope, w, iq, ik, iw, sinks, bias):
        k, v = plain(latent, rope, w)
        logits = q @ k.transpose(-1, -2) * 0.3 + picks(iq, ik, iw) + bias
        column = sinks.view(1, N, 1, 1).expand(B, N, q.shape[2], 1)
        return torch.softmax(torch.cat([logits, column], -1), -1)[..., :-1] @ v

    more = {"sinks": torch.randn(N), "bias": torch.randn(B, 1, 2, T)}
    found = absorbed(function, inputs() | more)
    assert "sinks" in found.became and any(ABSORBED in note for note in found.notes), str(found)


def test_scaled_dot_product_attention_with_a_causal_mask():
    def function(q, latent, rope, w, iq, ik, iw):
        k, v = plain(latent, rope, w)
        shown = picks(iq, ik, iw) + torch.full((2, T), float("-inf")).triu(T - 1)
        return torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=shown)

    assert any(ABSORBED in note for note in absorbed(function, inputs()).notes)


def normalised(x):
    return torch.nn.functional.rms_norm(x, x.shape[-1:])


def bias_in_the_expansion(latent, rope, w, bias):
    nope, v = split(linear(latent, w, bias))
    return by_copies(nope, rope), v


def keys_normalised_behind(latent, rope, w):
    nope, v = split(linear(latent, w))
    return torch.cat([normalised(nope), heads(rope)], -1), v


def values_normalised_behind(latent, rope, w):
    nope, v = split(linear(latent, w))
    return torch.cat([nope, heads(rope)], -1), normalised(v)


def latent_normalised_for_values_only(latent, rope, w):
    nope, _ = split(linear(latent, w))
    _, v = split(linear(normalised(latent), w))
    return torch.cat([nope, heads(rope)], -1), v


def two_latents(latent, rope, w, other):
    nope, _ = split(linear(latent, w))
    _, v = split(linear(other, w))
    return torch.cat([nope, heads(rope)], -1), v


def rolled_latent(latent, rope, w):
    """The same tensor, but values of another token than the key's."""
    nope, _ = split(linear(latent[:, :, 1:], w))
    _, v = split(linear(latent[:, :, :-1], w))
    return torch.cat([nope, heads(rope)[:, :, 1:]], -1), v


def rotary_part_of_each_head(latent, rope, w, turn):
    nope, v = split(linear(latent, w))
    return torch.cat([nope, heads(rope) * turn.view(1, N, 1, 1)], -1), v


def weights_of_each_batch(latent, rope, w, each):
    nope, v = split(latent @ each)
    return torch.cat([nope, heads(rope)], -1), v


def values_of_their_own(latent, rope, w, v):
    nope, _ = split(linear(latent, w))
    return torch.cat([nope, heads(rope)], -1), v


REFUSED = {
    "bias": (bias_in_the_expansion, {"bias": (N * (NOPE + DV),)}, "keys come from torch.aten.linear"),
    "keys normalised": (keys_normalised_behind, {}, "no product of a latent with weights"),
    "values normalised": (values_normalised_behind, {}, "its values come from"),
    "latent normalised for values": (latent_normalised_for_values_only, {}, "and its values from"),
    "two latents": (two_latents, {"other": (B, 1, T, C)}, "and its values from"),
    "rotary part of each head": (rotary_part_of_each_head, {"turn": (N,)}, "2 ranges of its key channels differ"),
    "weights of each batch": (weights_of_each_batch, {"each": (B, 1, C, N * (NOPE + DV))}, "differ between tokens"),
    "values of their own": (values_of_their_own, {"v": (B, N, T, DV)}, "its values come from an input"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_one_thing_different_is_left_with_its_reason(name):
    spelled, more, reason = REFUSED[name]
    extra = {key: torch.randn(shape, generator=torch.Generator().manual_seed(5)) for key, shape in more.items()}
    found = absorbed(attention(spelled), inputs() | extra)
    (note,) = [n for n in found.notes if "projections are" in n]
    assert found.fused and note.startswith(LEFT) and reason in note, note


def test_values_of_another_token_are_another_latent():
    def function(q, latent, rope, w, iq, ik, iw):
        k, v = rolled_latent(latent, rope, w)
        return attend(q, k, v, picks(iq, ik[:, 1:], iw))

    (note,) = [n for n in absorbed(function, inputs()).notes if "projections are" in n]
    assert note.startswith(LEFT) and "and its values from" in note


def test_keys_of_groups_are_left():
    """Two query heads a key head: heads of the weights are not heads of the query."""

    def function(q, latent, rope, w, iq, ik, iw):
        nope, v = split(linear(latent, w))
        k = torch.cat([nope, heads(rope)], -1)[:, ::2].repeat_interleave(2, 1)
        return attend(q, k, v[:, ::2].repeat_interleave(2, 1), picks(iq, ik, iw))

    found = absorbed(function, inputs())
    assert not any(ABSORBED in n for n in found.notes), str(found)


def test_ordinary_attention_is_not_spoken_of():
    def function(q, k, v, iq, ik, iw):
        return attend(q, k, v, picks(iq, ik, iw))

    given = inputs()
    plain_keys = {"k": torch.randn(B, N, T, NOPE + R), "v": torch.randn(B, N, T, DV)}
    given = {"q": given["q"]} | plain_keys | {name: given[name] for name in ("iq", "ik", "iw")}
    assert absorbed(function, given, "auto").notes == []
    assert any("its keys come from an input" in n for n in absorbed(function, given, "on").notes)


def test_dtypes_that_meet_only_in_the_logits_are_left():
    def function(q, latent, rope, w, iq, ik, iw):
        k, v = plain(latent.bfloat16(), rope.bfloat16(), w.bfloat16())
        return attend(q, k.float(), v.float(), picks(iq, ik, iw))

    (note,) = [n for n in absorbed(function, inputs()).notes if "projections are" in n]
    assert "queries are f32, the latent bf16" in note


@pytest.mark.parametrize(("choice", "rows", "tokens", "wanted"), [
    ("auto", 2, 200, True), ("auto", 30, 30, False), ("on", 30, 30, True), ("off", 2, 200, False),
])  # fmt: skip
def test_the_choice_goes_by_cost_and_by_the_option(choice, rows, tokens, wanted):
    found = absorbed(attention(plain), inputs(rows, tokens=tokens), choice)
    assert any(ABSORBED in n for n in found.notes) == wanted, str(found)
    if (choice, wanted) == ("auto", False):
        assert any(f"{LEFT}it costs more" in n for n in found.notes), str(found)
    if choice == "off":
        assert not any("absorbed" in n for n in found.notes)


def test_an_expansion_needed_elsewhere_is_no_saving():
    def function(q, latent, rope, w, iq, ik, iw):
        k, v = plain(latent, rope, w)
        return attend(q, k, v, picks(iq, ik, iw)), k

    found = absorbed(function, inputs(2, tokens=200), "auto")
    assert any(f"{LEFT}it costs more" in n for n in found.notes), str(found)


def test_the_weights_are_read_through_views():
    from sparse_attn import backend

    graphs, original = [], backend._inner
    given = inputs(2, tokens=200)
    try:
        backend._inner = lambda graph, *rest: graphs.append(graph) or original(graph, *rest)
        run(attention(plain), list(given.values()), absorb="on")
    finally:
        backend._inner = original
    nodes = [n for n in graphs[0].graph.nodes if n.op == "call_function"]
    weight = next(n for n in graphs[0].graph.nodes if n.op == "placeholder" and n.meta["val"].shape == given["w"].shape)
    used, reached = {weight}, set()
    for node in nodes:
        if used & set(node.all_input_nodes):
            reached.add(str(node.target))
            if "einsum" not in str(node.target):
                used.add(node)
    assert reached <= {"aten.view.default", "aten.slice.Tensor", "aten.permute.default", "aten.einsum.default"}, reached
    assert "aten.linear.default" not in {str(n.target) for n in nodes}


def test_bf16_is_as_near_to_fp64_as_eager():
    given = {k: v.bfloat16() if k in ("q", "latent", "rope", "w") else v for k, v in inputs(4, tokens=300).items()}

    def function(q, latent, rope, w, iq, ik, iw):
        k, v = plain(latent, rope, w)
        return attend(q, k, v, picks(iq, ik, iw).to(q.dtype))

    with torch.no_grad():
        eager = function(**given)
        exact = function(**{k: v.double() for k, v in given.items()})
    got, reports = run(function, list(given.values()), absorb="on")
    assert any(ABSORBED in n for r in reports for f in r for n in f.notes)
    error, own = ((x.double() - exact).abs().max() for x in (got, eager))
    assert error <= 2 * own, (error, own)
