"""A process for every run: it reports its steps and its answer; one that fails or dies is noticed."""

import importlib
import os

import process_work
import pytest

from sparse_attn.tools import demo_processes


@pytest.fixture
def light(monkeypatch):
    """The server imports nothing that these tests do not need."""
    monkeypatch.setattr(demo_processes, "PRELOADED", [])


def test_steps_and_answer(light):
    notes = []
    assert demo_processes.in_process(process_work.counted, (3,), notes.append) != os.getpid()
    assert notes == ["step 0", "step 1", "step 2"]


def test_an_error_is_told(light):
    with pytest.raises(demo_processes.RunFailed, match="ValueError: no luck"):
        demo_processes.in_process(process_work.failing, (), print)


def test_a_death_is_told(light):
    with pytest.raises(demo_processes.RunFailed, match="exit code -9 and no answer"):
        demo_processes.in_process(process_work.dying, (), print)


def test_what_is_preloaded_exists():
    for name in demo_processes.PRELOADED:
        importlib.import_module(name)
