"""The registration shim: torch calls the C++ kernels of the meaning-level operators without Python between them.

It is a small library that was built for one version of torch (`shim/shim.cpp`), and optional: where it is missing, or
was built for another torch, the same kernels are called through ctypes (`meaning_host`). `SPARSE_ATTN_SHIM=off` leaves
it out.
"""

import contextlib
import ctypes
import functools
import os
import pathlib
from collections.abc import Iterator

import torch

from ..lowering.host import library
from .meaning_host import CONTIGUOUS

LIBRARY_NAME = "libsparse_attn_torch.so"
VARIABLE = "SPARSE_ATTN_SHIM"
CHECKED = "sparse_attn_checked"
"""The namespace in which the shim finds the Python implementation, for the first call of every kind."""

_ERROR_BYTES = 1024


@functools.lru_cache(maxsize=1)
def find() -> tuple[ctypes.CDLL | None, str]:
    """The loaded shim, or None and why it is not used."""
    path = pathlib.Path(__file__).with_name(LIBRARY_NAME)
    if os.environ.get(VARIABLE) == "off":
        return None, f"{VARIABLE} is off"
    if not path.is_file():
        return None, "it is not built"
    try:
        library.load()
        loaded = ctypes.CDLL(str(path))
    except (library.HostLibraryError, OSError) as error:
        return None, f"it does not load: {error}"
    loaded.sa_torch_version.restype = ctypes.c_char_p
    version = loaded.sa_torch_version().decode()
    if version != torch.__version__:
        return None, f"it is built for torch {version}, this is {torch.__version__}: rebuild it"
    return loaded, ""


def register(name: str) -> None:
    """Let the shim serve `sparse_attn::<name>` on CPU tensors; the operator is defined in both namespaces before."""
    shim, reason = find()
    if shim is None:
        raise RuntimeError(f"the registration shim is not used: {reason}")
    function = ctypes.cast(library.load()[f"sa_meaning_{name}"], ctypes.c_void_p)
    error = ctypes.create_string_buffer(_ERROR_BYTES)
    if shim.sa_torch_register(name.encode(), function, ctypes.c_int32(name in CONTIGUOUS), error):
        raise RuntimeError(f"sparse_attn.{name} cannot be registered: {error.value.decode(errors='replace')}")


@contextlib.contextmanager
def paused() -> Iterator[None]:
    """Within the block, of every thread, calls go through Python and ctypes."""
    shim, _ = find()
    if shim is None:
        yield
        return
    shim.sa_torch_pause(ctypes.c_int32(1))
    try:
        yield
    finally:
        shim.sa_torch_pause(ctypes.c_int32(0))
