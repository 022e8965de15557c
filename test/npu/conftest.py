"""Tests that need torch_npu and the ACL host simulator: `make test-npu` collects them, nothing else does."""

import os
import subprocess
import sys

import pytest

if os.environ.get("SPARSE_ATTN_TEST_NPU") != "1":
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="session", autouse=True)
def npu():
    """torch_npu, imported once; the device is set for the thread of the tests."""
    import torch
    import torch_npu

    torch.npu.set_device(0)
    return torch_npu


@pytest.fixture
def child():
    """Run Python text in a process of its own, with settings of the simulator; answers its output.

    For what a process does not survive (a stream that stopped) or reads only once (ACLSIM_...).
    """

    def run(text: str, fails: bool = False, **settings: str) -> str:
        environment = os.environ | settings
        helpers = os.path.join(os.path.dirname(__file__), "..", "helpers")
        environment["PYTHONPATH"] = os.pathsep.join([helpers, environment.get("PYTHONPATH", "")])
        done = subprocess.run(
            [sys.executable, "-c", text], env=environment, check=False, capture_output=True, text=True
        )
        assert bool(done.returncode) == fails, done.stdout + done.stderr
        return done.stdout + done.stderr

    return run
