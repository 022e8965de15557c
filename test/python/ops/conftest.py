"""Runs a test of a meaning-level operator once per implementation."""

import pytest

from sparse_attn.lowering.host import library
from sparse_attn.ops import meaning, meaning_host

SETS = meaning_host.instruction_sets() if library.available() else ("not-built",)


@pytest.fixture(params=["torch", *SETS])
def implementation(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Who computes: the torch reference, or the C++ kernels with one of this machine's instruction sets."""
    if request.param == "torch":
        monkeypatch.setattr(meaning, "implementation", lambda name: "torch")
    else:
        assert meaning.implementation("attention") == "host", "the host kernels are not built: run `make host`"
        monkeypatch.setenv("SPARSE_ATTN_ISA", request.param)
    return request.param
