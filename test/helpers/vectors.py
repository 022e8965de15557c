"""The recorded vectors of this checkout, for tests."""

import pathlib

from sparse_attn.tools import vector_files
from sparse_attn.tools.vector_files import Vector

__all__ = ["Vector", "vector_paths", "vectors_folder"]

ROOT = pathlib.Path(__file__).resolve().parents[2]


def vectors_folder() -> tuple[pathlib.Path | None, str]:
    """The folder of vectors, or None and what to do about it."""
    return vector_files.vectors_folder(ROOT)


def vector_paths(*operators: str) -> tuple[list[pathlib.Path], str]:
    """The cases of some operators (of all without a name), or no case and the reason."""
    return vector_files.vector_paths(ROOT, *operators)
