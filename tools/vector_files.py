"""Recorded inputs and outputs of published operators, kept outside the repository.

A folder per operator, a file per case: `<operator>/<case>.npz` with `meta` (JSON text: op, case, attrs, dtypes, notes)
and arrays `in.<name>` and `out.<name>` in raw storage (bfloat16 as uint16, eight-bit formats as uint8 codes).
The folder is named by SPARSE_ATTN_VECTORS; without it, `shared/vectors` beside the checkout is looked at.
"""

import json
import os
import pathlib
from dataclasses import dataclass
from typing import Any

import numpy as np

VARIABLE = "SPARSE_ATTN_VECTORS"


@dataclass(frozen=True)
class Vector:
    """One case. An optional input that was not given has no entry."""

    op: str
    case: str
    attrs: dict[str, Any]
    dtypes: dict[str, str]
    inputs: dict[str, np.ndarray]
    outputs: dict[str, np.ndarray]

    @classmethod
    def load(cls, path: pathlib.Path) -> "Vector":
        """Read a file without allowing pickles."""
        with np.load(path, allow_pickle=False) as file:
            meta = json.loads(str(file["meta"]))
            arrays = {name: file[name] for name in file.files if name != "meta"}
        sides: dict[str, dict[str, np.ndarray]] = {"in": {}, "out": {}}
        for name, array in arrays.items():
            side, _, rest = name.partition(".")
            sides[side][rest] = array
        return cls(meta["op"], meta["case"], meta["attrs"], meta["dtypes"], sides["in"], sides["out"])


def vectors_folder(checkout: pathlib.Path) -> tuple[pathlib.Path | None, str]:
    """The folder of vectors, or None and what to do about it. Raises FileNotFoundError when the folder that the user
    named does not exist.
    """
    named = os.environ.get(VARIABLE)
    folder = pathlib.Path(named) if named else checkout.parent / "shared" / "vectors"
    if folder.is_dir():
        return folder, ""
    if named:
        raise FileNotFoundError(f"{VARIABLE}={named} is not a folder: correct it or unset it")
    return None, f"no recorded vectors: set {VARIABLE} to their folder"


def vector_paths(checkout: pathlib.Path, *operators: str) -> tuple[list[pathlib.Path], str]:
    """The cases of some operators (of all without a name), or no case and the reason."""
    folder, problem = vectors_folder(checkout)
    if folder is None:
        return [], problem
    paths = [path for op in operators or ("*",) for path in sorted(folder.glob(f"{op}/*.npz"))]
    return paths, "" if paths else f"no recorded case of {', '.join(operators) or 'any operator'} in {VARIABLE}"
