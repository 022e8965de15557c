"""`sparse-attn`: one command a file, imported only when it is chosen.

    sparse-attn explain my_model:example

Exit code 0 means done, 1 that something is wrong with the input or was found wrong, 2 a mistake on the command line.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Sequence

from .errors import UserError

COMMANDS = {
    "demo": "compile small DeepSeek models, compare them with eager, show what was fused",
    "explain": "show every candidate of your model and why it fused or not",
    "report": "turn the JSON of explain into text or a page",
    "families": "every public model family: sites found, sites fused, why not",
    "bench": "measure operators and compile time against eager and its peers",
    "npu-build": "compile the caller of aclnn functions for the installed torch_npu",
    "doctor": "check this installation",
}
"""Command -> what it does. The module of the same name (`_` for `-`) has `parser()` and `run(options)`."""


def parser() -> argparse.ArgumentParser:
    """The command line up to the command's name; the rest belongs to the command."""
    width = max(map(len, COMMANDS))
    lines = [f"  {name.ljust(width)}  {text}" for name, text in COMMANDS.items()]
    made = argparse.ArgumentParser(
        prog="sparse-attn",
        description='The tools of torch.compile(model, backend="sparse_attn").',
        epilog="\n".join(["commands:", *lines, "", "sparse-attn COMMAND --help says more."]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    made.add_argument("--version", action="store_true", help="print the version and stop")
    made.add_argument("command", nargs="?", choices=COMMANDS, metavar="COMMAND", help="one of those below")
    made.add_argument("arguments", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; the answer is the exit code."""
    options = parser().parse_args(arguments)
    if options.version:
        from sparse_attn import __version__

        print(f"sparse-attn {__version__}")
        return 0
    if options.command is None:
        parser().print_help()
        return 2
    command = importlib.import_module(f".{options.command.replace('-', '_')}", __package__)
    chosen = command.parser().parse_args(options.arguments)
    try:
        return command.run(chosen)
    except UserError as error:
        from .diagnostics import printable  # loads MLIR, which help does not need

        print(printable(f"sparse-attn {options.command}: error: {error}"), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
