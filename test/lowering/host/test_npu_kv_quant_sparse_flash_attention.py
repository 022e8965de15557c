import numpy as np
import pytest
from attention import bits_changed, host, out_of_tolerance, results_like, run_reference
from sparse_flash_cases import ELEMENTS, LAYOUTS, lay_out, live_rows, random_packed_problem

from sparse_attn.lowering.host.library import Dtype, HostKernelError, Tensor

NAME = "npu_kv_quant_sparse_flash_attention"


def make(layouts=("BSND", "BSND"), elements="int8", kind="bf16", **changes):
    problem = random_packed_problem(elements=elements, kind=kind, **changes)
    call = lay_out(problem, *layouts) | {"key_quant_mode": 2, "value_quant_mode": 2}
    if elements == "hif8":
        call |= {"key_dtype": 290, "value_dtype": 290}
    if elements == "e4m3":
        call |= {name: Tensor.of(call["key"], Dtype.FP8_E4M3) for name in ("key", "value")}
    return problem, call


def run(call, threads=1):
    out = np.empty((*call["query"].shape[:-1], 512), call["query"].dtype)
    return host(NAME, call, results_like((out,)), threads)[0]


@pytest.mark.parametrize("kind", ["bf16", "fp16"])
@pytest.mark.parametrize("elements", ELEMENTS)
@pytest.mark.parametrize("layouts", LAYOUTS, ids="-".join)
def test_random_calls_agree_with_the_reference(layouts, elements, kind):
    _, call = make(layouts, elements, kind)
    (expected,) = run_reference(NAME, call)
    out = run(call)
    assert out_of_tolerance(out, expected) <= 0.001
    assert bits_changed(out, expected) < 0.02


def test_every_layout_gives_the_same_bits():
    rows = []
    for layouts in LAYOUTS:
        problem, call = make(layouts)
        rows.append([part.tobytes() for part in live_rows(problem, call, run(call))])
    assert rows[0] == rows[1] == rows[2] == rows[3]


def test_threads_change_no_bit():
    _, call = make(("TND", "PA_BSND"), heads=13)
    once = run(call).tobytes()
    assert all(run(call, threads).tobytes() == once for threads in (2, 3, 7))


def test_a_bad_entry_is_named_and_nothing_is_written():
    _, call = make(("TND", "TND"))
    call["sparse_indices"][4, 0, 0] = 90
    written = results_like((np.empty((5, 5, 512), np.uint16),))
    with pytest.raises(HostKernelError, match=r"sparse_indices at \[4,0,0\] is 90, must be -1 or in 0\.\.89"):
        host(NAME, call, written)
    assert (written[0] == 0x7FFF).all()


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"key_quant_mode": 1}, "key_quant_mode is 1, must be 2"),
        ({"value_quant_mode": 0}, "value_quant_mode is 0"),
        ({"quant_scale_repo_mode": 0}, "quant_scale_repo_mode is 0"),
        ({"tile_size": 64}, "tile_size is 64, must be 128"),
        ({"rope_head_dim": 0}, "rope_head_dim is 0, must be 64"),
        ({"attention_mode": 0}, "attention_mode is 0, must be 2"),
        ({"key_dequant_scale": np.ones(1, np.float32)}, "key_dequant_scale must be absent"),
    ],
)
def test_bad_arguments_are_refused(change, text):
    _, call = make()
    with pytest.raises(HostKernelError, match=text):
        run(call | change)


def test_bytes_of_an_unnamed_format_are_refused():
    _, call = make(elements="hif8")
    run(call)
    with pytest.raises(HostKernelError, match="key is uint8: key_dtype and value_dtype must both say"):
        run(call | {"key_dtype": None})
