"""The doctor: a sound machine is well; a crash, an error and silence of a check are findings."""

import subprocess

import pytest

from sparse_attn.tools import cli, doctor
from sparse_attn.tools.doctor import Line


class Done:
    def __init__(self, stdout="", returncode=0, stderr=""):
        self.stdout, self.returncode, self.stderr = stdout, returncode, stderr


def answering(monkeypatch, done):
    monkeypatch.setattr(doctor.subprocess, "run", lambda *a, **k: done)


def test_lines_of_a_check(monkeypatch):
    answering(monkeypatch, Done("noise\ndoctor\tok\tone\ndoctor\tinfo\ttwo\twith a tab\n"))
    assert doctor.lines_of("host") == [Line("ok", "one"), Line("info", "two\twith a tab")]


@pytest.mark.parametrize(
    ("done", "text"),
    [
        (Done("doctor\tok\tone\n", -11), "the check crashed with signal 11"),
        (Done("", 1, "Traceback\nKeyError: 'x'\n"), "the check failed: KeyError: 'x'"),
        (Done("", 0), "the check failed: it printed nothing"),
    ],
)
def test_a_check_that_fails_is_a_bad_line(monkeypatch, done, text):
    answering(monkeypatch, done)
    assert doctor.lines_of("host")[-1] == Line("bad", text)


def test_a_check_that_hangs_is_a_bad_line(monkeypatch):
    def hang(*a, **k):
        raise subprocess.TimeoutExpired("x", 1)

    monkeypatch.setattr(doctor.subprocess, "run", hang)
    assert doctor.lines_of("host", 1) == [Line("bad", "the check did not end within 1 s")]


@pytest.mark.parametrize(
    ("states", "code", "last"),
    [
        (["ok", "info"], 0, "all well"),
        (["ok", "bad"], 1, "6 things to repair"),
    ],
)
def test_exit_code(states, code, last, monkeypatch, capsys):
    monkeypatch.setattr(doctor, "lines_of", lambda name: [Line(state, "\x1bx") for state in states])
    assert cli.main(["doctor"]) == code
    shown = capsys.readouterr().out
    assert last in shown and "\x1b" not in shown
    assert [line for line in shown.splitlines() if not line.startswith(" ") and line][:-1] == list(doctor.CHECKS)


@pytest.mark.slow
def test_this_machine_is_well(capsys):
    assert cli.main(["doctor"]) == 0, capsys.readouterr().out
