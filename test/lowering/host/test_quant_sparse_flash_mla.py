import mmap

import numpy as np
import pytest
from attention import bits_changed, host, out_of_tolerance, recorded, results_like, run_reference
from attention_cases import LAYOUTS, lay_out, random_problem, take_rows

from sparse_attn.lowering.host.library import HostKernelError

NAME = "quant_sparse_flash_mla"
ONE = np.ones(1, np.float32)

MODES = {
    "SWA": {"compressed": False},
    "SWA_all": {"compressed": False, "masks": (0, 0)},
    "SWA_causal": {"compressed": False, "masks": (3, 0)},
    "SWA_right": {"compressed": False, "window": (5, 2)},
    "SWA_open": {"compressed": False, "window": (-1, -1)},
    "HCA": {},
    "HCA_r128": {"ratio": 128},
    "HCA_r1": {"ratio": 1},
    "HCA_all": {"masks": (4, 0)},
    "CSA": {"lists": (0, 40)},
    "CSA_wide": {"lists": (0, 200), "ratio": 1},
    "CSA_counts": {"lists": (0, 40), "counts": True, "masks": (4, 0)},
    "ORI_SPARSE": {"compressed": False, "masks": (0, 0), "lists": (150, 0), "counts": True},
    "ORI_CMP_SPARSE": {"masks": (0, 0), "lists": (30, 20), "counts": True},
    "list_in_window": {"lists": (60, 40), "counts": True, "masks": (4, 3)},
}


def scaled(call, ori=0.5, cmp=2.0):
    call |= {"quant_mode": 1, "q_descale": ONE * np.float32(0.75), "ori_kv_descale": ONE * np.float32(ori)}
    return call | ({"cmp_kv_descale": ONE * np.float32(cmp)} if "cmp_kv" in call else {})


def make(layouts=("BSND", "BSND"), mode="CSA", seed=0, **changes):
    problem = random_problem(seed, "hif8", **(MODES[mode] | changes))
    return problem, scaled(lay_out(problem, *layouts, seed))


def run(call, threads=1):
    shape = call["q"].shape
    statistics = (shape[0], 1, *shape[1:3]) if len(shape) == 4 else (1, *shape[:2])
    return host(NAME, call, results_like((np.empty(shape, np.uint16), np.empty(statistics, np.float32))), threads)


@pytest.mark.vectors(NAME)
def test_matches_the_golden_vectors(vector):
    call = recorded(vector)
    out, lse = run(call)
    assert out_of_tolerance(out, vector.outputs["attn_out"]) == 0
    assert bits_changed(out, vector.outputs["attn_out"]) < 2e-4
    if call["return_softmax_lse"]:
        np.testing.assert_allclose(lse, vector.outputs["softmax_lse"], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("layouts", LAYOUTS, ids="-".join)
@pytest.mark.parametrize("mode", MODES)
def test_random_calls_agree_with_the_reference(layouts, mode):
    _, call = make(layouts, mode, seed=len(mode))
    out, lse = run(call)
    expected = run_reference(NAME, call)
    assert out_of_tolerance(out, expected[0]) <= 0.002
    assert bits_changed(out, expected[0]) < 0.01
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


@pytest.mark.parametrize("mode", ["SWA", "HCA", "CSA", "ORI_CMP_SPARSE"])
def test_every_layout_gives_the_same_bits(mode):
    rows = []
    for layouts in LAYOUTS:
        problem, call = make(layouts, mode, seed=3)
        rows.append([part.tobytes() for part in take_rows(problem, call, run(call)[0])])
    assert rows[0] == rows[1] == rows[2] == rows[3]
    assert any(any(part) for part in rows[0])


@pytest.mark.parametrize("rows", [(1,), (2, 0, 3), (9, 8)])
def test_threads_change_no_bit(rows):
    _, call = make(("TND", "PA"), "CSA", rows=rows, tokens=(200, 150, 300)[: len(rows)], heads=13)
    once = [array.tobytes() for array in run(call)]
    for threads in (2, 3, 4, 7):
        assert [array.tobytes() for array in run(call, threads)] == once


def test_rows_without_a_key_and_rows_behind_the_used_ones_are_zero():
    problem, call = make(("BSND", "BSND"), "SWA", tokens=(1, 2, 3, 1))
    out, lse = run(call)
    assert (out[0, :2] == 0).all() and (lse[0, 0, :2] == 0).all(), "two of three rows come before the only key"
    assert (out[0, 2] != 0).any() and (lse[0, 0, 2] != 0).all()
    for batch, rows in enumerate(problem.q):
        assert (out[batch, len(rows) :] == 0).all() and (lse[batch, 0, len(rows) :] == 0).all()


def test_a_list_with_no_entry_does_not_fall_back_to_the_window():
    _, call = make(mode="ORI_SPARSE")
    call["ori_topk_length"][:] = 0
    assert not run(call)[0].any()
    call["ori_topk_length"][:] = 1
    assert run(call)[0].any()


def test_no_sinks_are_sinks_of_minus_infinity():
    _, call = make()
    with_sinks = run(call)
    absent, infinite = run(call | {"sinks": None}), run(call | {"sinks": np.full(5, -np.inf, np.float32)})
    assert absent[0].tobytes() == infinite[0].tobytes() != with_sinks[0].tobytes()
    assert absent[1].tobytes() == infinite[1].tobytes()


def test_entries_that_are_not_visible_yet_are_left_out():
    _, call = make(tokens=(40, 40, 40, 40), rows=(4, 1, 1, 1), lists=(0, 10))
    call["cmp_sparse_indices"][0, :, 0] = np.arange(10)[::-1]  # the last group completes in the last row only
    expected = run_reference(NAME, call)
    assert bits_changed(run(call)[0], expected[0]) < 0.01
    call["cmp_sparse_indices"][0, 0, 0, 0] = 3  # a visible group in the place of the invisible 9
    assert bits_changed(run(call)[0][0, 0], expected[0][0, 0]) > 0.5


def test_what_lies_behind_the_limit_of_a_list_is_not_read():
    _, call = make(mode="CSA_counts")
    call["cmp_topk_length"][:] = 3
    before = run(call)[0].tobytes()
    call["cmp_sparse_indices"][..., 3:] = 12345
    assert run(call)[0].tobytes() == before


def test_compressed_arguments_without_compressed_keys_mean_nothing():
    _, call = make(mode="SWA")
    before = run(call)[0].tobytes()
    left = {"cmp_kv_descale": ONE, "seqused_cmp_kv": call["seqused_ori_kv"], "cmp_ratio": 4, "cmp_mask_mode": 3}
    assert run(call | left)[0].tobytes() == before


def test_lse_is_written_only_on_request():
    _, call = make()
    out, lse = run(call | {"return_softmax_lse": False})
    assert (lse == -7).all() and out.tobytes() == run(call)[0].tobytes()


def test_nan_keys_reach_only_rows_that_see_them():
    _, call = make(("BSND", "BSND"), "SWA")
    call["ori_kv"][0, 298, 0, 7] = 0x80  # NaN; rows 0..2 see up to 298, 299, 300
    out, _ = run(call)
    assert np.isnan((out[0, :3].astype(np.uint32) << 16).view(np.float32)).any(axis=-1).all()
    assert not np.isnan((out[1:].astype(np.uint32) << 16).view(np.float32)).any()


@pytest.mark.parametrize("shape", [(0, 3, 5), (2, 0, 5), (2, 3, 0)])
def test_nothing_to_do_is_no_error(shape):
    keys = np.zeros((shape[0], 4, 1, 512), np.uint8)
    call = {"q": np.zeros((*shape, 512), np.uint8), "ori_kv": keys, "sinks": np.zeros(shape[2], np.float32)}
    out, _ = run(scaled(call) | {"softmax_scale": 1.0, "cmp_ratio": 1}, threads=3)
    assert out.shape == (*shape, 512)


def test_blocks_may_lie_further_apart_than_32_bits_reach():
    problem, call = make(("TND", "PA"), "SWA", rows=(1,), tokens=(20,))
    size, distance = call["ori_kv"].shape[1], 2**31 + 4096
    memory = mmap.mmap(-1, distance + size * 512)  # pages nobody touches cost nothing
    far = np.ndarray((2, size, 1, 512), np.uint8, memory, 0, (distance, 512, 512, 1))
    far[:] = call["ori_kv"][call["ori_block_table"][0, :2]]
    moved = call | {"ori_kv": far, "ori_block_table": np.array([[0, 1]], np.int32)}
    assert run(moved)[0].tobytes() == run(call)[0].tobytes()
    assert take_rows(problem, moved, run(moved)[0])[0].any()


def put(name, index, value):
    def change(call):
        call[name] = call[name].copy()
        call[name][index] = value

    return change


BAD_VALUES = [
    (
        ("BSND", "BSND"),
        put("cmp_sparse_indices", (0, 1, 0, 2), 75),
        r"cmp_sparse_indices at \[0,1,0,2\] is 75.*0\.\.74",
    ),
    (("TND", "PA"), put("cmp_sparse_indices", (1, 0, 0), -2), r"cmp_sparse_indices at \[1,0,0\] is -2"),
    (("BSND", "PA"), put("ori_block_table", (0, 12), 10**6), r"ori_block_table at \[0,12\] is 1000000"),
    (("BSND", "PA"), put("cmp_block_table", (0, 0), -1), r"cmp_block_table at \[0,0\] is -1"),
    (("TND", "TND"), put("cu_seqlens_q", 0, 1), r"cu_seqlens_q at \[0\] is 1, must be 0"),
    (("TND", "TND"), put("cu_seqlens_ori_kv", 2, 1), r"cu_seqlens_ori_kv at \[2\] is 1"),
    (("TND", "TND"), put("cu_seqlens_cmp_kv", 4, 10**6), r"cu_seqlens_cmp_kv at \[4\] is 1000000"),
    (("BSND", "BSND"), put("seqused_q", 3, 5), r"seqused_q at \[3\] is 5, must be in 0\.\.4"),
    (("BSND", "BSND"), put("seqused_ori_kv", 1, -1), r"seqused_ori_kv at \[1\] is -1"),
    (("BSND", "BSND"), put("seqused_cmp_kv", 0, 78), r"seqused_cmp_kv at \[0\] is 78, must be in 0\.\.77"),
    (("TND", "PA"), put("seqused_ori_kv", 0, 10**6), r"seqused_ori_kv at \[0\] is 1000000"),
    (("BSND", "BSND"), put("cmp_residual_kv", 2, 4), r"cmp_residual_kv at \[2\] is 4, must be in 0\.\.3"),
]


@pytest.mark.parametrize(("layouts", "change", "text"), BAD_VALUES, ids=[f"bad{i}" for i in range(len(BAD_VALUES))])
@pytest.mark.parametrize("threads", [1, 3])
def test_a_bad_value_is_named_and_nothing_is_written(layouts, change, text, threads):
    _, call = make(layouts, lists=(0, 60))
    run(call)
    change(call)
    results = results_like((np.empty(call["q"].shape, np.uint16), np.empty((1, *call["q"].shape[:2]), np.float32)))
    if layouts[0] == "BSND":
        results[1] = np.full((call["q"].shape[0], 1, *call["q"].shape[1:3]), -7, np.float32)
    with pytest.raises(HostKernelError, match=text):
        host(NAME, call, results, threads)
    assert (results[0] == 0x7FFF).all() and (results[1] == -7).all()


def test_a_list_length_beyond_the_list_is_named():
    _, call = make(("TND", "PA"), "ORI_CMP_SPARSE")
    call["ori_topk_length"][1, 0] = 31
    with pytest.raises(HostKernelError, match=r"ori_topk_length at \[1,0\] is 31, must be in 0\.\.30"):
        run(call)


def test_bad_values_outside_the_used_rows_are_not_read():
    _, call = make(("BSND", "PA"))
    before = run(call)[0].tobytes()
    call["cmp_sparse_indices"][0, 3] = 10**6
    call["ori_block_table"][:, -1] = 10**6
    assert run(call)[0].tobytes() == before


BAD_ARGUMENTS = [
    ({"quant_mode": 2}, "quant_mode is 2, must be 1"),
    ({"quant_mode": None}, "quant_mode is absent, must be 1"),
    ({"topk_value_mode": 2}, "topk_value_mode is 2"),
    ({"ori_mask_mode": 1}, "ori_mask_mode is 1, must be 0 or 3 or 4"),
    ({"cmp_mask_mode": 4}, "cmp_mask_mode is 4, must be 0 or 3"),
    ({"cmp_mask_mode": 0}, "cmp_topk_length is missing"),
    ({"ori_mask_mode": 3}, "must be -1 when ori_mask_mode is 3"),
    ({"ori_win_left": -2}, "ori_win_left is -2"),
    ({"cmp_ratio": 129}, r"cmp_ratio is 129, must be in 1\.\.128"),
    ({"softmax_scale": float("nan")}, "softmax_scale is not finite"),
    ({"layout_q": "BNSD"}, "layout_q is BNSD, must be BSND or TND"),
    ({"layout_kv": "PA_ND"}, "layout_kv is PA_ND, must be BSND or TND or PA_BBND"),
    ({"layout_kv": "TND"}, "layout_kv is TND, must be BSND or PA_BBND"),
    ({"cmp_residual_kv": None}, "cmp_residual_kv is missing"),
    ({"ori_kv": None}, "ori_kv is missing"),
    ({"q_descale": None}, "q_descale is missing"),
    ({"cmp_kv_descale": np.ones(2, np.float32)}, r"cmp_kv_descale has shape \[2\], must be \[1\]"),
    ({"sinks": np.ones(4, np.float32)}, r"sinks has shape \[4\], must be \[5\]"),
    ({"metadata": np.zeros(1000, np.int32)}, r"metadata has shape \[1000\]"),
    ({"cu_seqlens_q": np.zeros(5, np.int32)}, "cu_seqlens_q must be absent"),
    ({"ori_block_table": np.zeros((4, 9), np.int32)}, "ori_block_table must be absent"),
]


@pytest.mark.parametrize(("change", "text"), BAD_ARGUMENTS, ids=[next(iter(c)) for c, _ in BAD_ARGUMENTS])
def test_bad_arguments_are_refused(change, text):
    _, call = make()
    with pytest.raises(HostKernelError, match=text):
        run(call | change)


@pytest.mark.parametrize("name", ["ori_block_table", "seqused_ori_kv", "cmp_block_table", "seqused_cmp_kv"])
def test_paged_keys_need_tables_and_lengths(name):
    _, call = make(("TND", "PA"))
    with pytest.raises(HostKernelError, match=f"{name} is missing"):
        run(call | {name: None})
    _, call = make(("TND", "PA"), "ORI_CMP_SPARSE")
    if name.startswith("seqused"):
        run(call | {name: None})  # lists with lengths need no other bound than the table
