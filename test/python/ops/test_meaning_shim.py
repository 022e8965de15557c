"""The registration shim: the same results, errors and refusals as through Python and ctypes, and doing without it."""

import ctypes
import os
import pathlib
import subprocess
import sys
import threading

import pytest
import torch
from meaning_cases import draw, integers, operator, picks

from sparse_attn.lowering.host import library
from sparse_attn.ops import meaning, meaning_host, meaning_shim

B, S, T, C, H, D = 2, 5, 90, 70, 4, 8
INDEXER = (draw(B, S, H, D), draw(B, T, D, seed=1), draw(B, S, H, seed=2))
CALLS = {
    "index_scores": (INDEXER, {"scale": 0.5, "key_scale": draw(B, T)}),
    "topk": ((draw(B, S, T),), {"k": 12, "mask_mode": "causal", "sorted": False}),
    "lightning_indexer": (INDEXER, {"k": 4, "mask_mode": "prefix", "visible": integers(0, T, B, S), "ratio": 4}),
    "selection": ((picks(B, S, 4, T),), {"extent": T}),
    "attention": (
        (draw(B, S, H, D),),
        {"ori_kv": draw(B, T, 2, D), "cmp_kv": draw(B, C, 2, D), "cmp_indices": picks(B, S, 3, C), "return_lse": True},
    ),
    "compress": ((draw(B, T, D), draw(B, T, D), draw(4, D)), {"ratio": 4}),
    "paged_write": ((draw(3, 4, 2), draw(3, 2), torch.tensor([0, -1, 11])), {}),
}
needs_shim = pytest.mark.skipif(meaning_shim.find()[0] is None, reason="the registration shim is not built")


def outputs(result):
    return result if isinstance(result, tuple) else (result,)


def through_python(name, args, kwargs):
    with meaning_shim.paused():
        return outputs(operator(name)(*args, **kwargs))


def counted(monkeypatch):
    """The names of the operators that Python is asked for, in order."""
    reached, real = [], meaning_host.call
    monkeypatch.setattr(meaning_host, "call", lambda name, *rest: (reached.append(name), real(name, *rest))[1])
    return reached


def test_every_operator_is_tried():
    assert set(CALLS) == set(meaning.OPERATORS)


@needs_shim
@pytest.mark.parametrize("name", CALLS)
def test_the_bits_are_those_of_ctypes(name):
    args, kwargs = CALLS[name]
    wanted = through_python(name, args, kwargs)
    for _ in range(2):  # the call that Python checks, and the one it does not see
        found = outputs(operator(name)(*args, **kwargs))
        for one, other in zip(found, wanted, strict=True):
            assert (one.dtype, one.shape, one.stride()) == (other.dtype, other.shape, other.stride())
            assert torch.equal(one, other)


@needs_shim
def test_python_sees_a_call_once_and_again_when_it_looks_different(monkeypatch):
    reached = counted(monkeypatch)
    query, key = draw(1, 3, 2, 24), draw(1, 6, 1, 24)
    call = operator("attention")
    for scale in (0.25, 0.25, 0.5):
        call(query, ori_kv=key, scale=scale)
    assert len(reached) == 2
    call(query, ori_kv=key, scale=0.5, ori_mask="causal")
    call(query, ori_kv=key[:, :5], scale=0.5)
    call(query.bfloat16(), ori_kv=key, scale=0.5)
    assert len(reached) == 5
    call(query * 2, ori_kv=key * 2, scale=0.5)
    assert len(reached) == 5, "only the numbers differ"


@needs_shim
def test_other_strides_of_a_seen_call_are_read_right():
    query, key = draw(1, 3, 2, 16), draw(1, 6, 1, 16)
    (wanted, _), turned = operator("attention")(query, ori_kv=key), query.transpose(1, 2).contiguous().transpose(1, 2)
    assert turned.stride() != query.stride()
    assert torch.equal(operator("attention")(turned, ori_kv=key)[0], wanted)


@needs_shim
def test_a_kernel_that_wants_contiguous_tensors_gets_them():
    cache, slots = draw(6, 4, 2), torch.tensor([0, -1, 11])
    rows = draw(2, 3).T
    operator("paged_write")(cache, rows.contiguous(), slots)
    assert torch.equal(
        operator("paged_write")(cache[::2], rows, slots),
        through_python("paged_write", (cache[::2], rows, slots), {})[0],
    )


@needs_shim
@pytest.mark.parametrize("warm", [False, True])
def test_errors_are_the_same_and_a_broken_call_is_not_remembered(warm):
    if warm:
        operator("topk")(draw(1, 2, 31), k=2)
    texts = []
    for _ in range(2):
        with pytest.raises(ValueError, match=r"sparse_attn\.topk: \[c\d+\]") as error:
            operator("topk")(draw(1, 2, 31), k=0)
        texts.append(str(error.value))
    with meaning_shim.paused(), pytest.raises(ValueError) as error:
        operator("topk")(draw(1, 2, 31), k=0)
    assert {*texts} == {str(error.value)}


@needs_shim
def test_what_the_kernel_refuses_is_a_value_error_with_its_text():
    query, key, good = draw(1, 2, 1, 4), draw(1, 3, 1, 4), torch.tensor([[[0], [2]]])
    operator("attention")(query, ori_kv=key, ori_indices=good)
    with pytest.raises(ValueError, match=r"^sparse_attn\.attention: .*ori_indices") as error:
        operator("attention")(query, ori_kv=key, ori_indices=good + 1)
    assert "Exception raised from" not in str(error.value)


@needs_shim
def test_a_gradient_is_refused_for_a_seen_call_too():
    query, key = draw(1, 2, 1, 4), draw(1, 3, 1, 4)
    operator("attention")(query, ori_kv=key)
    with pytest.raises(RuntimeError, match=r"sparse_attn\.attention has no derivative.*no_grad\(\)"):
        operator("attention")(query, ori_kv=key.clone().requires_grad_())
    with torch.no_grad():
        assert not operator("attention")(query, ori_kv=key.clone().requires_grad_())[0].requires_grad


@needs_shim
def test_a_dtype_without_a_host_format_stays_with_python(monkeypatch):
    cache = torch.zeros(2, 2, 1, dtype=torch.float8_e5m2)
    asked = []
    real = meaning.OPERATORS["paged_write"].reference
    monkeypatch.setattr(
        meaning.OPERATORS["paged_write"], "reference", lambda *a, **k: (asked.append(1), real(*a, **k))[1]
    )
    for _ in range(2):
        assert operator("paged_write")(cache, cache[0], torch.tensor([1, -1])).dtype == cache.dtype
    assert len(asked) == 2


@needs_shim
def test_threads_may_call_at_once():
    query, key = draw(1, 6, 2, 16), draw(1, 40, 1, 16)
    wanted = operator("attention")(query, ori_kv=key)[0]
    wrong = []

    def work(number):
        for keys in range(1, 40):
            operator("attention")(query, ori_kv=key[:, :keys], scale=1.0 + number)
            if not torch.equal(operator("attention")(query, ori_kv=key)[0], wanted):
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@needs_shim
def test_an_unknown_name_is_an_error_text():
    shim, error = meaning_shim.find()[0], ctypes.create_string_buffer(1024)
    assert shim.sa_torch_register(b"attend", None, 0, error) == 1
    assert error.value == b"no kernel is called attend"


def child(code, **environment):
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ, **environment}
    )
    return done.stdout.strip()


CALL = """
import torch, sparse_attn.ops
from sparse_attn.ops import meaning_shim
made = torch.ops.sparse_attn.topk(torch.arange(9.0).reshape(1, 1, 9), k=2)[0].tolist()
print(meaning_shim.find()[1], made, hasattr(torch.ops.sparse_attn_checked, "topk"))
"""


def test_without_the_shim_the_operators_are_registered_by_python():
    assert child(CALL, SPARSE_ATTN_SHIM="off") == "SPARSE_ATTN_SHIM is off [[[8, 7]]] False"


@needs_shim
def test_a_shim_for_another_torch_is_not_used(monkeypatch):
    meaning_shim.find.cache_clear()
    monkeypatch.setattr(torch, "__version__", "2.12.0")
    try:
        loaded, reason = meaning_shim.find()
    finally:
        meaning_shim.find.cache_clear()
    assert loaded is None and "this is 2.12.0: rebuild it" in reason


@pytest.mark.parametrize(("content", "reason"), [(None, "it is not built"), (b"no library", "it does not load")])
def test_a_missing_or_broken_shim_is_not_used(monkeypatch, tmp_path, content, reason):
    monkeypatch.setattr(meaning_shim, "__file__", str(tmp_path / "meaning_shim.py"))
    monkeypatch.delenv(meaning_shim.VARIABLE, raising=False)
    if content is not None:
        pathlib.Path(tmp_path, meaning_shim.LIBRARY_NAME).write_bytes(content)
    meaning_shim.find.cache_clear()
    try:
        loaded, found = meaning_shim.find()
        with pytest.raises(RuntimeError, match=reason):
            meaning_shim.register("topk")
        with meaning_shim.paused():  # nothing to pause is no error
            pass
    finally:
        meaning_shim.find.cache_clear()
    assert loaded is None and reason in found


def test_without_host_kernels_there_is_no_shim(monkeypatch):
    def missing():
        raise library.HostLibraryError("not built")

    if not pathlib.Path(meaning_shim.__file__).with_name(meaning_shim.LIBRARY_NAME).is_file():
        pytest.skip("the registration shim is not built")
    monkeypatch.delenv(meaning_shim.VARIABLE, raising=False)
    monkeypatch.setattr(library, "load", missing)
    meaning_shim.find.cache_clear()
    try:
        assert meaning_shim.find() == (None, "it does not load: not built")
    finally:
        meaning_shim.find.cache_clear()
