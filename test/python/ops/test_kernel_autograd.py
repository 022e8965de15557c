"""Kernel operators refuse gradients and say what to do."""

import pytest
import torch
from kernel_inputs import call, example

import sparse_attn.ops  # noqa: F401

NAME = "custom::npu_sparse_attn_sharedkv"


def test_an_input_that_requires_grad_is_refused():
    arguments = example("sparse_attn_sharedkv")
    arguments["q"].requires_grad_()
    with pytest.raises(RuntimeError, match=f"{NAME} has no derivative.*torch.no_grad"):
        call(NAME, arguments)


@pytest.mark.parametrize("off", [torch.no_grad, torch.inference_mode])
def test_without_recording_it_runs(off):
    arguments = example("sparse_attn_sharedkv")
    arguments["q"].requires_grad_()
    with off():
        out, _ = call(NAME, arguments)
    assert out.shape == arguments["q"].shape and not out.requires_grad


def test_inputs_without_gradient_run_with_grad_enabled():
    out, _ = call(NAME, example("sparse_attn_sharedkv"))
    assert out.dtype == torch.bfloat16
