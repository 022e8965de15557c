"""`sparse-attn report`: an explanation as text, as JSON, or as one page that needs nothing else.

sparse-attn explain my_model:example --json found.json
sparse-attn report found.json --format html --output found.html
"""

from __future__ import annotations

import argparse
import pathlib
import sys

from .errors import UserError
from .files import write_whole

FORMATS = ("text", "json", "html")


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(prog="sparse-attn report", description="Show an explanation.", allow_abbrev=False)
    made.add_argument("input", help="what explain --json wrote; - for standard input")
    made.add_argument("--format", choices=FORMATS, default="text")
    made.add_argument("--output", "-o", default="-", metavar="FILE", help="where to write; - for standard output")
    return made


def run(options: argparse.Namespace) -> int:
    """Read, turn, write."""
    text = _turned(_read(options.input), options.input, options.format)
    if options.output == "-":
        sys.stdout.write(text)
        return 0
    try:
        write_whole(options.output, text)
    except OSError as error:
        raise UserError(f"cannot write {options.output}: {error.strerror}") from None
    return 0


def _read(name: str) -> str:
    try:
        return sys.stdin.read() if name == "-" else pathlib.Path(name).read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"cannot read {name}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise UserError(f"{name} is no text in UTF-8; give what `sparse-attn explain --json` wrote") from None


def _turned(source: str, name: str, form: str) -> str:
    from . import report_html, report_json, report_text

    try:
        explanation = report_json.from_json(source)
    except report_json.NotAReport as error:
        raise UserError(f"{name} is not what `sparse-attn explain --json` writes: {error}") from None
    if form == "json":
        return report_json.to_json(explanation)
    if form == "html":
        return report_html.page(explanation)
    return report_text.text(explanation)
