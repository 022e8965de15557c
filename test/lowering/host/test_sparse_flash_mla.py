import numpy as np
import pytest
from attention import bits_changed, host, out_of_tolerance, recorded, results_like, run_reference
from attention_cases import LAYOUTS, lay_out, random_problem, take_rows

from sparse_attn.lowering.host.library import HostKernelError

NAME = "sparse_flash_mla"
MODES = {
    "SWA": {"compressed": False},
    "SWA_all": {"compressed": False, "masks": (0, 0)},
    "SWA_causal": {"compressed": False, "masks": (3, 0)},
    "HCA": {"ratio": 128},
    "CSA": {"lists": (0, 40)},
    "CSA_wide": {"lists": (0, 200), "ratio": 1},
    "ORI_SPARSE": {"compressed": False, "masks": (0, 0), "lists": (150, 0), "counts": True},
    "ORI_CMP_SPARSE": {"masks": (0, 0), "lists": (30, 20), "counts": True},
}


def run(call, threads=1):
    shape = call["q"].shape
    statistics = (shape[0], 1, *shape[1:3]) if len(shape) == 4 else (1, *shape[:2])
    return host(NAME, call, results_like((np.empty(shape, call["q"].dtype), np.empty(statistics, np.float32))), threads)


def make(layouts=("BSND", "BSND"), mode="CSA", kind="bf16", seed=0, **changes):
    problem = random_problem(seed, kind, spread=0.25, **(MODES[mode] | changes))
    return problem, lay_out(problem, *layouts, seed)


@pytest.mark.vectors(NAME)
def test_matches_the_golden_vectors(vector):
    out, lse = run(recorded(vector))
    assert out_of_tolerance(out, vector.outputs["attn_out"]) == 0
    assert bits_changed(out, vector.outputs["attn_out"]) < 1e-3
    np.testing.assert_allclose(lse, vector.outputs["softmax_lse"], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("kind", ["bf16", "fp16"])
@pytest.mark.parametrize("layouts", LAYOUTS, ids="-".join)
@pytest.mark.parametrize("mode", MODES)
def test_random_calls_agree_with_the_reference(layouts, mode, kind):
    _, call = make(layouts, mode, kind, seed=len(mode))
    out, lse = run(call)
    expected = run_reference(NAME, call)
    assert out_of_tolerance(out, expected[0]) <= 0.001
    assert bits_changed(out, expected[0]) < 0.02
    np.testing.assert_allclose(lse, expected[1], rtol=1e-5, atol=1e-5)


def check_ratios(ratios):
    for ratio in ratios:
        sizes = {"heads": 1, "rows": (2,), "tokens": (2 * ratio + 1,), "window": (3, 0)}
        _, call = make(("TND", "PA"), "HCA", seed=ratio, **(sizes | {"ratio": ratio}))
        assert bits_changed(run(call)[0], run_reference(NAME, call)[0]) < 0.02, ratio


def test_ratios():
    check_ratios((1, 2, 3, 5, 31, 64, 127, 128))


@pytest.mark.slow
def test_every_ratio():
    check_ratios(range(1, 129))


@pytest.mark.parametrize("kind", ["bf16", "fp16"])
def test_every_layout_gives_the_same_bits(kind):
    rows = []
    for layouts in LAYOUTS:
        problem, call = make(layouts, "CSA", kind, seed=3)
        rows.append([part.tobytes() for part in take_rows(problem, call, run(call)[0])])
    assert rows[0] == rows[1] == rows[2] == rows[3]


def test_threads_change_no_bit():
    _, call = make(("TND", "PA"), rows=(2, 1), tokens=(200, 150), heads=13)
    once = [array.tobytes() for array in run(call)]
    assert all([a.tobytes() for a in run(call, threads)] == once for threads in (2, 3, 7))


def test_without_a_residual_the_original_length_counts():
    _, call = make()
    assert run(call)[0].tobytes() == run(call | {"cmp_residual_kv": None})[0].tobytes(), "consistent lengths"
    shorter = call | {"seqused_ori_kv": call["seqused_ori_kv"] - 1}
    other = shorter | {"cmp_residual_kv": None}
    assert run(shorter)[0].tobytes() != run(other)[0].tobytes(), "301 tokens complete a group that 300 - 1 do not show"
    assert bits_changed(run(other)[0], run_reference(NAME, other)[0]) < 0.02


def test_the_order_of_a_list_changes_bits_but_stays_close():
    _, call = make(mode="CSA_wide", rows=(2,), tokens=(230,))
    call["cmp_sparse_indices"][0, :2, 0] = np.arange(200)
    turned = call | {"cmp_sparse_indices": call["cmp_sparse_indices"][..., ::-1]}
    a, b = run(call)[0][0, :2], run(turned)[0][0, :2]
    assert a.tobytes() != b.tobytes() and out_of_tolerance(a, b) < 0.2


def test_mixed_formats_are_refused():
    _, call = make()
    with pytest.raises(HostKernelError, match="ori_kv is fp16, must be bf16"):
        run(call | {"ori_kv": call["ori_kv"].view(np.float16)})
    with pytest.raises(HostKernelError, match="q is fp32, must be bf16 or fp16"):
        run(call | {"q": np.zeros(call["q"].shape, np.float32)})


def test_a_bad_entry_is_named_and_nothing_is_written():
    _, call = make()
    call["cmp_sparse_indices"][0, 2, 0, 0] = 75
    results = results_like((call["q"], np.empty((4, 1, 4, 5), np.float32)))
    with pytest.raises(HostKernelError, match=r"cmp_sparse_indices at \[0,2,0,0\] is 75"):
        host(NAME, call, results)
    assert (results[0] == 0x7FFF).all() and (results[1] == -7).all()
