"""Which functions a torch_npu wheel asks of the ACL libraries, and whether the simulator answers for all of them.

A name is answered for when the simulator defines it, or when `stubs.txt` lists it: such a name exists, and calling it
is refused by name. A wheel that needs more fails the build with the list, so that nobody meets an unknown function at
run time.
"""

import pathlib
import re
import subprocess
from collections.abc import Iterable

OURS = re.compile(r"acl(?!nn)\w+|Hccl\w+|Msprof\w+|rt[A-Z]\w+|\w+printf_s|strcpy_s|_ZNK?2ge\w+|_ZNK?3atb\w+|_ZN3atb\w+")
"""The names that the ACL, HCCL, GE and ATB libraries would define."""


class MissingSymbolsError(RuntimeError):
    """The wheel needs functions that the simulator neither defines nor lists."""


def undefined(libraries: Iterable[pathlib.Path]) -> set[str]:
    """Names that shared libraries leave to the ACL libraries (weak ones, which may stay open, not counted)."""
    return {name for library in libraries for kind, name in _symbols(library, "--undefined-only") if kind == "U"}


def defined(libraries: Iterable[pathlib.Path]) -> set[str]:
    """Names that shared libraries or objects define."""
    return {name for library in libraries for _, name in _symbols(library, "--defined-only")}


def _symbols(library: pathlib.Path, which: str) -> list[tuple[str, str]]:
    dynamic = [] if library.suffix == ".o" else ["--dynamic"]
    listing = subprocess.run(["nm", *dynamic, which, str(library)], check=True, capture_output=True, text=True).stdout
    fields = (line.split() for line in listing.splitlines())
    return [(parts[-2], parts[-1].partition("@")[0]) for parts in fields if len(parts) >= 2]


def needed(wheel: pathlib.Path) -> set[str]:
    """What an installed wheel (its package folder) asks of the ACL libraries."""
    libraries = sorted(wheel.rglob("*.so"))
    return {name for name in undefined(libraries) - defined(libraries) if OURS.fullmatch(name)}


def stubs(wheel_needs: set[str], simulator: set[str], listed: set[str], version: str) -> list[str]:
    """The needed names to make stubs of; raises MissingSymbolsError with all that are neither defined nor listed."""
    missing = sorted(wheel_needs - simulator - listed)
    if missing:
        raise MissingSymbolsError(
            f"torch_npu {version} needs {len(missing)} functions the simulator does not know:\n  "
            + "\n  ".join(missing)
            + "\nDefine in tools/aclsim/src what tests will call, and list the rest in tools/aclsim/stubs.txt."
        )
    return sorted(wheel_needs - simulator)


def read_list(text: str) -> set[str]:
    """Names of a list, one a line; `#` begins a comment."""
    return {line.partition("#")[0].strip() for line in text.splitlines()} - {""}


def stub_source(names: Iterable[str]) -> str:
    """C++ that defines each name as a call of `aclsim_stub`; labels carry the C++ names as they are mangled."""
    functions = [
        f'int64_t stub_{number}() __asm__("{name}");\nint64_t stub_{number}() {{ return aclsim_stub("{name}"); }}'
        for number, name in enumerate(names)
    ]
    head = '#include <cstdint>\n\nextern "C" {\nint64_t aclsim_stub(const char *name);\n'
    return head + "\n".join(functions) + "\n}\n"
