"""NEON: the library is cross-compiled, and an emulator's results are compared with this machine's.

The emulator says whether the numbers are right, not how fast they come.
"""

import pathlib
import platform
import shutil
import subprocess

import pytest
from house import ROOT

from sparse_attn.lowering.host import library

SOURCE = pathlib.Path(__file__).with_name("every_set.cpp")
TOOLS = ("cmake", "aarch64-linux-gnu-g++", "qemu-aarch64", "g++")
CROSS = [
    "-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=aarch64", "-DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++",
    "-DCMAKE_CXX_FLAGS=-O1", "-DSPARSE_ATTN_SHIM=OFF",
]  # fmt: skip


def run(*command: object) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def program(lib: pathlib.Path, made: pathlib.Path) -> pathlib.Path:
    include = ROOT / "lowering/host/include"
    run("g++", "-O1", "-std=c++17", "-fopenmp", "-I", include, SOURCE, lib, f"-Wl,-rpath,{lib.parent}", "-o", made)
    return made


def agreed(text: str) -> dict[str, tuple[int, int]]:
    """Name of a set -> results that agreed, and all of them."""
    found = {}
    for line in text.splitlines():
        name, good, _, every = line.split()
        found[name] = int(good), int(every)
    return found


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")
def test_every_set_of_this_machine_agrees_with_portable_code(tmp_path):
    found = agreed(run(program(library.find(), tmp_path / "every_set")))
    assert "portable" in found and all(good == every > 40 for good, every in found.values())


@pytest.mark.slow
@pytest.mark.skipif(platform.machine() != "x86_64", reason="the emulator is compared with x86-64")
@pytest.mark.skipif(any(shutil.which(tool) is None for tool in TOOLS), reason=f"needs {', '.join(TOOLS)}")
def test_neon_agrees_with_this_machine(tmp_path):
    run(program(library.find(), tmp_path / "every_set"), tmp_path / "results")
    build = tmp_path / "build"
    run("cmake", "-S", ROOT, "-B", build, *CROSS)
    run("cmake", "--build", build, "--target", "every_set")
    emulator = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]
    found = agreed(run(*emulator, build / "every_set", tmp_path / "results"))
    assert set(found) == {"neon", "portable"} and all(good == every > 40 for good, every in found.values())


def test_a_set_that_disagrees_is_counted():
    assert agreed("avx2 45 of 46\nportable 46 of 46\n") == {"avx2": (45, 46), "portable": (46, 46)}


def test_a_command_that_fails_says_what_it_said():
    with pytest.raises(AssertionError, match="no such"):
        run("sh", "-c", "echo no such thing; exit 3")
