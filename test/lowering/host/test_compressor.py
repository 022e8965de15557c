import numpy as np
import pytest
from compressor_cases import LENGTHS, linear_table, tokens, weights

from sparse_attn.dialect.npu.formats import row640
from sparse_attn.dialect.npu.reference.compressor import compressor
from sparse_attn.lowering.host.library import Dtype, HostKernelError, Tensor, call

TENSORS = ("x", "wkv", "wgate", "state_cache", "ape")


def run(inputs, ratio, coff, mode=1, num_threads=0, rows=None):
    """Calls the kernel on copies; returns cmp_kv as numbers and the state afterwards."""
    inputs = {name: None if array is None else array.copy() for name, array in inputs.items()}
    x, width = inputs["x"], inputs["wkv"].shape[0] // coff
    if rows is None:
        rows = (x.shape[0], -(-x.shape[1] // ratio)) if x.ndim == 3 else (
            min(len(x), len(x) // ratio + len(inputs["cu_seqlens"]) - 1),
        )  # fmt: skip
    result = np.full((*rows, width), 0x7FC0, np.uint16)
    passed = [Tensor.of(inputs[n], Dtype.BF16) if n in ("x", "wkv", "wgate") else inputs[n] for n in TENSORS]
    lengths = [inputs.get(name) for name in LENGTHS]
    call("compressor", [*passed, ratio, *lengths, coff, mode], [Tensor.of(result, Dtype.BF16)], num_threads)
    return row640.bf16_values(result), inputs["state_cache"]


def check(inputs, ratio, coff, mode=1):
    expected, state = compressor(**inputs, cmp_ratio=ratio, coff=coff, cache_mode=mode)
    result, after = run(inputs, ratio, coff, mode)
    np.testing.assert_allclose(result, expected, rtol=2.0**-7, atol=1e-3)
    np.testing.assert_allclose(after, state, rtol=1e-5, atol=1e-5)
    assert np.array_equal(after == inputs["state_cache"], state == inputs["state_cache"]), "other rows are untouched"


@pytest.mark.parametrize("coff", [1, 2])
@pytest.mark.parametrize("ratio", [1, 2, 4, 8])
@pytest.mark.parametrize("start", [[0, 0, 0], [0, 1, 9], [4, 6, 11]])
@pytest.mark.parametrize("mode", [1, 2])
def test_batched_calls_equal_the_reference(coff, ratio, start, mode):
    rng = np.random.default_rng(ratio)
    table, blocks = (linear_table(3, 32, 8), 13) if mode == 1 else (np.array([2, 0, 1], np.int32), 3)
    state = rng.standard_normal((blocks, 8 if mode == 1 else 16, 4 * 8 * coff)).astype(np.float32)
    inputs = weights(rng, ratio, coff) | {"x": tokens(rng, 3, 13, 24), "state_cache": state, "state_block_table": table}
    used = np.array([13, 0, 6], np.int32)
    check(inputs | {"seqused": used, "start_pos": np.array(start, np.int32)}, ratio, coff, mode)
    check(inputs | {"start_pos": np.array(start, np.int32)}, ratio, coff, mode)


@pytest.mark.parametrize("coff", [1, 2])
@pytest.mark.parametrize("seqused", [None, [3, 0, 1, 10]])
def test_packed_calls_equal_the_reference(coff, seqused):
    rng = np.random.default_rng(coff)
    state = rng.standard_normal((25, 4, 4 * 8 * coff)).astype(np.float32)
    inputs = weights(rng, 4, coff) | {"x": tokens(rng, 19, 24), "state_cache": state}
    inputs |= {"cu_seqlens": np.array([0, 5, 5, 7, 19], np.int32), "state_block_table": linear_table(4, 24, 4)}
    inputs |= {"start_pos": np.array([3, 0, 2, 8], np.int32)}
    inputs |= {"seqused": None if seqused is None else np.array(seqused, np.int32)}
    check(inputs, 4, coff)


@pytest.mark.parametrize("coff", [1, 2])
@pytest.mark.parametrize("mode", [1, 2])
@pytest.mark.parametrize("pieces", [[1] * 14, [3, 4, 7], [5, 1, 1, 7], [14]])
def test_pieces_give_the_rows_of_one_call(coff, mode, pieces):
    """Prefill in any pieces, decode included: the state carries everything over, and the rows are the same bits."""
    rng = np.random.default_rng(7)
    table = linear_table(1, 14, 4) if mode == 1 else np.array([1], np.int32)
    inputs = weights(rng, 4, coff) | {"x": tokens(rng, 1, 14, 24), "state_block_table": table}
    state = np.zeros((6, 4 if mode == 1 else 8, 4 * 8 * coff), np.float32)
    whole, _ = run(inputs | {"state_cache": state}, 4, coff, mode)
    rows, position = [], 0
    for piece in pieces:
        part = {"x": inputs["x"][:, position : position + piece], "start_pos": np.array([position], np.int32)}
        result, state = run(inputs | part | {"state_cache": state}, 4, coff, mode)
        rows.append(result[0, : (position + piece) // 4 - position // 4])
        position += piece
    assert np.array_equal(np.concatenate(rows), whole[0, :3])


def test_block_zero_of_a_linear_cache_keeps_nothing():
    rng = np.random.default_rng(1)
    state = np.full((3, 4, 64), 5, np.float32)
    inputs = weights(rng, 4, 2) | {"x": tokens(rng, 1, 8, 24), "state_cache": state}
    _, after = run(inputs | {"state_block_table": np.array([[0, 2]], np.int32)}, 4, 2)
    assert (after[:2] == 5).all() and (after[2] != 5).any()


def test_without_a_table_nothing_is_kept():
    rng = np.random.default_rng(1)
    inputs = weights(rng, 4, 2) | {"x": tokens(rng, 2, 9, 24), "state_cache": np.full((1, 4, 64), 5, np.float32)}
    check(inputs, 4, 2)
    assert (run(inputs, 4, 2)[1] == 5).all()


def test_rows_no_group_fills_are_zero():
    rng = np.random.default_rng(1)
    inputs = weights(rng, 4, 1) | {"x": tokens(rng, 2, 3, 24), "state_cache": np.zeros((1, 4, 32), np.float32)}
    assert not run(inputs, 4, 1)[0].any()


def test_the_number_of_threads_changes_no_bit():
    rng = np.random.default_rng(2)
    state = rng.standard_normal((30, 8, 4 * 64)).astype(np.float32)
    inputs = weights(rng, 4, 2, 64, 100) | {"x": tokens(rng, 3, 37, 100), "state_cache": state}
    inputs |= {"state_block_table": linear_table(3, 48, 8), "start_pos": np.array([0, 5, 7], np.int32)}
    one = run(inputs, 4, 2, num_threads=1)
    for threads in (2, 5):
        assert all(np.array_equal(a, b) for a, b in zip(one, run(inputs, 4, 2, num_threads=threads), strict=True))


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"coff": 3}, "coff is 3, must be 1 or 2"),
        ({"mode": 3}, "cache_mode is 3, must be 1 or 2"),
        ({"ape": np.zeros((3, 32), np.float32)}, r"ape has shape \[3,32\], must be \[4,32\]"),
        ({"wgate": np.zeros((31, 24), np.uint16)}, r"wgate has shape \[31,24\], must be \[32,24\]"),
        ({"state_cache": np.zeros((9, 4, 60), np.float32)}, r"state_cache has shape \[9,4,60\], must be \[\*,\*,64\]"),
        (
            {"state_block_table": np.array([[1, 2, 9]], np.int32)},
            r"state_block_table at \[0,2\] is 9, must be in 0\.\.8",
        ),
        ({"state_block_table": np.array([[1, -1, 3]], np.int32)}, r"state_block_table at \[0,1\] is -1"),
        (
            {"state_block_table": np.array([[1, 2]], np.int32)},
            "2 blocks per row, must be > 2: batch 0 reaches position 8",
        ),
        (
            {"state_block_table": None, "start_pos": np.array([3], np.int32)},
            r"start_pos at \[0\] is 3, must be 0 without",
        ),
        ({"start_pos": np.array([-1], np.int32)}, r"start_pos at \[0\] is -1, must be in"),
        ({"seqused": np.array([10], np.int32)}, r"seqused at \[0\] is 10, must be in 0\.\.9"),
        ({"cu_seqlens": np.array([0, 9], np.int32)}, r"cu_seqlens must be absent when x is \[B,S,H\]"),
        ({"x": np.zeros((9, 24), np.uint16)}, "cu_seqlens is missing: packed x needs it"),
        ({"mode": 2, "state_block_table": np.array([1], np.int32)}, "blocks of 4 rows, must be >= 8"),
        ({"rows": (1, 2)}, r"cmp_kv has shape \[1,2,16\], must be \[1,3,16\]"),
    ],
)
def test_bad_calls_are_refused_and_nothing_is_written(change, text):
    rng = np.random.default_rng(3)
    inputs = weights(rng, 4, 2) | {"x": tokens(rng, 1, 9, 24), "state_cache": np.zeros((9, 4, 64), np.float32)}
    inputs |= {"state_block_table": np.array([[1, 2, 3]], np.int32)}
    coff, mode, rows = (change.get(name, default) for name, default in (("coff", 2), ("mode", 1), ("rows", (1, 3))))
    inputs |= {name: value for name, value in change.items() if name in TENSORS + LENGTHS}
    state, result = inputs["state_cache"], np.full((*rows, 16), 0x4321, np.uint16)
    passed = [Tensor.of(inputs[n], Dtype.BF16) if n in ("x", "wkv", "wgate") else inputs[n] for n in TENSORS]
    arguments = [*passed, 4, *(inputs.get(name) for name in LENGTHS), coff, mode]
    with pytest.raises(HostKernelError, match=text):
        call("compressor", arguments, [Tensor.of(result, Dtype.BF16)])
    assert (result == 0x4321).all() and not state.any()
