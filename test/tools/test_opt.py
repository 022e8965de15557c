"""`sparse-attn-opt` as a command: exit codes, streams, start time."""

import resource
import subprocess
import sys

GOOD = "func.func @f() { return }\n"


def run(*arguments, text=GOOD):
    command = [sys.executable, "-m", "sparse_attn.tools.opt", *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def test_success_is_on_standard_output():
    done = run()
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "module {\n  func.func @f() {\n    return\n  }\n}\n"


def test_output_file_is_written_on_success_only(tmp_path):
    out = tmp_path / "out.mlir"
    assert run("-o", str(out)).stdout == "" and "func.func @f" in out.read_text()
    out.unlink()
    assert run("-o", str(out), text="nonsense").returncode == 1
    assert not out.exists()


def test_an_output_that_cannot_be_written_is_an_error(tmp_path):
    done = run("-o", str(tmp_path / "absent" / "out.mlir"))
    assert done.returncode == 1 and "out.mlir: error: cannot be written: No such file" in done.stderr


def test_malformed_text_is_a_diagnostic():
    done = run(text="nonsense")
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith("<stdin>:1:1: error: ") and "Traceback" not in done.stderr


def test_malformed_bytecode_is_a_diagnostic(tmp_path):
    path = tmp_path / "a.mlirbc"
    path.write_bytes(b"ML\xefR\x05garbage" * 3)
    done = run(str(path))
    assert done.returncode == 1 and f"{path}: error:" in done.stderr and "Traceback" not in done.stderr


def test_a_crash_of_the_parser_is_a_diagnostic():
    deep = "tuple<" * 300_000 + "i32" + ">" * 300_000
    done = run(text=f"func.func @f(%a: {deep}) {{ return }}")
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith("<stdin>: error: MLIR crashed (SIG") and "while parsing the input" in done.stderr


def test_wrong_command_line():
    done = run("--no-such-option")
    assert done.returncode == 2 and "unrecognized arguments: --no-such-option" in done.stderr


def cpu_of_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def test_the_tool_starts_quickly():
    """In CPU time, which other work on the machine does not change."""
    before = cpu_of_children()
    assert run().returncode == 0
    spent = cpu_of_children() - before
    assert spent < 1.0, f"starting took {spent:.2f} s of CPU: does something import torch?"
