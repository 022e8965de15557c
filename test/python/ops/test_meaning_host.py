"""The C++ kernels behind the meaning-level operators: who computes, instruction sets, threads, their own checks."""

import numpy as np
import pytest
import torch
from meaning_cases import FLOATS, draw, integers, operator, picks

from sparse_attn.lowering.host import library
from sparse_attn.ops import meaning, meaning_host, meaning_shim

CALLS = {
    "prefill": ("attention", (draw(1, 40, 16, 64),), {"ori_kv": draw(1, 40, 1, 64), "ori_mask": "causal"}),
    "decode": (
        "attention",
        (draw(2, 1, 16, 64),),
        {"cmp_kv": draw(2, 900, 1, 64), "cmp_indices": picks(2, 1, 800, 900), "sinks": draw(16)},
    ),
    "decode-many-groups": (
        "attention",
        (draw(1, 1, 48, 40),),
        {"ori_kv": draw(1, 900, 48, 40), "ori_value": draw(1, 900, 48, 24), "ori_indices": picks(1, 1, 700, 900)},
    ),
    "decode-grouped": ("attention", (draw(2, 2, 12, 40),), {"ori_kv": draw(2, 900, 3, 40), "ori_mask": "causal"}),
    "few-heads": (
        "attention",
        (draw(1, 50, 4, 32),),
        {"ori_kv": draw(1, 70, 4, 32), "ori_indices": picks(1, 50, 40, 70)},
    ),
    "indexer": ("lightning_indexer", (draw(1, 90, 4, 32), draw(1, 200, 32), draw(1, 90, 4)), {"k": 20}),
    "indexer-decode": ("lightning_indexer", (draw(1, 1, 4, 32), draw(1, 5000, 32), draw(1, 1, 4)), {"k": 20}),
    "topk": ("topk", (integers(0, 9, 2, 30, 300).float(),), {"k": 50, "mask_mode": "causal"}),
    "compress": ("compress", (draw(1, 100, 16), draw(1, 100, 16)), {"ratio": 4, "overlap": True}),
}


@pytest.fixture(autouse=True)
def through_ctypes():
    with meaning_shim.paused():
        yield


def run(case):
    name, args, kwargs = CALLS[case]
    result = operator(name)(*args, **kwargs)
    return result if isinstance(result, tuple) else (result,)


def test_the_host_kernels_compute_when_the_library_is_there(monkeypatch):
    assert [meaning.implementation(name) for name in meaning.OPERATORS] == ["host"] * len(meaning.OPERATORS)
    reached = []
    monkeypatch.setattr(meaning_host, "call", lambda name, *rest: reached.append(name))
    run("topk")
    assert reached == ["topk"]


def test_the_reference_computes_when_it_is_not(monkeypatch):
    def missing():
        raise library.HostLibraryError("not built")

    monkeypatch.setattr(library, "load", missing)
    monkeypatch.setattr(meaning_host, "call", lambda *rest: pytest.fail("the library was called"))
    assert meaning.implementation("attention") == "torch"
    assert run("topk")[0].shape == (2, 30, 50)


def test_a_dtype_without_a_host_format_is_moved_by_the_reference(monkeypatch):
    monkeypatch.setattr(meaning_host, "call", lambda *rest: pytest.fail("the library was called"))
    cache = torch.zeros(2, 2, 1, dtype=torch.float8_e5m2)
    assert operator("paged_write")(cache, cache[0], torch.tensor([1, -1])).dtype == cache.dtype


def test_an_unknown_instruction_set_is_refused(monkeypatch):
    monkeypatch.setenv("SPARSE_ATTN_ISA", "mmx")
    known = ",".join(meaning_host.instruction_sets())
    with pytest.raises(ValueError, match=f"SPARSE_ATTN_ISA names the instruction set mmx, this machine has {known}"):
        run("prefill")


def test_portable_code_is_always_there_and_last():
    assert meaning_host.instruction_sets()[-1] == "portable"


@pytest.mark.parametrize("isa", meaning_host.instruction_sets() if library.available() else ())
@pytest.mark.parametrize("case", CALLS)
def test_any_number_of_threads_gives_the_same_bits(monkeypatch, isa, case):
    monkeypatch.setenv("SPARSE_ATTN_ISA", isa)
    before = torch.get_num_threads()
    try:
        found = []
        for threads in (1, 2, 3, 5):
            torch.set_num_threads(threads)
            found.append(run(case))
    finally:
        torch.set_num_threads(before)
    for other in found[1:]:
        assert all(torch.equal(a, b) for a, b in zip(found[0], other, strict=True))


@pytest.mark.parametrize("dtype", FLOATS)
def test_error_against_fp64_is_that_of_eager_or_less(dtype):
    query, key = draw(1, 64, 16, 128, dtype=dtype), draw(1, 256, 1, 128, dtype=dtype, seed=1)
    exact = _attend(query.double(), key.double())
    ours = (operator("attention")(query, ori_kv=key, scale=128**-0.5)[0].double() - exact).abs().max()
    eager = (_attend(query, key).double() - exact).abs().max()
    assert ours <= 2 * eager


def _attend(query, key):
    rows, columns = query.transpose(1, 2), key.transpose(1, 2)
    return ((rows @ columns.mT * 128**-0.5).softmax(-1) @ columns).transpose(1, 2)


def refused(name, *args, results):
    with pytest.raises(library.HostKernelError) as error:
        library.call(name, args, results)
    return str(error.value)


def test_the_c_interface_checks_for_itself():
    """Callers without the Python checks get an error as well, and no result is written."""
    ones, out = np.ones((1, 2, 4), np.float32), np.full((1, 2, 2), 7, np.int32)
    values = np.full((1, 2, 2), 7, np.float32)
    call = (ones, None, None, 2, "prefix", 1, 1, 0, 1)
    assert "visible is missing" in refused("meaning_topk", *call, results=[out, values])
    call = (ones, None, np.ones((3, 4), np.float32), 2, "none", 1, 1, 0, 1)
    assert "mask has shape [3,4], must broadcast to [1,2,4]" in refused("meaning_topk", *call, results=[out, values])
    assert "shape [1,2,2], must be [1,2,3]" in refused(
        "meaning_topk", ones, None, None, 3, "none", 1, 1, 0, 1, results=[out, values]
    )
    assert (out == 7).all() and (values == 7).all()


def test_an_index_is_checked_before_any_row_is_written():
    query, key = np.ones((1, 2, 1, 4), np.float32), np.ones((1, 3, 1, 4), np.float32)
    picked, out = np.array([[[0], [3]]], np.int32), np.full((1, 2, 1, 4), 7, np.float32)
    rest = (None, None, None, None, None, 1.0, -1, "none", -1, -1, "none", 1, "zero", 0)
    args = (query, key, None, None, picked, *rest)
    assert "ori_indices" in refused("meaning_attention", *args, results=[out, np.zeros(0, np.float32)])
    assert (out == 7).all()
