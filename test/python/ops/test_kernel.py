"""Registration of the kernel operators: schemas as published, every operator callable on the CPU."""

import pytest
import torch
from kernel_inputs import call, example, for_variant

from sparse_attn.dialect.npu import SPECS
from sparse_attn.ops import kernel, kernel_schema

STATUS = kernel.status()
FORMS = [(spec.name, variant) for spec in SPECS.values() for variant in spec.published]


@pytest.mark.parametrize("qualified", STATUS)
def test_the_schema_is_the_published_one_argument_by_argument(qualified):
    """torch's own reading of the text and ours agree on names, types, optionality, keywords, defaults, mutation."""
    found = kernel_schema.registered(qualified)
    variant = STATUS[qualified].variant
    assert kernel_schema.difference(variant.schema, found) is None
    assert len(found.arguments) == len(variant.schema.params)
    for param, argument in zip(variant.schema.params, found.arguments, strict=True):
        assert param.name == argument.name and param.keyword_only == argument.kwarg_only
        if param.has_default:
            assert param.default == argument.default_value
    assert len(found.returns) == variant.schema.returns


def test_every_published_form_is_registered():
    assert {variant.qualified for _, variant in FORMS} == set(STATUS)
    owners = {}
    for name, variant in FORMS:
        assert owners.setdefault(variant.qualified, name) == name, "two specs publish one operator"


def test_nothing_is_refused_where_no_vendor_package_is():
    assert {s.origin for s in STATUS.values()} == {"ours"}
    assert not [s.refusal for s in STATUS.values() if s.refusal]


def test_registering_twice_changes_nothing():
    kernel.register()
    assert kernel.status() == STATUS


@pytest.mark.parametrize("qualified", STATUS)
def test_every_operator_runs_its_example(qualified):
    """In every namespace; results have the shapes and dtypes of the fake."""
    spec, variant = STATUS[qualified].spec, STATUS[qualified].variant
    arguments = for_variant(spec, variant)
    results = call(qualified, arguments)
    results = results if isinstance(results, tuple) else () if results is None else (results,)
    faked = torch.library.opcheck(_operator(qualified), (), arguments, test_utils="test_faketensor")
    assert faked == {"test_faketensor": "SUCCESS"}
    assert len(results) == variant.schema.returns


def _operator(qualified):
    namespace, name = qualified.split("::")
    return getattr(getattr(torch.ops, namespace), name).default


def test_namespaces_give_their_own_defaults():
    """vllm's window default of 128 is not the kernel's 127, so it is refused where 127 is asked for."""
    arguments = example("sparse_attn_sharedkv")
    with kernel.target("a3"):
        call("custom::npu_sparse_attn_sharedkv", arguments)
        with pytest.raises(ValueError, match=r"_C_ascend::npu_sparse_attn_sharedkv \[c21\] on a3, ori_win_left is 128"):
            call("_C_ascend::npu_sparse_attn_sharedkv", arguments)
