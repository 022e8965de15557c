import indexer_cases as cases
import numpy as np
import pytest
from storage import tagged, tensor

from sparse_attn.dialect.npu.reference.lightning_indexer import lightning_indexer
from sparse_attn.lowering.host.library import HostKernelError, call

NAME = "lightning_indexer"


def check(case, tensors=None):
    expected = lightning_indexer(**case.inputs, **case.attrs)
    indices, values = case.results()
    call(NAME, cases.arguments(tensors or case.tensors, case.attrs), [indices, values])
    assert np.array_equal(indices, expected[0])
    assert np.array_equal(values, expected[1])


@pytest.mark.vectors(NAME)
def test_matches_the_golden_vectors(vector):
    tensors = {name: tensor(vector, name) for name in vector.inputs}
    expected = vector.outputs["sparse_indices"]
    indices, values = np.empty_like(expected), np.empty(expected.shape, np.float32)
    call(NAME, cases.arguments(tensors, vector.attrs), [indices, values])
    assert np.array_equal(indices, expected)
    np.testing.assert_allclose(values, vector.outputs["sparse_values"], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("layouts", cases.LAYOUTS, ids="-".join)
@pytest.mark.parametrize(("mask", "ratio"), [(0, 1), (3, 1), (3, 4), (3, 128)])
def test_random_calls_equal_the_reference_bit_for_bit(layouts, mask, ratio):
    check(cases.random_case(ratio, None, layouts, mask, ratio))


def check_ratios(ratios):
    for ratio in ratios:
        sizes = {"batches": 2, "rows": 3, "keys": 20, "heads": 2, "topk": 9}
        check(cases.random_case(ratio, None, cases.LAYOUTS[ratio % 4], 3, ratio, **sizes))


def test_ratios():
    check_ratios((2, 5, 7, 31, 64, 127))


@pytest.mark.slow
def test_every_ratio():
    check_ratios(range(1, 129))


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_other_float_formats(dtype):
    case = cases.random_case(5, None)
    rng = np.random.default_rng(5)
    for name in ("q", "k"):
        case.inputs[name] = case.tensors[name] = rng.standard_normal(case.inputs[name].shape).astype(dtype)
    check(case)


def test_ties_keep_the_lower_index():
    case = cases.random_case(6, None, ("BSND", "BSND"), 0, keys=90, topk=90)
    case.inputs["k"][:, 1::2] = case.inputs["k"][:, ::2]
    check(case, case.tensors | {"k": tagged(case.inputs["k"], "bfloat16")})


def test_zero_scores_of_either_sign_are_ties():
    """Negative weights make -0 of a relu's 0; it must not rank below +0."""
    case = cases.random_case(8, None, ("BSND", "BSND"), 0, heads=1, keys=70, topk=70)
    case.inputs["k"][:, 10:60] = 0
    case.inputs["w"] = case.tensors["w"] = -np.abs(case.inputs["w"])
    check(case, case.tensors | {"k": tagged(case.inputs["k"], "bfloat16")})


def test_query_rows_may_be_strided():
    case = cases.random_case(12, None)
    wide = np.zeros((*case.inputs["q"].shape[:-1], 256), np.uint16)
    wide[..., ::2] = case.inputs["q"]
    check(case, case.tensors | {"q": tagged(wide[..., ::2], "bfloat16")})


def test_errors_use_the_names_of_this_operator_and_nothing_is_written():
    case = cases.random_case(14, None, ("TND", "PA"), 3, 4)
    tables = case.inputs["block_table"].copy()
    batch = int(np.argmax(case.inputs["seqused_k"]))
    tables[batch, 0] = 1000
    for change, text in (
        ({"block_table": tables}, rf"block_table at \[{batch},0\] is 1000"),
        ({"q": case.inputs["w"]}, "tensor q has shape"),
        ({"w": case.inputs["w"][:, :2]}, "tensor w has shape"),
        ({"k": case.inputs["k"].view(np.int16)}, "tensor k is int16, must be bf16 or fp16 or fp32"),
    ):
        results = case.results()
        with pytest.raises(HostKernelError, match=text):
            call(NAME, cases.arguments(case.tensors | change, case.attrs), list(results))
        assert (results[0] == 12345).all() and (results[1] == 7).all()


def test_query_and_key_must_agree():
    case = cases.random_case(14, None)
    half = np.zeros(case.inputs["k"].shape, np.float16)
    with pytest.raises(HostKernelError, match="tensor q is bf16 and tensor k is fp16, must be the same"):
        call(NAME, cases.arguments(case.tensors | {"k": half}, case.attrs), list(case.results()))
