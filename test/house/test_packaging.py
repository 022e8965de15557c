"""The source archive builds a wheel, the wheel holds the whole package once, and it imports from another place."""

import os
import pathlib
import site
import subprocess
import sys
import tarfile
import tomllib
import zipfile

import pytest
from house import ROOMS, ROOT, tracked

FRONT = "from scikit_build_core import build; print(build.{call}({folder!r}))"
LIBRARY = "sparse_attn/lowering/host/libsparse_attn_host.so"
ENTRY_POINTS = (
    "sparse-attn = sparse_attn.tools.cli:main",
    "sparse-attn-opt = sparse_attn.tools.opt:main",
    "sparse_attn = sparse_attn.backend:sparse_attn",
)
IMPORT = """
import sys
import sparse_attn, sparse_attn.dialect, sparse_attn.lowering, sparse_attn.tools
from sparse_attn.lowering.host import library
assert "torch" not in sys.modules, "import sparse_attn loads torch"
library.load()
print(library.__file__, library.find())
"""


def build(call: str, source: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """Run one build-backend call in `source` and return what it made in `folder`."""
    code = FRONT.format(call=call, folder=str(folder))
    child = subprocess.run([sys.executable, "-c", code], cwd=source, check=False, capture_output=True, text=True)
    assert child.returncode == 0, child.stdout + child.stderr
    return folder / child.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    return build("build_sdist", ROOT, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def wheel(sdist: pathlib.Path, tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("wheel")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (source,) = (path for path in folder.iterdir() if path.is_dir())
    return build("build_wheel", source, folder)


@pytest.mark.slow
def test_the_sdist_holds_every_source_once(sdist: pathlib.Path):
    with tarfile.open(sdist) as archive:
        members = archive.getmembers()
    names = [member.name.partition("/")[2] for member in members]
    assert len(names) == len(set(names))
    assert not [member.name for member in members if member.issym() or member.islnk()]
    assert not [name for name in names for room in ROOMS if name.startswith(f"python/sparse_attn/{room}")]
    sources = {s.path for s in tracked() if s.path.split("/")[0] in (*ROOMS, "python", "test")}
    assert sources - set(names) == set()


@pytest.mark.slow
def test_the_wheel_holds_the_package_and_the_library(wheel: pathlib.Path):
    assert "-py3-none-" in wheel.name and not wheel.name.endswith("-any.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert len(names) == len(set(names))
    assert LIBRARY in names
    modules = {s.module for s in tracked(".py") if s.path.split("/")[0] in (*ROOMS, "python")}
    files = {m.replace(".", "/") for m in modules}
    assert {f for f in files if f + ".py" not in names and f + "/__init__.py" not in names} == set()
    assert {n.split("/")[0] for n in names} == {"sparse_attn", "sparse_attn_mlir-0.1.0.dist-info"}
    assert not [n for n in names if n.endswith((".cpp", ".h", ".cmake", ".md"))]


@pytest.mark.slow
def test_the_wheel_imports_from_another_place(wheel: pathlib.Path, tmp_path: pathlib.Path):
    target = tmp_path / "site"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(target)]
    subprocess.run([*pip, str(wheel)], check=True)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("SPARSE_ATTN_")}
    # Without site (-S) no .pth file runs: an editable install of this checkout would answer the import first.
    environment["PYTHONPATH"] = os.pathsep.join([str(target), *site.getsitepackages()])
    command = [sys.executable, "-S", "-c", IMPORT]
    child = subprocess.run(command, cwd=tmp_path, env=environment, check=False, capture_output=True, text=True)
    assert child.returncode == 0, child.stderr
    assert [pathlib.Path(path).is_relative_to(target) for path in child.stdout.split()] == [True, True], child.stdout


@pytest.mark.slow
def test_the_wheel_offers_its_entry_points(wheel: pathlib.Path):
    archive = zipfile.ZipFile(wheel)
    (name,) = (n for n in archive.namelist() if n.endswith("entry_points.txt"))
    text = archive.read(name).decode()
    for line in ENTRY_POINTS:
        assert line in text.splitlines()


def test_tested_versions_are_inside_the_ranges():
    """Every dependency of pyproject.toml has an exact version in constraints.txt that its range allows."""
    from packaging.requirements import Requirement

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    exact = dict(line.split("==") for line in lines if line and not line.startswith("#"))
    optional = [text for extra in project["optional-dependencies"].values() for text in extra]
    for requirement in map(Requirement, [*project["dependencies"], *optional]):
        assert requirement.name in exact, f"constraints.txt: no tested version of {requirement.name}"
        assert exact[requirement.name] in requirement.specifier, f"{requirement}: the tested version is outside"
