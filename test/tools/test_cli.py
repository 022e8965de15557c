"""The command line finds its commands, starts quickly, and shows a user's mistake in one line."""

import argparse
import importlib
import subprocess
import sys

import pytest

from sparse_attn.tools import cli
from sparse_attn.tools.errors import UserError


def test_help_names_every_command(capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["--help"])
    shown = capsys.readouterr().out
    assert stop.value.code == 0
    for name, text in cli.COMMANDS.items():
        assert f"{name} " in shown and text in shown


def test_version(capsys):
    from sparse_attn import __version__

    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"sparse-attn {__version__}\n"


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_has_a_parser_and_a_run(name, capsys):
    module = importlib.import_module(f"sparse_attn.tools.{name.replace('-', '_')}")
    assert isinstance(module.parser(), argparse.ArgumentParser) and callable(module.run)
    with pytest.raises(SystemExit) as stop:
        cli.main([name, "--help"])
    assert stop.value.code == 0 and f"usage: sparse-attn {name}" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["--help"], *([name, "--help"] for name in cli.COMMANDS)])
def test_help_loads_neither_torch_nor_mlir(arguments):
    code = (
        "import sys\nfrom sparse_attn.tools import cli\n"
        f"try:\n    cli.main({arguments})\nexcept SystemExit:\n    pass\n"
        "print([name for name in ('torch', 'torch_mlir', 'numpy', 'transformers') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("arguments", [["dance"], ["explain"], ["report", "--format", "pdf", "x"], ["--no"]])
def test_a_wrong_command_line_is_exit_code_2(arguments, capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(arguments)
    assert stop.value.code == 2 and "usage: sparse-attn" in capsys.readouterr().err


def test_no_command_shows_the_help(capsys):
    assert cli.main([]) == 2
    assert "commands:" in capsys.readouterr().out


def test_a_user_error_is_one_line_and_exit_code_1(monkeypatch, capsys):
    from sparse_attn.tools import doctor

    def fail(options):
        raise UserError("no such \x1b[31mfile")

    monkeypatch.setattr(doctor, "run", fail)
    assert cli.main(["doctor"]) == 1
    assert capsys.readouterr().err == "sparse-attn doctor: error: no such \ufffd[31mfile\n"


def test_as_a_module_it_shows_user_errors_too(tmp_path):
    command = [sys.executable, "-m", "sparse_attn.tools.cli", "report", "absent.json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr == "sparse-attn report: error: cannot read absent.json: No such file or directory\n"
