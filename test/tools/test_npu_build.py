"""`sparse-attn npu-build`: prints where the caller lies, or one line of what is missing."""

from sparse_attn.aclnn import build
from sparse_attn.tools import cli


def test_it_prints_the_path(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(build, "build", lambda compiler: tmp_path / f"made-by-{compiler}.so")
    assert cli.main(["npu-build", "--compiler", "cc"]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'made-by-cc.so'}\n"


def test_what_is_missing_is_an_error_of_one_line(monkeypatch, capsys):
    def absent(compiler):
        raise build.NpuBuildError("torch_npu is not installed")

    monkeypatch.setattr(build, "build", absent)
    assert cli.main(["npu-build"]) == 1
    assert capsys.readouterr().err == "sparse-attn npu-build: error: torch_npu is not installed\n"
