"""Files are written whole or not at all."""

from __future__ import annotations

import os
import pathlib
import tempfile


def write_whole(path: str | os.PathLike[str], text: str) -> None:
    """Write `text` beside `path`, then move it there: a reader never sees half of it. Raises OSError."""
    target = pathlib.Path(path)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(name, 0o644)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise
