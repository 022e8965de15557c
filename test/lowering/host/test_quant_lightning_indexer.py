import indexer_cases as cases
import numpy as np
import pytest
from storage import sparse_bytes, tensor

from sparse_attn.dialect.npu.reference.quant_lightning_indexer import quant_lightning_indexer
from sparse_attn.lowering.host.library import Dtype, HostKernelError, Tensor, call

NAME = "quant_lightning_indexer"


def run(case, num_threads=0, **changes):
    indices, values = case.results()
    call(NAME, cases.arguments(case.tensors | changes, case.attrs), [indices, values], num_threads)
    return indices, values


def check(case):
    expected = quant_lightning_indexer(**case.inputs, **case.attrs)
    indices, values = run(case)
    assert np.array_equal(indices, expected[0])
    assert np.array_equal(values, expected[1])


@pytest.mark.vectors(NAME)
def test_matches_the_golden_vectors(vector):
    tensors = {name: tensor(vector, name) for name in vector.inputs}
    expected = vector.outputs["sparse_indices"]
    indices, values = np.empty_like(expected), np.full(expected.shape, 7, np.float32)
    call(NAME, cases.arguments(tensors, vector.attrs), [indices, values])
    assert np.array_equal(indices, expected)
    if not vector.attrs["return_value"]:
        assert (values == 7).all()
    elif vector.attrs["quant_mode"] == 2:
        np.testing.assert_allclose(values, vector.outputs["sparse_values"], rtol=1e-6)
    else:
        assert np.array_equal(values, vector.outputs["sparse_values"])


def grid():
    """Every mask and ratio in every mode; each with one pair of layouts every day, the rest on request."""
    for mask, ratio in ((0, 1), (3, 1), (3, 4), (0, 4), (3, 128), (3, 3)):
        for mode in (1, 2, 3, 4, 5):
            for number, layouts in enumerate(cases.LAYOUTS):
                marks = () if number == (mask + ratio + mode) % 4 else pytest.mark.slow
                yield pytest.param(
                    mode, layouts, mask, ratio, marks=marks, id=f"{mask}-{ratio}-{mode}-{'-'.join(layouts)}"
                )


@pytest.mark.parametrize(("mode", "layouts", "mask", "ratio"), list(grid()))
def test_random_calls_equal_the_reference_bit_for_bit(mode, layouts, mask, ratio):
    check(cases.random_case(mode * 1000 + ratio, mode, layouts, mask, ratio))


def check_ratio(ratio, mode):
    sizes = {"batches": 2, "rows": 3, "keys": 20, "heads": 2, "topk": 9}
    check(cases.random_case(ratio, mode, cases.LAYOUTS[ratio % 4], 3, ratio, **sizes))


@pytest.mark.parametrize("mode", [1, 2, 3, 4, 5])
def test_ratios(mode):
    for ratio in (2, 5, 7, 31, 64, 127):
        check_ratio(ratio, mode)


@pytest.mark.slow
@pytest.mark.parametrize("mode", [1, 2, 3, 4, 5])
def test_every_ratio(mode):
    for ratio in range(1, 129):
        check_ratio(ratio, mode)


@pytest.mark.parametrize("seed", range(12))
def test_more_random_sizes(seed):
    """Head counts that are no multiple of a block, lists longer than the keys, one key, many rows."""
    rng = np.random.default_rng(seed)
    sizes = {"rows": int(rng.integers(1, 40)), "keys": int(rng.integers(1, 300)), "batches": int(rng.integers(1, 5))}
    layouts = cases.LAYOUTS[seed % 4]
    check(
        cases.random_case(
            seed, seed % 5 + 1, layouts, 3, int(rng.integers(1, 9)), int(rng.integers(1, 12)), 70, **sizes
        )
    )


@pytest.mark.parametrize("mode", [1, 2, 3, 4, 5])
def test_the_number_of_threads_changes_no_bit(mode):
    case = cases.random_case(9, mode, ("TND", "PA"), 3, 4, 16, 33, rows=20, keys=400)
    one = run(case, 1)
    for threads in (2, 3, 7):
        assert all(np.array_equal(a, b) for a, b in zip(one, run(case, threads), strict=True))


def test_waves_of_rows_join_seamlessly():
    """More rows than are decoded at a time."""
    check(cases.random_case(4, 1, ("BSND", "BSND"), 3, 1, 2, 5, batches=2, rows=300, keys=310))


def test_keys_and_scales_with_a_stride_along_the_first_axis():
    """Keys and their scales interleaved block by block in one buffer, as a serving cache may hold them."""
    case = cases.random_case(7, 1, ("TND", "PA"), 3, 4)
    key, scale = case.inputs["key"], case.inputs["key_dequant_scale"]
    buffer = np.full((key.shape[0], 16 * 132), 0x7F, np.uint8)
    keys = buffer[:, : 16 * 128].reshape(key.shape[0], 16, 1, 128)
    scales = buffer[:, 16 * 128 :].view(np.float32).reshape(key.shape[0], 16, 1)
    assert np.shares_memory(keys, buffer) and np.shares_memory(scales, buffer)
    keys[:], scales[:] = key, scale
    strided = run(case, key=Tensor.of(keys, Dtype.FP8_E4M3), key_dequant_scale=scales)
    assert all(np.array_equal(a, b) for a, b in zip(strided, run(case), strict=True))


def test_offsets_beyond_two_to_the_31():
    """Blocks of keys three gigabytes apart, in memory that is only reserved."""
    case = cases.random_case(7, 1, ("TND", "PA"), 3, 4)
    key, gap = case.inputs["key"], 3 << 30
    blocks = key.shape[0]
    keys = sparse_bytes(gap * blocks).reshape(blocks, gap)[:, : 16 * 128].reshape(key.shape)
    keys[:] = key
    far = run(case, key=Tensor.of(keys, Dtype.FP8_E4M3))
    assert all(np.array_equal(a, b) for a, b in zip(far, run(case), strict=True))


def test_a_slice_of_the_rows_gives_a_slice_of_the_lists():
    """With lengths that say where the rows stand, rows computed alone are rows computed together."""
    case = cases.random_case(13, 4, ("BSND", "BSND"), 0, rows=12)
    case.tensors |= {"seqused_q": None, "output_idx_offset": None}
    whole = run(case)
    part = {name: case.inputs[name][:, 5:7] for name in ("query", "weights")}
    results = tuple(array[:, 5:7].copy() for array in case.results())
    tensors = case.tensors | part | {"key": case.inputs["key"]}
    call(NAME, cases.arguments(tensors, case.attrs), list(results))
    assert all(np.array_equal(a, b[:, 5:7]) for a, b in zip(results, whole, strict=True))


def test_uint8_storage_is_read_as_the_mode_says():
    for mode, names in ((1, ("query", "key")), (4, ("query", "key")), (5, ("query", "key", "query_dequant_scale"))):
        case = cases.random_case(11, mode)
        raw = {name: case.inputs[name] for name in names}
        assert all(np.array_equal(a, b) for a, b in zip(run(case), run(case, **raw), strict=True))


def test_values_may_be_stored_as_bfloat16():
    case = cases.random_case(3, 1)
    indices, values = case.results(np.uint16)
    call(NAME, cases.arguments(case.tensors, case.attrs), [indices, Tensor.of(values, Dtype.BF16)])
    assert np.array_equal((values.astype(np.uint32) << 16).view(np.float32), run(case)[1])


def test_values_are_left_alone_when_not_wanted():
    case = cases.random_case(3, 1)
    wanted = run(case)[0]
    case.attrs["return_value"] = 0
    indices, values = run(case)
    assert np.array_equal(indices, wanted) and (values == 7).all()


def test_a_call_without_keys_fills_everything():
    case = cases.random_case(2, 1, ("BSND", "PA"), 3, 4)
    indices, values = run(case, seqused_k=np.zeros(3, np.int32))
    assert (indices == -1).all() and (values == -np.inf).all()


def test_an_empty_batch_axis_gives_empty_results():
    case = cases.random_case(2, 1)
    for name in ("query", "key", "weights", "query_dequant_scale", "key_dequant_scale"):
        array = case.inputs[name][:0]
        case.tensors[name] = Tensor.of(array, Dtype.FP8_E4M3) if name in ("query", "key") else array
    tensors = case.tensors | {"seqused_q": None, "seqused_k": None, "output_idx_offset": None}
    call(
        NAME,
        cases.arguments(tensors, case.attrs),
        [np.zeros((0, 5, 1, 20), np.int32), np.zeros((0, 5, 1, 20), np.float32)],
    )


def _refused(match, mode=1, layouts=("TND", "PA"), mask=3, ratio=4, attrs=(), edit=None):
    """The call fails, its text matches, and neither result was touched."""
    case = cases.random_case(21, mode, layouts, mask, ratio)
    case.tensors["seqused_q"] = case.tensors["output_idx_offset"] = None
    if edit:
        edit(case.tensors)
    results = case.results()
    with pytest.raises(HostKernelError, match=match):
        call(NAME, cases.arguments(case.tensors, case.attrs | dict(attrs)), list(results))
    assert (results[0] == 12345).all() and (results[1] == 7).all()


def _set(name, at, value):
    def edit(tensors):
        tensors[name] = tensors[name].copy()
        tensors[name][at] = value

    return edit


def _put(name, value):
    return lambda tensors: tensors.__setitem__(name, value)


def test_bad_integers_are_named_with_place_and_value():
    used = cases.random_case(21, 1, ("TND", "PA"), 3, 4).inputs["seqused_k"]
    batch = int(np.argmax(used))
    _refused(rf"block_table at \[{batch},0\] is 99, must be in 0\.\.", edit=_set("block_table", (batch, 0), 99))
    _refused(rf"block_table at \[{batch},0\] is -1, must be in 0\.\.", edit=_set("block_table", (batch, 0), -1))
    _refused(r"seqused_k at \[1\] is -3, must be in 0\.\.", edit=_set("seqused_k", 1, -3))
    _refused(r"cmp_residual_k at \[2\] is 4, must be in 0\.\.3", edit=_set("cmp_residual_k", 2, 4))
    _refused(r"cu_seqlens_q at \[0\] is 1, must be 0", edit=_set("cu_seqlens_q", 0, 1))
    _refused(r"cu_seqlens_q at \[2\] is -5, must be >= the entry before it", edit=_set("cu_seqlens_q", 2, -5))
    _refused(r"cu_seqlens_q at \[3\] is 999, must be \d+, the number of packed", edit=_set("cu_seqlens_q", 3, 999))
    _refused(r"block_table has 10\d? blocks|has \d+ blocks per row, must be >=", edit=_set("seqused_k", 0, 100_000))


def test_used_lengths_stay_inside_their_slots():
    many = np.array([0, 9, 0], np.int32)
    _refused(r"seqused_q at \[1\] is 9, must be in 0\.\.5", layouts=("BSND", "BSND"), edit=_put("seqused_q", many))
    _refused(r"seqused_k at \[1\] is 151", layouts=("BSND", "BSND"), edit=_put("seqused_k", many * 0 + [0, 151, 0]))


def test_offsets_must_be_positive_and_keep_indices_in_range():
    def offsets(value):
        return lambda tensors: tensors.__setitem__(
            "output_idx_offset", np.full((*tensors["weights"].shape[:-1], 1), value, np.int32)
        )

    _refused(r"output_idx_offset at \[0,0\] is 0, must be in 1\.\.", edit=offsets(0))
    _refused(r"output_idx_offset at \[\d+,0\] is 2147483647", mask=0, edit=offsets(2**31 - 1))


def test_lengths_that_belong_to_another_layout_are_refused():
    zeros = np.zeros(4, np.int32)
    _refused("cu_seqlens_k must be absent when the key layout is not TND", edit=_put("cu_seqlens_k", zeros))
    _refused(
        "cu_seqlens_q must be absent when the query layout is BSND",
        layouts=("BSND", "PA"),
        edit=_put("cu_seqlens_q", zeros),
    )
    _refused("cu_seqlens_q is missing: the TND layout needs it", edit=_put("cu_seqlens_q", None))
    _refused("seqused_k is missing: a paged key needs it", edit=_put("seqused_k", None))
    _refused("block_table is missing", edit=_put("block_table", None))
    table = np.zeros((3, 9), np.int32)
    _refused(
        "block_table must be absent when the key is not paged", layouts=("TND", "TND"), edit=_put("block_table", table)
    )
    _refused("keys that are not paged must have the layout of the query", attrs={"layout_k": "BSND"})


def test_the_residual_is_given_exactly_when_it_is_used():
    _refused("cmp_residual_k is missing: mask mode 3 with ratio 4", edit=_put("cmp_residual_k", None))
    extra = np.zeros(3, np.int32)
    _refused("cmp_residual_k must be absent", ratio=1, edit=_put("cmp_residual_k", extra))
    _refused("cmp_residual_k must be absent", mask=0, edit=_put("cmp_residual_k", extra))


@pytest.mark.parametrize(
    ("attrs", "text"),
    [
        ({"quant_mode": 6}, "quant_mode is 6, must be 1 or 2"),
        ({"mask_mode": 4}, "mask_mode is 4, must be 0 or 3"),
        ({"cmp_ratio": 0}, r"cmp_ratio is 0, must be in 1\.\.128"),
        ({"cmp_ratio": 129}, "cmp_ratio is 129"),
        ({"topk": 0}, "topk is 0"),
        ({"layout_q": "SBND"}, "layout_q is SBND, must be BSND or TND"),
        ({"layout_k": "PA_BSND"}, "layout_k is PA_BSND, must be BSND or TND or PA_BBND"),
        ({"return_value": 2}, "return_value is 2, must be 0 or 1"),
        ({"max_seqlen_q": -2}, "max_seqlen_q is -2"),
    ],
)
def test_bad_scalars_are_refused(attrs, text):
    _refused(text, attrs=attrs)


def test_storage_of_another_mode_or_shape_is_refused():
    _refused("query is fp8_e4m3, must be int8", attrs={"quant_mode": 2})
    _refused(r"query_dequant_scale has shape \[.*\], must be \[1\]", mode=1, attrs={"quant_mode": 4}, edit=_as_uint8)
    _refused("weights is fp64, must be fp32", edit=lambda t: t.__setitem__("weights", t["weights"].astype(np.float64)))
    _refused(r"weights has shape", edit=lambda t: t.__setitem__("weights", t["weights"][:, :3]))
    _refused(
        "key_dequant_scale has shape", edit=lambda t: t.__setitem__("key_dequant_scale", t["key_dequant_scale"][:, :8])
    )


def _as_uint8(tensors):
    for name in ("query", "key"):
        tensors[name] = tensors[name].owner


@pytest.mark.parametrize("mode", [3, 5])
def test_fused_steps_round_once_even_when_heads_differ_wildly(mode):
    """A small accumulator beside a product on a rounding boundary: where rounding twice would show."""
    case = cases.random_case(31, mode, heads=24)
    scale = 2.0 ** -np.random.default_rng(1).integers(0, 60, case.inputs["weights"].shape)
    case.inputs["weights"] = (case.inputs["weights"] * scale).astype(np.float32)
    case.tensors["weights"] = case.inputs["weights"]
    check(case)
