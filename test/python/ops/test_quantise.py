"""`sparse_attn.quantise` and `sparse_attn.write_codes`: schema, fake, refusals, any device, any layout of memory."""

import pytest
import torch
from torch._subclasses import FakeTensorMode

from sparse_attn.lowering.quantize.formats import FORMATS
from sparse_attn.ops import quantise

quantise.register()
OPERATOR, WRITE = torch.ops.sparse_attn.quantise, torch.ops.sparse_attn.write_codes
WIDTH = {"kv_fp8": 512}
DTYPES = (torch.float32, torch.bfloat16, torch.float16)


def rows(name: str, dtype: torch.dtype = torch.float32, *lead: int) -> torch.Tensor:
    """Values whose packed bytes hold no NaN code, which opcheck could not compare: a row's last 64 are one."""
    made = torch.rand(*(lead or (2, 3)), WIDTH.get(name, 128), generator=torch.Generator().manual_seed(0)) + 0.25
    made[..., -64:] = 1.0
    return made.to(dtype)


def same(found: tuple[torch.Tensor, ...], expected: tuple[torch.Tensor, ...]) -> bool:
    pairs = list(zip(found, expected, strict=True))
    return all(
        a.dtype == b.dtype and a.shape == b.shape and torch.equal(a.view(torch.uint8), b.view(torch.uint8))
        for a, b in pairs
    )


def test_every_format_has_an_encoder():
    assert list(quantise.ENCODERS) == list(FORMATS)


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_opcheck(name, dtype):
    torch.library.opcheck(OPERATOR.default, (rows(name, dtype),), {"format": name})


@pytest.mark.parametrize("name", FORMATS)
def test_results_are_shaped_as_the_format_says_and_as_the_fake_says(name):
    values, made = rows(name, torch.bfloat16, 2, 1, 5), FORMATS[name]
    codes, scale = OPERATOR(values, format=name)
    assert (codes.shape, scale.shape) == (made.codes_shape(values.shape), made.scale_shape(values.shape))
    assert (str(codes.dtype), str(scale.dtype)) == (f"torch.{made.codes}", f"torch.{made.scale}")
    with FakeTensorMode() as mode:
        fakes = OPERATOR(mode.from_tensor(values), format=name)
    assert [(f.shape, f.dtype) for f in fakes] == [(r.shape, r.dtype) for r in (codes, scale)]


@pytest.mark.parametrize("name", FORMATS)
def test_codes_do_not_depend_on_memory_layout_or_on_the_dtype_that_holds_the_values(name):
    values = rows(name, torch.bfloat16, 3, 4)
    expected = OPERATOR(values, format=name)
    assert same(OPERATOR(values.transpose(0, 1).contiguous().transpose(0, 1), format=name), expected)
    assert same(OPERATOR(values.float(), format=name), expected)
    doubled = torch.cat([values, values], -1)
    assert same(OPERATOR(doubled[..., values.shape[-1] :], format=name), expected)


@pytest.mark.parametrize("name", FORMATS)
def test_rows_are_quantised_one_by_one(name):
    values = torch.randn(6, WIDTH.get(name, 128), generator=torch.Generator().manual_seed(1))
    codes, scale = OPERATOR(values, format=name)
    one, own = OPERATOR(values[4:5], format=name)
    assert torch.equal(codes[4:5].view(torch.uint8), one.view(torch.uint8))
    if FORMATS[name].layout in ("row", "group"):
        assert torch.equal(scale[4:5].view(torch.uint8), own.view(torch.uint8))


@pytest.mark.parametrize("name", FORMATS)
def test_no_rows_give_no_codes(name):
    codes, scale = OPERATOR(torch.empty(0, WIDTH.get(name, 128)), format=name)
    assert codes.shape[0] == 0 and scale.dtype == getattr(torch, FORMATS[name].scale)


BAD = {
    "format": (torch.ones(2, 128), "fp6", 'format is "fp6"; the formats are int8, fp8, mxfp8, mxfp4, hif8, kv_fp8'),
    "integers": (torch.ones(2, 128, dtype=torch.int32), "int8", "values are torch.int32; give float32, bfloat16 or"),
    "codes again": (torch.ones(2, 128).to(torch.float8_e4m3fn), "int8", "values are torch.float8_e4m3fn"),
    "scalar": (torch.tensor(1.0), "int8", "values are a scalar; give rows"),
    "mx width": (torch.ones(2, 96), "mxfp8", "its rows have 96 elements; mxfp8 takes multiples of 64"),
    "row width": (torch.ones(2, 576), "kv_fp8", "its rows have 576 elements; kv_fp8 rows are made of 512"),
    "no elements": (torch.ones(2, 0), "hif8", "its rows have 0 elements"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_named_before_anything_is_done(name):
    values, format, message = BAD[name]
    with pytest.raises(ValueError, match=r"sparse_attn\.quantise: ") as raised:
        OPERATOR(values, format=format)
    assert message in str(raised.value)


def test_a_recorded_gradient_is_refused_and_an_unrecorded_one_is_not():
    values = torch.ones(1, 128, requires_grad=True)
    with pytest.raises(RuntimeError, match="sparse_attn::quantise has no derivative"):
        OPERATOR(values, format="fp8")
    with torch.no_grad():
        OPERATOR(values, format="fp8")


@pytest.mark.parametrize("name", [n for n in FORMATS if n != "kv_fp8"])
def test_written_codes_are_the_codes_of_what_is_written(name):
    values = torch.randn(2, 6, 128, generator=torch.Generator().manual_seed(2))
    new, index = torch.randn(2, 2, 128), torch.tensor([4, 1])
    codes, scale = OPERATOR(values, format=name)
    own = OPERATOR(new, format=name)
    expected = OPERATOR(values.index_copy(1, index, new), format=name)
    assert torch.equal(WRITE(codes, 1, index, own[0]).view(torch.uint8), expected[0].view(torch.uint8))
    if FORMATS[name].layout != "tensor":
        assert torch.equal(WRITE(scale, 1, index, own[1]).view(torch.uint8), expected[1].view(torch.uint8))
    assert same((codes, scale), OPERATOR(values, format=name)), "the old codes must stay as they were"


@pytest.mark.parametrize("dtype", [torch.int8, torch.uint8, torch.float8_e4m3fn, torch.float16, torch.float32])
def test_opcheck_of_writes(dtype):
    codes = torch.ones(2, 5, 8).to(dtype)
    checks: tuple[str, ...] = (
        "test_schema",
        "test_autograd_registration",
        "test_faketensor",
        "test_aot_dispatch_dynamic",
    )
    if dtype == torch.float8_e4m3fn:  # torch compares arguments before and after by arithmetic that E4M3 lacks
        checks = checks[1:]
    torch.library.opcheck(WRITE.default, (codes, 1, torch.tensor([3]), codes[:, :1]), test_utils=checks)


def test_rows_of_another_format_are_refused():
    with pytest.raises(ValueError, match=r"codes are torch.int8 and rows torch.uint8; quantise both alike"):
        WRITE(torch.ones(2, 3, dtype=torch.int8), 0, torch.tensor([0]), torch.ones(1, 3, dtype=torch.uint8))
