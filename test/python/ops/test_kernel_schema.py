"""Differences between schemas are told with both sides written out."""

import pytest
import torch

from sparse_attn.dialect.npu.schema import parse_schema
from sparse_attn.ops import kernel_schema

OURS = parse_schema(
    "f(Tensor(a!) cache, Tensor? x, *, int n=3, float s=0, str layout='TND', int m=None) -> (Tensor, Tensor)"
)


def theirs(text):
    return torch._C.parse_schema(text)


def test_equal_schemas():
    assert kernel_schema.difference(OURS, theirs(f"f{OURS.text[1:]}")) is None


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("int n=3", "int n=4", "argument 2 is `*, int n=4` there and `*, int n=3` here"),
        ("int n=3", "int? n=3", "argument 2 is `*, int? n=3` there"),
        ("int n=3", "int count=3", "argument 2 is `*, int count=3` there"),
        ("float s=0", "float s=0.5", "argument 3 is `*, float s=0.5` there and `*, float s=0.0` here"),
        ("Tensor(a!) cache", "Tensor cache", "argument 0 is `Tensor cache` there and `Tensor(!) cache` here"),
        ("*, int", "int", "argument 2 is `int n=3` there"),
        (", int m=None", "", "it lacks further arguments: m"),
        ("int m=None", "int m=None, bool more=True", "it has further arguments: more"),
        ("(Tensor, Tensor)", "Tensor", "1 results there and 2 here"),
    ],
)
def test_differences(old, new, says):
    assert old in OURS.text
    assert says in kernel_schema.difference(OURS, theirs(OURS.text.replace(old, new)))


def test_an_operator_nobody_defined_has_no_schema():
    assert kernel_schema.registered("custom::no_such_operator") is None


def test_kernels_are_found_by_key():
    from sparse_attn.ops import kernel

    kernel.register()
    assert kernel_schema.has_kernel("custom::npu_sparse_attn_sharedkv", "CPU")
    assert not kernel_schema.has_kernel("custom::npu_sparse_attn_sharedkv", "CUDA")
