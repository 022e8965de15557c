"""Builds the simulator for the torch_npu of the running interpreter: `python -m sparse_attn.tools.aclsim.build`.

The libraries lie in `<folder>/lib`, the project's own kernels in `<folder>/vendors/sparse_attn`; see `environment`.
"""

import argparse
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE_PATH = HERE.parents[1] / "python"


class BuildError(RuntimeError):
    """Something the build needs is not there; the text says what to install or run."""


def package(name: str) -> pathlib.Path:
    """The folder of an installed package, without importing it; raises BuildError."""
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        raise BuildError(f"{name} is not installed for {sys.executable}: run `make test-npu`, which makes .venv-npu")
    return pathlib.Path(spec.origin).parent


def build(folder: pathlib.Path, jobs: int) -> None:
    """Configure and build in `folder`; raises BuildError with the end of the build's output."""
    from ...lowering.host import library

    definitions = {
        "PYTHON": sys.executable,
        "TORCH": package("torch"),
        "TORCH_NPU": package("torch_npu"),
        "HOST": library.find(),
        "CMAKE_BUILD_TYPE": "Release",
    }
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    _run(["cmake", "-S", HERE, "-B", folder, *generator, *(f"-D{key}={value}" for key, value in definitions.items())])
    _run(["cmake", "--build", folder, "--parallel", str(jobs)])


def _run(command: list) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(PACKAGE_PATH), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run([str(part) for part in command], env=environment, check=False, capture_output=True, text=True)
    if done.returncode:
        raise BuildError(f"{command[0]} failed:\n{(done.stdout + done.stderr)[-4000:]}")


def environment(folder: pathlib.Path) -> dict[str, str]:
    """What a process needs in its environment, from its start, to find the simulator's libraries."""
    folder = folder.resolve()
    paths = [str(folder / "lib"), os.environ.get("LD_LIBRARY_PATH", "")]
    return {
        "LD_LIBRARY_PATH": os.pathsep.join(filter(None, paths)),
        "ASCEND_CUSTOM_OPP_PATH": str(folder / "vendors" / "sparse_attn"),
        "TORCH_DEVICE_BACKEND_AUTOLOAD": "0",  # torch alone never looks for a device; tests import torch_npu
    }


def main(arguments: list[str] | None = None) -> int:
    """Build; with a command after `--`, run it on the simulator."""
    parser = argparse.ArgumentParser(prog="python -m sparse_attn.tools.aclsim.build", description=__doc__)
    parser.add_argument("--folder", type=pathlib.Path, default=pathlib.Path("build/aclsim"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("command", nargs="*", help="what to run on the simulator once it is built")
    options = parser.parse_args(arguments)
    try:
        build(options.folder, options.jobs)
    except BuildError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if not options.command:
        return 0
    return subprocess.run(options.command, env=os.environ | environment(options.folder), check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
