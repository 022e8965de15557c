"""A vendor package imported before ours or after it, with the published schema, another one, or only some operators."""

import os
import subprocess
import sys
import textwrap

import pytest

from sparse_attn.dialect.npu import SPECS
from sparse_attn.ops import kernel_providers

TEXT = SPECS["sparse_attn_sharedkv_metadata"].variant("custom").schema.text
PROVIDER = """
import torch
LIBRARY = torch.library.Library("custom", "DEF")
LIBRARY.define(TEXT)
@torch.library.impl(LIBRARY, "npu_sparse_attn_sharedkv_metadata", "PrivateUse1")
def on_device(*args, **kwargs):
    return torch.zeros(1024, dtype=torch.int32)
"""
CALL = """
import torch
from sparse_attn.ops import kernel
lengths = torch.tensor([3, 4], dtype=torch.int32)
plan = torch.ops.custom.npu_sparse_attn_sharedkv_metadata(64, 1, 512, seqused_kv=lengths, batch_size=2, cmp_ratio=1)
found = kernel.status()
names = ("custom::npu_sparse_attn_sharedkv_metadata", "custom::npu_sparse_attn_sharedkv")
print(*(found[name].origin for name in names), len(plan))
"""
STATUS = """
from sparse_attn.ops import kernel
found = kernel.status()["custom::npu_sparse_attn_sharedkv_metadata"]
print(found.origin, "|", found.refusal)
from sparse_attn.ops import kernel_schema
print(kernel_schema.has_kernel("custom::npu_sparse_attn_sharedkv_metadata", "CPU"))
"""


@pytest.fixture
def run(tmp_path):
    """Run a script beside a provider module `custom_ops` with the given text; the answer is what it prints."""

    def _run(provider: str, script: str) -> str:
        (tmp_path / "custom_ops.py").write_text(provider)
        path = os.pathsep.join([str(tmp_path), os.environ["PYTHONPATH"]])
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(script)],
            capture_output=True,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": path},
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return _run


def provider(text: str = TEXT) -> str:
    return PROVIDER.replace("TEXT", repr(text))


@pytest.mark.parametrize("script", ["import custom_ops" + CALL, CALL + "\nimport custom_ops"], ids=["before", "after"])
def test_its_schema_is_kept_and_gets_a_cpu_implementation(run, script):
    """What the package has is theirs; what its version lacks is ours."""
    assert run(provider(), script) == "vendor ours 1024"


def test_another_schema_refuses_that_operator_only(run):
    said = run(provider(TEXT.replace("ori_win_left=127", "ori_win_left=64")), STATUS)
    assert said.splitlines()[0] == (
        "vendor | custom::npu_sparse_attn_sharedkv_metadata is registered with another schema: "
        "argument 16 is `*, int ori_win_left=64` there and `*, int ori_win_left=127` here"
    )
    assert said.splitlines()[1] == "False"


@pytest.mark.slow
def test_a_cpu_implementation_of_theirs_is_not_replaced(run):
    theirs = provider().replace('"PrivateUse1"', '"CPU"').replace("torch.zeros(1024", "torch.zeros(7")
    assert run(theirs, CALL) == "vendor ours 7"


@pytest.mark.slow
def test_a_catch_all_of_theirs_does_not_see_cpu_tensors(run):
    """It would look for a device; an implementation for the key itself goes before it."""
    theirs = (
        provider().replace('"PrivateUse1"', '"CompositeExplicitAutograd"').replace("torch.zeros(1024", "torch.zeros(7")
    )
    assert run(theirs, CALL) == "vendor ours 1024"


@pytest.mark.slow
def test_a_package_that_does_not_import_counts_as_absent(run):
    script = CALL + "\nfrom sparse_attn.ops import kernel_providers\nprint(kernel_providers.load('custom'))"
    assert run("raise OSError('no driver')", script).splitlines() == [
        "ours ours 1024",
        "custom_ops does not import: no driver",
    ]


def test_absent_packages_are_told():
    assert kernel_providers.load("pypto") == "no package publishes the namespace pypto"
    assert kernel_providers.load("cann_ops_transformer") == "cann_ops_transformer is not installed"
