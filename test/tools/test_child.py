"""Work in a child process, in a fresh interpreter each: forking this one would copy whatever other tests started."""

import subprocess
import sys

import pytest

from sparse_attn.tools.child import Phase


def run(body, arguments="'in.mlir'"):
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    code = f"import os, signal, sys\nfrom sparse_attn.tools.child import run_in_child\ndef work(enter_phase):\n{lines}"
    code += (
        f"parent = os.getpid()\ncode = run_in_child(work, {arguments})\nprint('answer', code, os.getpid() == parent)"
    )
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("code", [0, 1, 7])
def test_the_exit_code_is_the_answer(code):
    done = run(f"print('working')\nreturn {code}")
    assert done.stdout.splitlines() == ["working", f"answer {code} True"] and done.stderr == ""


@pytest.mark.parametrize("name", ["SIGSEGV", "SIGABRT", "SIGKILL"])
def test_a_crash_is_a_diagnostic(name):
    done = run(f"enter_phase('parsing the input')\nos.kill(os.getpid(), signal.{name})")
    assert done.stdout == "answer 1 True\n"
    wanted = f"in.mlir: error: MLIR crashed ({name}) while parsing the input; the input may be malformed\n"
    assert done.stderr == wanted


def test_a_crash_before_any_phase():
    assert "while starting" in run("os.kill(os.getpid(), signal.SIGSEGV)").stderr


def test_an_internal_error_is_one_line():
    done = run("enter_phase('testing')\nraise KeyError('lost')")
    assert done.stdout == "answer 1 True\n"
    assert done.stderr == "internal error while testing, KeyError: 'lost'\n"


def test_a_traceback_on_request():
    done = run("raise KeyError('lost')", "'in.mlir', with_traceback=True")
    assert "Traceback" in done.stderr and done.stdout == "answer 1 True\n"


def test_a_reader_that_left_is_no_internal_error():
    done = run("raise BrokenPipeError")
    assert (done.stdout, done.stderr) == ("answer 1 True\n", "")


def test_a_phase_outlives_its_writer():
    phase = Phase()
    phase.enter("a long text " * 1000)
    phase.enter("parsing")
    assert str(phase) == "parsing"
    phase.enter("x" * 9999)
    assert len(str(phase)) == 4095
