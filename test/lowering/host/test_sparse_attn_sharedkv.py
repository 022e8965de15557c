import numpy as np
import pytest
from attention import bits_changed, host, out_of_tolerance, results_like, run_reference
from attention_cases import lay_out, random_problem, take_rows

from sparse_attn.lowering.host.library import HostKernelError

NAME = "sparse_attn_sharedkv"
LAYOUTS = ("BSND", "TND")
MODES = {"SWA": {"compressed": False}, "HCA": {"ratio": 128}, "CSA": {"lists": (0, 40)}}


def run(call, threads=1):
    shape = call["q"].shape
    statistics = (shape[0], 1, *shape[1:3]) if len(shape) == 4 else (1, *shape[:2])
    return host(NAME, call, results_like((np.empty(shape, call["q"].dtype), np.empty(statistics, np.float32))), threads)


def make(layout="TND", mode="CSA", seed=0, kind="bf16", **changes):
    """One length counts original tokens; what the other operators call lengths is left out or reserved."""
    if layout == "BSND":
        changes.setdefault("rows", (3, 3, 3, 3))  # the reserved seqused_q has no effect: every row of a slot is live
    problem = random_problem(seed, kind, spread=0.25, **(MODES[mode] | changes))
    call = lay_out(problem, layout, "PA", seed, paged="PA_ND", spare=0)
    call["seqused_kv"] = call["seqused_ori_kv"]
    call["cmp_mask_mode"] = 3
    return problem, call


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("mode", MODES)
def test_random_calls_agree_with_the_reference(layout, mode):
    _, call = make(layout, mode, seed=len(mode))
    out, lse = run(call)
    expected = run_reference(NAME, call)
    assert out_of_tolerance(out, expected[0]) <= 0.001
    assert bits_changed(out, expected[0]) < 0.02
    np.testing.assert_allclose(lse, expected[1], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("kind", ["bf16", "fp16"])
def test_equals_sparse_flash_mla_with_the_lengths_spelled_out(kind):
    _, call = make(kind=kind)
    groups, rest = np.divmod(call["seqused_kv"], 4)
    lengths = {"seqused_ori_kv": call["seqused_kv"], "seqused_cmp_kv": groups, "cmp_residual_kv": rest}
    other = call | lengths | {"layout_kv": "PA_BBND", "seqused_q": None}
    results = host("sparse_flash_mla", other, results_like(tuple(run(call))))
    assert [a.tobytes() for a in run(call)] == [a.tobytes() for a in results]


def test_threads_change_no_bit():
    _, call = make(rows=(1, 1), tokens=(200, 150), heads=13)
    once = [array.tobytes() for array in run(call)]
    assert all([a.tobytes() for a in run(call, threads)] == once for threads in (2, 3, 7))


def test_reserved_arguments_have_no_effect():
    problem, call = make()
    reserved = {"seqused_q": np.zeros(4, np.int32), "cu_seqlens_ori_kv": np.zeros(5, np.int32)}
    reserved |= {"ori_sparse_indices": np.full((len(call["q"]), 1, 3), -1, np.int32)}
    once = run(call)[0]
    assert run(call | reserved)[0].tobytes() == once.tobytes()
    assert all(part.any() for part in take_rows(problem, call, once) if len(part))


def test_the_compressed_length_follows_from_the_original_one():
    _, call = make(mode="HCA", ratio=4)
    shorter = call | {"seqused_kv": call["seqused_kv"] - np.array([2, 0, 0, 0], np.int32)}
    for each in (call, shorter):
        assert bits_changed(run(each)[0], run_reference(NAME, each)[0]) < 0.02
    assert run(call)[0].tobytes() != run(shorter)[0].tobytes()


def test_a_table_that_covers_too_few_compressed_rows_is_an_error():
    _, call = make(mode="HCA", ratio=4)
    with pytest.raises(
        HostKernelError, match=r"seqused_kv at \[0\] is 301, must be below 256, as the 63 rows cmp_block_table"
    ):
        run(call | {"cmp_block_table": call["cmp_block_table"][:, :9]})


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"layout_kv": "PA_BBND"}, "layout_kv is PA_BBND, must be PA_ND"),
        ({"ori_mask_mode": 3}, "ori_mask_mode is 3, must be 4"),
        ({"cmp_mask_mode": 0}, "cmp_mask_mode is 0, must be 3"),
        ({"cmp_ratio": 0}, r"cmp_ratio is 0, must be in 1\.\.128"),
        ({"seqused_kv": None}, "seqused_kv is missing"),
        ({"ori_block_table": None}, "ori_block_table is missing"),
    ],
)
def test_bad_arguments_are_refused(change, text):
    _, call = make()
    with pytest.raises(HostKernelError, match=text):
        run(call | change)


def test_a_bad_block_is_named_and_nothing_is_written():
    _, call = make()
    call["ori_block_table"][0, 18] = 10**6
    results = results_like((call["q"], np.empty((1, *call["q"].shape[:2]), np.float32)))
    with pytest.raises(HostKernelError, match=r"ori_block_table at \[0,18\] is 1000000"):
        host(NAME, call, results)
    assert (results[0] == 0x7FFF).all() and (results[1] == -7).all()
