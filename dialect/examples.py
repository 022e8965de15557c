"""The MLIR examples in the docstrings of operations."""

import re
import textwrap

_FENCE = re.compile(r"^\s*```mlir\n(.*?)^\s*```$", re.MULTILINE | re.DOTALL)


def examples(op: type) -> list[str]:
    """The fenced MLIR texts of an operation's docstring."""
    return [textwrap.dedent(text) for text in _FENCE.findall(op.__doc__ or "")]
