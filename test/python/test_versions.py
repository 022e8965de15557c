"""Untested versions are refused with the command that installs a tested one."""

import importlib.metadata

import pytest

from sparse_attn import versions
from sparse_attn.errors import UnsupportedVersion


def found(monkeypatch, **installed):
    monkeypatch.setattr(importlib.metadata, "version", lambda name: installed[name.replace("-", "_")])
    versions.check.cache_clear()


@pytest.fixture(autouse=True)
def forget():
    yield
    versions.check.cache_clear()


def test_this_environment_is_a_tested_one():
    versions.check.cache_clear()
    versions.check()


@pytest.mark.parametrize("torch", ["2.13", "2.13.0", "2.13.1", "2.13.0+cpu"])
def test_tested_series_pass(monkeypatch, torch):
    found(monkeypatch, torch=torch, torch_mlir="20261001.1")
    versions.check()


@pytest.mark.parametrize("torch", ["2.12.1", "2.14.0", "2.130", "2.1"])
def test_another_torch_is_refused(monkeypatch, torch):
    found(monkeypatch, torch=torch, torch_mlir="20261001")
    with pytest.raises(UnsupportedVersion) as raised:
        versions.check()
    text = str(raised.value)
    assert f"torch {torch} is installed" in text and 'pip install "torch==2.13.*"' in text


def test_another_torch_mlir_is_refused(monkeypatch):
    found(monkeypatch, torch="2.13.0", torch_mlir="20261002.3")
    with pytest.raises(UnsupportedVersion, match=r"torch-mlir 20261002.3 is installed"):
        versions.check()
