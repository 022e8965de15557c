"""The host's cache writers against the torch operations: the same bits, or the torch operations it is."""

import pytest
import torch

from sparse_attn.lowering.host import library
from sparse_attn.lowering.quantize.formats import FORMATS
from sparse_attn.ops import quantise, quantise_host

WRITTEN = list(quantise_host.WRITERS)


def bits(seed: int, *shape: int) -> torch.Tensor:
    """bf16 values of every kind."""
    made = torch.randint(-(2**15), 2**15, shape, generator=torch.Generator().manual_seed(seed), dtype=torch.int16)
    return made.view(torch.bfloat16)


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_the_same_bits(name, dtype):
    values = bits(0, 200, 512).view(dtype)
    if name == "kv_fp8":  # which NaN a rotary element is may differ
        values = values.nan_to_num()
    ours = quantise.quantise(values, format=name)
    if not quantise_host.serves(values, FORMATS[name]):
        assert (name, dtype) == ("kv_fp8", torch.float16)
        return
    for made, wanted in zip(quantise_host.quantise(values, FORMATS[name]), ours, strict=True):
        assert made.dtype == wanted.dtype and torch.equal(made.view(torch.uint8), wanted.view(torch.uint8))


@pytest.mark.parametrize("name", WRITTEN)
def test_the_operator_takes_the_kernel(name, monkeypatch):
    calls = []
    inner = library.call
    monkeypatch.setattr(library, "call", lambda kernel, *rest: (calls.append(kernel), inner(kernel, *rest)))
    torch.ops.sparse_attn.quantise(bits(1, 2, 512), format=name)
    assert calls == [quantise_host.WRITERS[name][0]]


REST = {
    "fp32": (torch.ones(2, 512), "fp8"),
    "int8": (torch.ones(2, 512).bfloat16(), "int8"),
    "no rows": (torch.ones(0, 512).bfloat16(), "fp8"),
    "odd width": (torch.ones(2, 33).bfloat16(), "fp8"),
}


@pytest.mark.parametrize("case", REST)
def test_what_no_kernel_takes_is_left_to_torch(case):
    values, name = REST[case]
    assert not quantise_host.serves(values, FORMATS[name])
    codes, _ = torch.ops.sparse_attn.quantise(values, format=name)
    assert codes.shape == FORMATS[name].codes_shape(values.shape)


def test_without_the_library_torch_computes(monkeypatch):
    def missing(name: str) -> bool:
        raise library.HostLibraryError("not built")

    values = bits(2, 3, 128)
    wanted = torch.ops.sparse_attn.quantise(values, format="mxfp4")
    monkeypatch.setattr(library, "has", missing)
    found = torch.ops.sparse_attn.quantise(values, format="mxfp4")
    assert all(torch.equal(a.view(torch.uint8), b.view(torch.uint8)) for a, b in zip(found, wanted, strict=True))
