import numpy as np
import pytest
from attention import bits_changed, host, out_of_tolerance, results_like, run_reference
from sparse_flash_cases import LAYOUTS, lay_out, live_rows, random_problem

from sparse_attn.lowering.host.library import HostKernelError

NAME = "npu_sparse_flash_attention"


def make(layouts=("BSND", "BSND"), **changes):
    problem = random_problem(**changes)
    return problem, lay_out(problem, *layouts) | {"return_softmax_lse": True}


def results(call):
    shape = call["query"].shape
    statistics = (shape[0], 1, *shape[1:3]) if len(shape) == 4 else (1, *shape[:2])
    return results_like((np.empty(shape, call["query"].dtype), *[np.empty(statistics, np.float32)] * 2))


def run(call, threads=1):
    return host(NAME, call, results(call), threads)


@pytest.mark.parametrize("mode", [0, 3])
@pytest.mark.parametrize("block", [1, 8])
@pytest.mark.parametrize("kind", ["bf16", "fp16"])
@pytest.mark.parametrize("layouts", LAYOUTS, ids="-".join)
def test_random_calls_agree_with_the_reference(layouts, kind, block, mode):
    _, call = make(layouts, kind=kind, block=block, width=30)
    call["sparse_mode"] = mode
    expected = run_reference(NAME, call)
    out, peak, total = run(call)
    assert out_of_tolerance(out, expected[0]) <= 0.001
    assert bits_changed(out, expected[0]) < 0.02
    np.testing.assert_allclose(peak, expected[1], rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(total, expected[2], rtol=1e-5, atol=1e-5)


def test_every_layout_gives_the_same_bits():
    rows = []
    for layouts in LAYOUTS:
        problem, call = make(layouts)
        rows.append([part.tobytes() for part in live_rows(problem, call, run(call)[0])])
    assert rows[0] == rows[1] == rows[2] == rows[3]


def test_a_full_list_is_dense_causal_attention():
    problem, call = make(rows=(3,), tokens=(20,), width=20)
    query, key = (np.concatenate([problem[n][0], problem[f"{n}_rope"][0]], -1) for n in ("query", "key"))
    query, key = ((a.astype(np.uint32) << 16).view(np.float32).astype(np.float64) for a in (query, key[:, 0]))
    scores = np.einsum("snd,td->snt", query, key) / 24
    scores[np.broadcast_to(np.arange(20) > np.arange(17, 20)[:, None, None], scores.shape)] = -np.inf
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    dense = (weights / weights.sum(-1, keepdims=True)) @ key[:, :512]
    out, peak, total = run(call)
    got = (out[0, :3].astype(np.uint32) << 16).view(np.float32)
    np.testing.assert_allclose(got, dense, rtol=0.02, atol=0.01)
    np.testing.assert_allclose(peak[0, 0, :3], scores.max(-1), rtol=1e-5)
    np.testing.assert_allclose(total[0, 0, :3], weights.sum(-1), rtol=1e-5)


def test_sinks_are_part_of_the_sum():
    _, call = make()
    sinks = np.linspace(-1, 5, 5).astype(np.float32)
    for each in (call, call | {"sinks": sinks}):
        expected = run_reference(NAME, each)
        got = run(each)
        assert bits_changed(got[0], expected[0]) < 0.02
        np.testing.assert_allclose(got[2], expected[2], rtol=1e-5)
    assert run(call)[0].tobytes() != run(call | {"sinks": sinks})[0].tobytes()


def test_rows_without_a_key():
    _, call = make()
    call["sparse_indices"][0, 1] = -1
    out, peak, total = run(call)
    assert not out[0, 1].any() and (peak[0, 0, 1] == -np.inf).all() and (total[0, 0, 1] == 0).all()
    sinks = np.arange(5, dtype=np.float32)
    out, peak, total = run(call | {"sinks": sinks})
    assert not out[0, 1].any() and (peak[0, 0, 1] == sinks).all() and (total[0, 0, 1] == 1).all()


def test_statistics_are_written_only_on_request():
    _, call = make()
    _, peak, total = run(call | {"return_softmax_lse": False})
    assert (peak == -7).all() and (total == -7).all()


def test_values_have_to_be_the_keys():
    _, call = make()
    assert run(call | {"value": call["key"].copy()})[0].tobytes() == run(call)[0].tobytes()
    other = call["key"].copy()
    other[2, 5] ^= 1
    call["sparse_indices"][2, 0, 0, :3] = [1, 5, -1]
    with pytest.raises(HostKernelError, match="value differs from key at token 5 of batch 2"):
        run(call | {"value": other})


def test_threads_change_no_bit():
    _, call = make(("TND", "PA_BSND"), heads=13)
    once = [array.tobytes() for array in run(call)]
    assert all([a.tobytes() for a in run(call, threads)] == once for threads in (2, 3, 7))


BAD = [
    (("BSND", "BSND"), "sparse_indices", (0, 1, 0, 3), 301, r"sparse_indices at \[0,1,0,3\] is 301.*0\.\.300"),
    (("TND", "PA_BSND"), "sparse_indices", (1, 0, 0), -5, r"sparse_indices at \[1,0,0\] is -5"),
    (("TND", "PA_BSND"), "block_table", (0, slice(None)), 99, r"block_table at \[0,\d+\] is 99"),
    (("TND", "TND"), "actual_seq_lengths_query", 1, 2, r"actual_seq_lengths_query at \[1\] is 2"),
    (("TND", "TND"), "actual_seq_lengths_kv", 2, 9999, r"actual_seq_lengths_kv at \[2\] is 9999"),
    (("BSND", "BSND"), "actual_seq_lengths_kv", 1, -1, r"actual_seq_lengths_kv at \[1\] is -1"),
    (("BSND", "BSND"), "actual_seq_lengths_query", 0, 9, r"actual_seq_lengths_query at \[0\] is 9, must be in 0\.\.4"),
]


@pytest.mark.parametrize(("layouts", "name", "at", "value", "text"), BAD)
def test_a_bad_value_is_named_and_nothing_is_written(layouts, name, at, value, text):
    _, call = make(layouts)
    call[name][at] = value
    written = results(call)
    with pytest.raises(HostKernelError, match=text):
        host(NAME, call, written, 2)
    assert (written[0] == 0x7FFF).all() and (written[1] == -7).all() and (written[2] == -7).all()


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"attention_mode": 0}, "attention_mode is 0, must be 2"),
        ({"sparse_mode": 4}, "sparse_mode is 4, must be 0 or 3"),
        ({"sparse_block_size": 3}, "sparse_block_size is 3, must be a power of two"),
        ({"sparse_block_size": 256}, r"sparse_block_size is 256, must be in 1\.\.128"),
        ({"pre_tokens": 5}, "pre_tokens is 5"),
        ({"layout_kv": "TND"}, "layout_kv is TND, must be BSND or PA_BSND"),
        ({"query_rope": None}, "query_rope is missing"),
        ({"key_rope": None}, "key_rope is missing"),
    ],
)
def test_bad_arguments_are_refused(change, text):
    _, call = make()
    with pytest.raises(HostKernelError, match=text):
        run(call | change)
