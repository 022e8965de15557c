"""Unmodified models with a static cache: ragged batches give what each request gives alone, or a clear refusal."""

import subprocess
import sys

import pytest
import torch
from caches import PAD, alone, columns, one_thread, ragged, same, tiny  # noqa: F401  # one_thread is a fixture
from models import tokens
from transformers import DynamicCache, StaticCache

from sparse_attn import StaticSparseCache
from sparse_attn.errors import CacheRefused

FAMILIES = ("deepseek_v4", "deepseek_v32", "glm_moe_dsa", "axk2", "hy_v4")
CALLS = {  # tokens of each of three requests, call by call
    "prompts of 3, 4 and 5, then one by one": [[3, 4, 5]] + [[1, 1, 1]] * 20,
    "pairs": [[37, 3, 20]] + [[2, 2, 2]] * 8,
    "fours": [[37, 3, 20]] + [[4, 4, 4]] * 5,
    "ragged": [[21, 1, 0], [1, 0, 1], [0, 1, 1], [2, 1, 0], [0, 0, 0], [5, 5, 5], [1, 1, 1], [17, 2, 20], [1, 1, 0]],
}


@pytest.fixture(scope="module")
def v4():
    return tiny("deepseek_v4")


@pytest.mark.parametrize(
    ("calls", "left"),
    [
        pytest.param(CALLS[name], left, id=f"{name}-{'left' if left else 'right'}")
        for name, sides in zip(CALLS, [(True,), (False,), (True,), (True, False)], strict=True)
        for left in sides
    ],
)
@torch.no_grad()
def test_a_padded_v4_request_gives_what_it_gives_alone(v4, calls, left):
    """Windows of 16, ratios 4 and 16, 8 entries kept: everything fills and overflows."""
    cache = StaticSparseCache(v4, 3, 96)
    same(ragged(v4, cache, calls, left), alone(v4, calls))
    assert cache.lengths.tolist() == [sum(counts[b] for counts in calls) for b in range(3)]


@pytest.mark.parametrize("name", FAMILIES[1:])
@torch.no_grad()
def test_padded_requests_of_the_other_models(name):
    model, calls = tiny(name), CALLS["ragged"]
    for left in (True, False):
        same(ragged(model, StaticSparseCache(model, 3, 64), calls, left), alone(model, calls))


@pytest.mark.parametrize("length", [15, 16, 17, 33])
@torch.no_grad()
def test_lengths_around_the_window(v4, length):
    calls = [[length], [1], [1]]
    same(ragged(v4, StaticSparseCache(v4, 1, 40), calls), alone(v4, calls))


@torch.no_grad()
def test_padding_is_never_pooled(v4):
    """A mask [1, 1, 1, 0] closes no window of four: the entry is that of four tokens, whatever the pad token."""
    states = []
    for pad in (PAD, 77):
        cache = StaticSparseCache(v4, 1, 16)
        ids = torch.tensor([[5, 6, 7, pad]])
        v4(ids, attention_mask=torch.tensor([[1, 1, 1, 0]]), past_key_values=cache)
        assert not cache.layers[1].pools["compressor"].entries.any()
        v4(torch.tensor([[8]]), past_key_values=cache)
        states.append(cache.layers[1].pools["compressor"].entries.clone())
    model_cache = DynamicCache(config=v4.config)
    v4(torch.tensor([[5, 6, 7, 8]]), past_key_values=model_cache)
    expected = model_cache.layers[1].compressed_kv["compressor"]
    torch.testing.assert_close(states[0][:, :1], expected, rtol=1e-5, atol=1e-5)
    assert torch.equal(states[0], states[1]) and not states[0][:, 1:].any()


@torch.no_grad()
def test_the_model_is_told_positions_by_the_cache(v4):
    """Other position_ids of a caller are not used: positions are those of the keys."""
    ids, outs = tokens(1, 9), []
    for extra in ({}, {"position_ids": torch.arange(9)[None] + 100}):
        outs.append(v4(ids, past_key_values=StaticSparseCache(v4, 1, 16), **extra).logits)
    assert torch.equal(*outs)


@torch.no_grad()
def test_reset_forgets_everything_or_one_request_in_place(v4):
    cache, ids = StaticSparseCache(v4, 2, 48), tokens(2, 23)
    first = v4(ids, past_key_values=cache).logits
    pointers = [b.data_ptr() for b in cache.buffers().values()]
    cache.reset(torch.tensor([False, True]))
    assert cache.lengths.tolist() == [23, 0]
    mask = torch.tensor([[0], [1]]).expand(2, 23)
    assert torch.equal(v4(ids, attention_mask=mask, past_key_values=cache).logits[1], first[1])
    assert cache.lengths.tolist() == [23, 23]
    cache.reset()
    assert torch.equal(v4(ids, past_key_values=cache).logits, first)
    assert pointers == [b.data_ptr() for b in cache.buffers().values()]


@torch.no_grad()
def test_rows_are_reordered_in_place(v4):
    cache, ids = StaticSparseCache(v4, 2, 48), tokens(2, 23)
    v4(ids, past_key_values=cache)
    cache.reorder_cache(torch.tensor([1, 1]))
    step = tokens(2, 1)[:1].expand(2, 1)
    logits = v4(step, past_key_values=cache).logits
    assert torch.equal(logits[0], logits[1]) and cache.lengths.tolist() == [24, 24]
    expected = v4(torch.cat([ids[1:], step[:1]], 1), use_cache=False).logits[:, -1:]
    torch.testing.assert_close(logits[:1], expected, rtol=1e-5, atol=1e-5)


@torch.no_grad()
def test_v32_is_the_static_cache_of_transformers():
    model, ids = tiny("deepseek_v32"), tokens(2, 40)
    pairs = []
    for cache in (StaticCache(config=model.config, max_cache_len=48), StaticSparseCache(model, 2, 48)):
        pairs.append([model(x, past_key_values=cache).logits for x in (ids, ids[:, :1], ids[:, 1:4])])
    assert all(map(torch.equal, *pairs))


@torch.no_grad()
def test_bf16_stays_in_bf16(v4):
    model = tiny("deepseek_v4").bfloat16()
    cache = StaticSparseCache(model, 1, 40)
    got, expected = ragged(model, cache, [[20], [1], [1]]), alone(model, [[20], [1], [1]])
    assert all(b.dtype == torch.bfloat16 for n, b in cache.buffers().items() if n not in ("lengths", "columns"))
    torch.testing.assert_close(got[0], expected[0], rtol=2**-6, atol=2**-6)


@torch.no_grad()
def test_a_request_that_outgrows_the_cache_leaves_it_as_it_was(v4):
    cache = StaticSparseCache(v4, 2, 12)
    v4(tokens(2, 12), past_key_values=cache)
    before = {name: buffer.clone() for name, buffer in cache.buffers().items()}
    with pytest.raises(CacheRefused, match=r"more than max_cache_len=12 tokens\. Nothing was stored"):
        v4(tokens(2, 1), past_key_values=cache)
    assert all(torch.equal(buffer, before[name]) for name, buffer in cache.buffers().items())


def test_other_models_and_sizes_are_refused(v4):
    from transformers import LlamaConfig, LlamaForCausalLM

    sizes = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    with pytest.raises(CacheRefused, match="LlamaForCausalLM is no model that the cache knows; it is for deepseek_v32"):
        StaticSparseCache(LlamaForCausalLM(LlamaConfig(vocab_size=8, **sizes)), 1, 8)
    with pytest.raises(CacheRefused, match="max_cache_len is 0"):
        StaticSparseCache(v4, 1, 0)
    with pytest.raises(CacheRefused, match="max_batch_size is True"):
        StaticSparseCache(v4, True, 8)


@torch.no_grad()
def test_calls_that_do_not_fit_are_refused(v4):
    cache = StaticSparseCache(v4, 2, 12)
    with pytest.raises(CacheRefused, match="a batch of 1 with a cache of 2 requests"):
        v4(tokens(1, 3), past_key_values=cache)
    with pytest.raises(CacheRefused, match=r"shape \(2, 2\); the cache takes \[batch, 3 or more\]"):
        v4(tokens(2, 3), attention_mask=torch.ones(2, 2), past_key_values=cache)
    with pytest.raises(CacheRefused, match="a model it was not made for"):
        tiny("deepseek_v4")(tokens(2, 3), past_key_values=cache)
    with pytest.raises(CacheRefused, match=r"stores torch\.float32 and the cache was made for torch\.bfloat16"):
        v4(tokens(2, 3), past_key_values=StaticSparseCache(v4, 2, 12, dtype=torch.bfloat16))
    assert cache.lengths.tolist() == [0, 0] and not any(b.isnan().any() for b in cache.buffers().values())


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda cache: cache.crop(-1), "pooled tokens cannot be"),
        (lambda cache: cache.batch_repeat_interleave(2), "cannot grow"),
        (lambda cache: cache.batch_select_indices(torch.tensor([0])), "cannot shrink"),
    ],
)
def test_what_a_static_cache_cannot_do(v4, call, reason):
    with pytest.raises(CacheRefused, match=reason):
        call(StaticSparseCache(v4, 1, 8))


@torch.no_grad()
def test_other_caches_of_a_hooked_model_are_left_alone(v4):
    ids = tokens(1, 20)
    fresh = tiny("deepseek_v4")
    StaticSparseCache(v4, 1, 8)
    for run in (lambda m: m(ids, use_cache=False), lambda m: m(ids, past_key_values=DynamicCache(config=m.config))):
        assert torch.equal(run(v4).logits, run(fresh).logits)


@pytest.mark.parametrize("name", ["deepseek_v4", "deepseek_v32"])
@torch.no_grad()
def test_generate_with_left_padding(name):
    model, prompts = tiny(name), [9, 3, 6]
    settings = {"max_new_tokens": 24, "do_sample": False, "eos_token_id": None, "pad_token_id": PAD}
    ids, mask = columns(tokens(3, 300), [0, 0, 0], prompts, left=True)
    cache = StaticSparseCache(model, 3, 34)
    for _ in range(2):
        made = model.generate(ids, attention_mask=mask, past_key_values=cache, **settings)
        for b, n in enumerate(prompts):
            expected = model.generate(tokens(3, 300)[b : b + 1, :n], **settings)
            assert torch.equal(made[b, ids.shape[1] :], expected[0, n:]), f"request {b}"
        assert cache.lengths.tolist() == [n + 23 for n in prompts]
        cache.reset()


@torch.no_grad()
def test_generate_goes_on_where_it_stopped(v4):
    settings = {"do_sample": False, "eos_token_id": None, "pad_token_id": PAD}
    cache = StaticSparseCache(v4, 1, 48)
    half = v4.generate(tokens(1, 9), max_new_tokens=8, past_key_values=cache, **settings)
    whole = v4.generate(half, max_new_tokens=8, past_key_values=cache, **settings)
    assert torch.equal(whole, v4.generate(tokens(1, 9), max_new_tokens=16, **settings))


@torch.no_grad()
def test_generate_beyond_the_end_is_refused(v4):
    with pytest.raises(CacheRefused, match="outgrows the cache"):
        v4.generate(tokens(1, 9), max_new_tokens=8, past_key_values=StaticSparseCache(v4, 1, 12), pad_token_id=PAD)


def test_the_package_needs_no_transformers():
    """Without it everything imports but the cache, which says what is missing."""
    program = (
        "import sys; sys.modules['transformers'] = None\n"
        "import sparse_attn, sparse_attn.backend, sparse_attn.ops\n"
        "try: sparse_attn.StaticSparseCache\n"
        "except ImportError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "for models of transformers, which is not installed" in done.stdout
