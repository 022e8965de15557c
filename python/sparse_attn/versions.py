"""Which torch and torch-mlir the compiler was tested with."""

from __future__ import annotations

import functools
import importlib.metadata

from .errors import UnsupportedVersion

TESTED = {"torch": ("2.13",), "torch-mlir": ("20261001",)}


@functools.cache
def check() -> None:
    """Raise UnsupportedVersion for a version outside the tested range: private torch interfaces are used."""
    for package, series in TESTED.items():
        found = importlib.metadata.version(package)
        if not any(found == s or found.startswith((s + ".", s + "+")) for s in series):
            raise UnsupportedVersion(
                f"{package} {found} is installed; sparse_attn is tested with {' and '.join(series)}. "
                f'Install it with: pip install "{package}=={series[-1]}{".*" if package == "torch" else ""}"'
            )
