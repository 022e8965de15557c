"""Runs a test of a meaning-level operator once per implementation."""

from collections.abc import Iterator

import pytest

from sparse_attn.lowering.host import library
from sparse_attn.ops import meaning, meaning_host, meaning_shim

SHIM = ["shim"] if meaning_shim.find()[0] else []
SETS = meaning_host.instruction_sets() if library.available() else ("not-built",)


@pytest.fixture(params=["torch", *SETS, *SHIM])
def implementation(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Who computes: the torch reference, or the C++ kernels with one of this machine's instruction sets, called through
    ctypes; or the fastest called through the registration shim."""
    if request.param == "torch":
        monkeypatch.setattr(meaning, "implementation", lambda name: "torch")
    else:
        assert meaning.implementation("attention") == "host", "the host kernels are not built: run `make host`"
    if request.param in SETS:
        monkeypatch.setenv("SPARSE_ATTN_ISA", request.param)
    if request.param in SHIM:
        yield request.param
        return
    with meaning_shim.paused():
        yield request.param
