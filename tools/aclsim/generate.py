"""Writes the generated sources of the simulator: `python -m sparse_attn.tools.aclsim.generate WHAT OUTPUT [...]`."""

import pathlib
import sys
from collections.abc import Callable
from importlib.metadata import version

from ...dialect.npu import SPECS
from ...lowering.host import library
from . import kernels, operators, symbols

HERE = pathlib.Path(__file__).resolve().parent


def stubs(wheel: str, simulator: str) -> str:
    """The names that `wheel`, a package folder, needs and `simulator`, a library, does not define."""
    listed = symbols.read_list((HERE / "stubs.txt").read_text())
    needs, has = symbols.needed(pathlib.Path(wheel)), symbols.defined([pathlib.Path(simulator)])
    return symbols.stub_source(symbols.stubs(needs, has, listed, version("torch_npu")))


def table() -> str:
    """The aclnn operators of the table."""
    return operators.cpp(operators.parse((HERE / "opapi" / "operators.txt").read_text()))


def own_kernels() -> str:
    """The project's kernels that have an aclnn function and a host implementation."""
    return kernels.cpp(kernels.callable_specs(SPECS.values(), library.has))


SOURCES: dict[str, Callable[..., str]] = {"stubs": stubs, "operators": table, "kernels": own_kernels}


def main(arguments: list[str]) -> int:
    """Write one source; the answer is the exit status."""
    what, output, *rest = arguments
    try:
        text = SOURCES[what](*rest)
    except (symbols.MissingSymbolsError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    pathlib.Path(output).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
