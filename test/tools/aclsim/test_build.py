"""Building the simulator: what it runs on, what a process needs to find it, and what is said when a part is missing."""

import os

import pytest

from sparse_attn.tools.aclsim import build


def test_a_missing_package_says_what_to_run():
    with pytest.raises(build.BuildError, match=r"no_such_package is not installed for .*: run `make test-npu`"):
        build.package("no_such_package")


def test_a_package_is_found_without_importing_it():
    assert (build.package("torch") / "version.py").is_file()


def test_a_failing_command_shows_its_output(tmp_path):
    with pytest.raises(build.BuildError, match=r"cmake failed:\n(.|\n)*does not"):
        build._run(["cmake", "-S", tmp_path / "nowhere", "-B", tmp_path / "b"])


def test_the_environment_finds_the_libraries_and_keeps_the_rest(tmp_path, monkeypatch):
    monkeypatch.setenv("LD_LIBRARY_PATH", "/usr/elsewhere")
    made = build.environment(tmp_path)
    assert made["LD_LIBRARY_PATH"] == f"{tmp_path / 'lib'}{os.pathsep}/usr/elsewhere"
    assert made["ASCEND_CUSTOM_OPP_PATH"] == str(tmp_path / "vendors" / "sparse_attn")
    assert made["TORCH_DEVICE_BACKEND_AUTOLOAD"] == "0"


def test_an_absent_wheel_is_an_error_of_one_line(tmp_path, monkeypatch, capsys):
    def absent(folder, jobs):
        raise build.BuildError("torch_npu is not installed")

    monkeypatch.setattr(build, "build", absent)
    assert build.main(["--folder", str(tmp_path)]) == 1
    assert capsys.readouterr().err == "error: torch_npu is not installed\n"


def test_a_command_runs_on_the_simulator(tmp_path, monkeypatch):
    monkeypatch.setattr(build, "build", lambda folder, jobs: None)
    check = f"import os; assert os.environ['LD_LIBRARY_PATH'].startswith({str(tmp_path)!r}); raise SystemExit(7)"
    import sys

    assert build.main(["--folder", str(tmp_path), "--", sys.executable, "-c", check]) == 7
