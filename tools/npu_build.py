"""`sparse-attn npu-build`: compile the caller of aclnn functions for the installed torch_npu."""

from __future__ import annotations

import argparse

from .errors import UserError


def parser() -> argparse.ArgumentParser:
    """The command's own command line."""
    made = argparse.ArgumentParser(prog="sparse-attn npu-build", description=__doc__, allow_abbrev=False)
    made.add_argument("--compiler", help="the C++ compiler (CXX, c++ or g++ without it)")
    return made


def run(options: argparse.Namespace) -> int:
    """Build, or find what is built, and print where it lies."""
    from sparse_attn.aclnn import build

    try:
        print(build.build(options.compiler))
    except build.NpuBuildError as error:
        raise UserError(str(error)) from error
    return 0
