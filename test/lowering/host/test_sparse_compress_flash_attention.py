import numpy as np
import pytest
from attention import bits_changed, host, out_of_tolerance, recorded, results_like, run_reference
from attention_cases import random_flat_call as make

from sparse_attn.lowering.host.library import HostKernelError

NAME = "sparse_compress_flash_attention"


def run(call, threads=1):
    return host(NAME, call, results_like((call["query_npu"],)), threads)[0]


@pytest.mark.vectors(NAME)
def test_matches_the_golden_vectors(vector):
    out = run(recorded(vector))
    assert out_of_tolerance(out, vector.outputs["attention_out"]) == 0
    assert bits_changed(out, vector.outputs["attention_out"]) < 6e-3


@pytest.mark.parametrize("changes", [{}, {"ratio": 1, "width": 200}, {"window": 7}, {"heads": 64, "rows": (1, 1, 1)}])
def test_random_calls_agree_with_the_reference(changes):
    call = make(**changes)
    (expected,) = run_reference(NAME, call)
    assert out_of_tolerance(run(call), expected) <= 0.001
    assert bits_changed(run(call), expected) < 0.02


def test_visible_groups_step_by_one_per_row():
    """Two rows of 201 tokens: 49 groups for the first row and 50 for the last, not floor(200 / 4) = 50 for both."""
    call = make(rows=(2,), tokens=(201,), width=50)
    first = run(call)[:5]
    call["cmp_sparse_indices_npu"][0, 49] = -1  # behind the 49 entries the first row uses
    assert run(call)[:5].tobytes() == first.tobytes()
    call["cmp_sparse_indices_npu"][1, 49] = -1  # the last row uses 50
    with pytest.raises(HostKernelError, match=r"cmp_sparse_indices_npu at \[1,49\] is -1.*row 1 uses 50 entries"):
        run(call)


def test_the_sink_takes_no_part_in_the_maximum():
    call = make(rows=(1,), tokens=(301,))
    huge = call | {"atten_sink_npu": np.full(5, 80, np.float32)}
    (expected,) = run_reference(NAME, huge)
    assert bits_changed(run(huge), expected) < 0.02
    assert run(huge).tobytes() != run(call).tobytes()


def test_rows_that_see_nothing_are_zero():
    call = make(rows=(3,), tokens=(1,))
    out = run(call).reshape(3, 5, 512)
    assert not out[:2].any() and out[2].any()


def test_threads_change_no_bit():
    call = make(rows=(2, 1, 0), heads=13)
    once = run(call).tobytes()
    assert all(run(call, threads).tobytes() == once for threads in (2, 3, 7))


BAD = [
    ("cmp_sparse_indices_npu", (0, 1), 75, r"cmp_sparse_indices_npu at \[0,1\] is 75, must be in 0\.\.74"),
    ("ori_block_table_npu", (0, 2), 99, r"ori_block_table_npu at \[0,2\] is 99"),
    ("cmp_block_table_npu", (2, 0), -1, r"cmp_block_table_npu at \[2,0\] is -1"),
    ("q_act_seqs_npu", 3, 4, r"q_act_seqs_npu at \[3\] is 4, must be 5"),
    ("seqused_kv_npu", 0, 10**6, r"seqused_kv_npu at \[0\] is 1000000"),
]


@pytest.mark.parametrize(("name", "at", "value", "text"), BAD, ids=[bad[0] for bad in BAD])
def test_a_bad_value_is_named_and_nothing_is_written(name, at, value, text):
    call = make()
    call[name][at] = value
    results = results_like((call["query_npu"],))
    with pytest.raises(HostKernelError, match=text):
        host(NAME, call, results, 2)
    assert (results[0] == 0x7FFF).all()


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"cmp_ratio": 0}, "cmp_ratio is 0"),
        ({"win_size": -1}, "win_size is -1"),
        ({"softmax_scale": float("inf")}, "softmax_scale is not finite"),
        ({"atten_sink_npu": np.ones(4, np.float32)}, "query_npu has 25 rows, must be a multiple of the 4 heads"),
        ({"ori_kv_npu": np.zeros((100, 512), np.uint16)}, "ori_kv_npu has 100 rows, must be a multiple of 128"),
        ({"query_npu": np.zeros((25, 512), np.float16)}, "query_npu is fp16, must be bf16"),
    ],
)
def test_bad_arguments_are_refused(change, text):
    with pytest.raises(HostKernelError, match=text):
        run(make() | change)
