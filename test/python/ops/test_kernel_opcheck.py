"""torch's own checks of the kernel operators, and results as the fake says whether they are asked for or not."""

import pytest
import torch
from kernel_inputs import call, for_variant

from sparse_attn.ops import kernel

STATUS = kernel.status()
REQUESTS = ("return_value", "return_softmax_lse")
ON_REQUEST = [
    (qualified, name, value)
    for qualified, status in STATUS.items()
    for name in REQUESTS
    if name in status.variant.schema.by_name and name in status.spec.attributes
    for value in (False, True)
]
EVERYDAY = (
    "cann_ops_transformer::quant_lightning_indexer",
    "cann_ops_transformer::quant_sparse_flash_mla",
    "custom::npu_sparse_attn_sharedkv_metadata",
    "cann_ops_transformer::kv_compress_epilog",
)
FLOAT8 = (torch.float8_e4m3fn, torch.float8_e5m2, torch.float8_e8m0fnu)
WITHOUT_SCHEMA = ("test_autograd_registration", "test_faketensor", "test_aot_dispatch_dynamic")
"""The check of mutation multiplies its inputs, which torch cannot do for 8-bit floats: the others run."""


def operator(qualified):
    namespace, name = qualified.split("::")
    return getattr(getattr(torch.ops, namespace), name).default


def opcheck(qualified):
    arguments = for_variant(STATUS[qualified].spec, STATUS[qualified].variant)
    dtypes = {value.dtype for value in arguments.values() if isinstance(value, torch.Tensor)}
    tests = WITHOUT_SCHEMA if dtypes & set(FLOAT8) else ("test_schema", *WITHOUT_SCHEMA)
    results = torch.library.opcheck(operator(qualified), (), arguments, test_utils=tests)
    assert results == dict.fromkeys(tests, "SUCCESS")


@pytest.mark.parametrize("qualified", EVERYDAY)
def test_opcheck(qualified):
    opcheck(qualified)


@pytest.mark.slow
@pytest.mark.parametrize("qualified", sorted(set(STATUS) - set(EVERYDAY)))
def test_opcheck_of_the_others(qualified):
    opcheck(qualified)


@pytest.mark.parametrize(("qualified", "name", "asked"), ON_REQUEST)
def test_what_is_not_asked_for_is_empty_in_fact_and_in_the_fake(qualified, name, asked):
    """The real results and the fake ones have the same shapes, dtypes and strides either way."""
    spec, variant = STATUS[qualified].spec, STATUS[qualified].variant
    kind = int if spec.schema[name].kind == "int" else bool
    arguments = for_variant(spec, variant, **{name: kind(asked)})
    results = call(qualified, arguments)
    assert all((result.numel() > 0) == asked and (asked or result.shape == (0,)) for result in results[1:])
    checked = torch.library.opcheck(operator(qualified), (), arguments, test_utils="test_faketensor")
    assert checked == {"test_faketensor": "SUCCESS"}


def test_operators_with_results_on_request_are_all_here():
    several = {q for q, status in STATUS.items() if status.variant.schema.returns > 1}
    assert several == {qualified for qualified, _, _ in ON_REQUEST}
