"""The cache of built callers: keyed by versions, private, whole or absent; each failure says what to do."""

import stat

import pytest

from sparse_attn.aclnn import build


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(build, "versions", lambda: ("2.13.0", "2.13.0"))
    return tmp_path


def test_the_name_holds_both_versions_and_the_source(monkeypatch):
    first = build.library_path()
    assert first.name.startswith("aclnn-2.13.0-2.13.0-")
    monkeypatch.setattr(build, "versions", lambda: ("2.13.0", "2.13.1"))
    second = build.library_path()
    monkeypatch.setattr(build, "source_text", lambda: "another")
    assert len({first.name, second.name, build.library_path().name}) == 3


def test_the_folder_is_closed_to_others():
    assert stat.S_IMODE(build.cache_folder().stat().st_mode) == 0o700


def test_what_is_not_built_says_which_command_builds_it():
    with pytest.raises(
        build.NpuBuildError, match=r"torch_npu 2\.13\.0 is not built .* run `sparse-attn npu-build` once"
    ):
        build.find()


def test_what_is_built_is_found_and_not_built_again():
    path = build.library_path()
    path.write_bytes(b"")
    assert build.find() == path == build.build(compiler="no-such-program")


def test_a_failing_compiler_is_quoted_and_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(build, "flags", list)
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho no good >&2\nexit 3\n")
    broken.chmod(0o700)
    with pytest.raises(build.NpuBuildError, match="does not compile the aclnn caller:\nno good"):
        build.build(compiler=str(broken))
    assert list(build.cache_folder().iterdir()) == []


def test_without_torch_npu_nothing_can_be_built(monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr(build.importlib.metadata, "version", _absent)
    with pytest.raises(build.NpuBuildError, match="torch_npu is not installed: install the torch_npu of your CANN"):
        build.versions()


def _absent(name):
    if name == "torch_npu":
        raise build.importlib.metadata.PackageNotFoundError(name)
    return "2.13.0"
