"""The indexers of the kernel operators with every instruction set this machine runs: the reference's bits with each."""

import ctypes

import indexer_cases as cases
import numpy as np
import pytest
from storage import tensor

from sparse_attn.dialect.npu.reference.quant_lightning_indexer import quant_lightning_indexer
from sparse_attn.lowering.host import library

NAME = "quant_lightning_indexer"


def instruction_sets():
    if not library.available():
        return ["not-built"]
    names = library.load().sa_meaning_instruction_sets
    names.restype = ctypes.c_char_p
    return names().decode().split(",")


@pytest.fixture(params=instruction_sets(), autouse=True)
def isa(request, monkeypatch):
    monkeypatch.setenv("SPARSE_ATTN_ISA", request.param)
    return request.param


def run(case, num_threads=0):
    indices, values = case.results()
    library.call(NAME, cases.arguments(case.tensors, case.attrs), [indices, values], num_threads)
    return indices, values


@pytest.mark.parametrize("mode", cases.MODES)
@pytest.mark.parametrize("heads", [1, 3, 4, 6, 64])
def test_bits_of_the_reference(mode, heads):
    case = cases.random_case(heads, mode, cases.LAYOUTS[0], 3, 1, batches=2, rows=3, keys=150, heads=heads, topk=40)
    expected = quant_lightning_indexer(**case.inputs, **case.attrs)
    for threads in (1, 3):
        for found, wanted in zip(run(case, threads), expected, strict=True):
            assert np.array_equal(found, wanted)


@pytest.mark.parametrize("low", [-128, 127])
def test_the_largest_int8_numbers_do_not_overflow(low):
    """All products at once at their largest: 128 * 128 * 128 and 128 * 127 * 128."""
    query, key = np.full((1, 1, 4, 128), -128, np.int8), np.full((1, 70, 1, 128), low, np.int8)
    key[0, 3] = -128
    one = {"query": np.ones((1, 1, 4), np.float16), "key": np.ones((1, 70, 1), np.float16)}
    given = {
        "query": query, "key": key, "weights": one["query"], "query_dequant_scale": one["query"],
        "key_dequant_scale": one["key"],
    }  # fmt: skip
    attrs = {
        "topk": 70,
        "quant_mode": 2,
        "cmp_ratio": 1,
        "layout_q": "BSND",
        "layout_k": "BSND",
        "mask_mode": 0,
        "return_value": 1,
    }
    expected = quant_lightning_indexer(**given, **attrs)
    indices, values = np.empty((1, 1, 1, 70), np.int32), np.empty((1, 1, 1, 70), np.float32)
    library.call(NAME, cases.arguments(given, attrs), [indices, values])
    assert np.array_equal(indices, expected[0]) and np.array_equal(values, expected[1])
    assert values[0, 0, 0, 0] == 4 * 128**3 / 1024


@pytest.mark.vectors(NAME)
def test_golden_vectors(vector):
    tensors = {name: tensor(vector, name) for name in vector.inputs}
    expected = vector.outputs["sparse_indices"]
    indices, values = np.empty_like(expected), np.empty(expected.shape, np.float32)
    library.call(NAME, cases.arguments(tensors, vector.attrs), [indices, values])
    assert np.array_equal(indices, expected)


def test_an_unknown_set_is_refused_before_anything_is_written(monkeypatch):
    case = cases.random_case(1, 2, cases.LAYOUTS[0], 0, 1)
    indices, values = case.results()
    before = indices.copy()
    monkeypatch.setenv("SPARSE_ATTN_ISA", "mmx")
    with pytest.raises(library.HostKernelError, match="SPARSE_ATTN_ISA names the instruction set mmx"):
        library.call(NAME, cases.arguments(case.tensors, case.attrs), [indices, values])
    assert np.array_equal(indices, before)
