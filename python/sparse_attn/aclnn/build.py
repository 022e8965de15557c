"""Compiling the caller against the installed torch_npu, into a private cache; finding what was compiled.

The file's name holds the versions of torch and torch_npu and a digest of the source: another version, or another set of
specs, is another file, and a process never loads what was built for something else.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import importlib.util
import os
import pathlib
import shutil
import subprocess
import tempfile

from ..dialect.npu import SPECS
from ..errors import SparseAttnError
from .source import cpp

HEADER = pathlib.Path(__file__).with_name("caller.hpp")


class NpuBuildError(SparseAttnError):
    """The caller is not built, or cannot be; the text says what to run or install."""


def cache_folder() -> pathlib.Path:
    """Where built callers lie, made on first use and closed to others."""
    base = os.environ.get("XDG_CACHE_HOME")
    folder = (pathlib.Path(base) if base else pathlib.Path.home() / ".cache") / "sparse_attn"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


@functools.cache
def source_text() -> str:
    """The generated source."""
    return cpp(SPECS.values())


def versions() -> tuple[str, str]:
    """The versions of torch and torch_npu; raises NpuBuildError without torch_npu."""
    try:
        return importlib.metadata.version("torch"), importlib.metadata.version("torch_npu")
    except importlib.metadata.PackageNotFoundError as error:
        raise NpuBuildError(
            f"{error.name} is not installed: install the torch_npu of your CANN version first"
        ) from error


def library_path() -> pathlib.Path:
    """The file for the installed versions, built or not."""
    torch_version, npu_version = versions()
    digest = hashlib.sha256((source_text() + HEADER.read_text()).encode()).hexdigest()[:16]
    return cache_folder() / f"aclnn-{torch_version}-{npu_version}-{digest}.so"


def find() -> pathlib.Path:
    """The built file; raises NpuBuildError that says how to build it."""
    path = library_path()
    if not path.is_file():
        raise NpuBuildError(
            f"the aclnn caller for torch_npu {versions()[1]} is not built ({path} is not there): "
            "run `sparse-attn npu-build` once, or install the package that registers the operator"
        )
    return path


def build(compiler: str | None = None) -> pathlib.Path:
    """Compile the caller unless it is there; the answer is its path. Raises NpuBuildError with the compiler's words."""
    path = library_path()
    if path.is_file():
        return path
    program = compiler or os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++")
    if program is None:
        raise NpuBuildError("no C++ compiler is found: install one, or name it in CXX")
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        source, made = pathlib.Path(folder, "aclnn.cpp"), pathlib.Path(folder, "aclnn.so")
        source.write_text(source_text())
        done = subprocess.run(
            [program, str(source), *flags(), "-o", str(made)], check=False, capture_output=True, text=True
        )
        if done.returncode:
            raise NpuBuildError(f"{program} does not compile the aclnn caller:\n{done.stderr[-4000:]}")
        os.replace(made, path)  # whole or not at all, whoever else builds
    return path


def flags() -> list[str]:
    """What the compiler is told behind the source: headers and libraries of the installed torch and torch_npu."""
    torch, npu = _package("torch"), _package("torch_npu")
    includes = [HEADER.parent, torch / "include", torch / "include/torch/csrc/api/include", npu / "include"]
    includes.append(npu / "include/third_party/acl/inc")
    libraries = [
        (torch / "lib", "torch"),
        (torch / "lib", "torch_cpu"),
        (torch / "lib", "c10"),
        (npu / "lib", "torch_npu"),
    ]
    return [
        *("-std=c++17", "-O1", "-fPIC", "-shared", "-Wl,--no-as-needed,--allow-shlib-undefined"),
        *(f"-I{HEADER.parent}" if include == HEADER.parent else f"-isystem{include}" for include in includes),
        *(flag for folder, name in libraries for flag in (f"-L{folder}", f"-l{name}")),
    ]


def _package(name: str) -> pathlib.Path:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise NpuBuildError(f"{name} is not installed")
    return pathlib.Path(spec.origin).parent
