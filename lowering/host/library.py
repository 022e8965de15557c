"""Loads the shared library of host kernels and calls any of its functions by name, without torch.

The calling rules are those of ``include/sparse_attn_host.h``: arguments in the order of the torch schema, then the
results (allocated by the caller), then the number of threads and an error text. The Python type of an argument says
how it is passed::

    ndarray, Tensor -> const sa_tensor *      None -> NULL (an absent tensor or string)
    int, bool       -> int64_t                float -> double        str -> const char *

    indices = numpy.empty((batch, rows, 1, k), numpy.int32)
    call("lightning_indexer", [q, k, w, 16, None, ...], [indices, values])
"""

from __future__ import annotations

import ctypes
import enum
import functools
import importlib.metadata
import os
import pathlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

ABI_VERSION = 1
MAX_RANK = 8
LIBRARY_NAME = "libsparse_attn_host.so"
LIBRARY_VARIABLE = "SPARSE_ATTN_HOST_LIBRARY"
NONE_INT = -(2**63)
"""What an absent ``int?`` or ``bool?`` argument is passed as (``SA_NONE``)."""


class HostLibraryError(RuntimeError):
    """The library is missing, does not load, or lacks a function; the text says what to do."""


class HostKernelError(ValueError):
    """A host kernel refused its arguments; the text names the tensor, the position and the value."""


class Dtype(enum.IntEnum):
    """Element formats, with the codes of ``enum sa_dtype``."""

    FP32 = 1
    BF16 = 2
    FP16 = 3
    FP64 = 4
    INT8 = 5
    UINT8 = 6
    INT16 = 7
    INT32 = 8
    INT64 = 9
    BOOL = 10
    FP8_E4M3 = 11
    FP8_E8M0 = 12
    FP4X2 = 13
    HIF8 = 14
    FP8_E5M2 = 15


_NUMPY_CODES = {
    "float32": Dtype.FP32,
    "float16": Dtype.FP16,
    "float64": Dtype.FP64,
    "int8": Dtype.INT8,
    "uint8": Dtype.UINT8,
    "int16": Dtype.INT16,
    "int32": Dtype.INT32,
    "int64": Dtype.INT64,
    "bool": Dtype.BOOL,
}


class _TensorStruct(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("dtype", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("size", ctypes.c_int64 * MAX_RANK),
        ("stride", ctypes.c_int64 * MAX_RANK),
    ]


class _ErrorStruct(ctypes.Structure):
    _fields_ = [("text", ctypes.c_char * 1024)]


@dataclass(frozen=True)
class Tensor:
    """A strided view of memory somebody else owns: what one ``sa_tensor`` holds.

    pointer: address of the first element; size and stride count elements (a stored fp4x2 element is one byte).
    owner: anything that must stay alive while the view is used.
    """

    pointer: int
    dtype: Dtype
    size: tuple[int, ...]
    stride: tuple[int, ...]
    owner: Any = None

    @staticmethod
    def of(array: np.ndarray, dtype: Dtype | None = None) -> Tensor:
        """View a numpy array; ``dtype`` says what uint16 / uint8 storage means (bf16, fp8, ...)."""
        code = dtype if dtype is not None else _NUMPY_CODES.get(array.dtype.name)
        if code is None:
            raise TypeError(f"a {array.dtype} array has no host format: say it, as in Tensor.of(array, Dtype.BF16)")
        if any(step % array.itemsize for step in array.strides):
            raise ValueError(f"strides {array.strides} are not multiples of {array.itemsize} bytes: copy the array")
        strides = tuple(step // array.itemsize for step in array.strides)
        return Tensor(array.ctypes.data, code, array.shape, strides, array)

    def struct(self) -> _TensorStruct:
        """The C descriptor."""
        rank = len(self.size)
        if rank > MAX_RANK:
            raise ValueError(f"a tensor of rank {rank} does not fit: at most {MAX_RANK} axes")
        pad = (0,) * (MAX_RANK - rank)
        sizes = (ctypes.c_int64 * MAX_RANK)(*self.size, *pad)
        strides = (ctypes.c_int64 * MAX_RANK)(*self.stride, *pad)
        return _TensorStruct(self.pointer, int(self.dtype), rank, sizes, strides)


def _candidates() -> list[pathlib.Path]:
    chosen = os.environ.get(LIBRARY_VARIABLE)
    if chosen:
        return [pathlib.Path(chosen)]
    found = [pathlib.Path(__file__).resolve().parent / LIBRARY_NAME]
    try:
        files = importlib.metadata.files("sparse-attn-mlir") or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    found += [pathlib.Path(str(entry.locate())) for entry in files if entry.name == LIBRARY_NAME]
    return found


def find() -> pathlib.Path:
    """Path of the shared library: ``SPARSE_ATTN_HOST_LIBRARY``, beside this file, or in the installed distribution."""
    candidates = _candidates()
    for path in candidates:
        if path.is_file():
            return path
    tried = ", ".join(str(path) for path in candidates)
    raise HostLibraryError(
        f"the host kernels are not built (looked at {tried}): run `cmake -S . -B build -G Ninja && cmake --build build`"
        f" and `cmake --install build --prefix . --component development`, or name the file in {LIBRARY_VARIABLE}"
    )


@functools.lru_cache(maxsize=1)
def load() -> ctypes.CDLL:
    """Load the library once per process. When torch is in use, import it first: its OpenMP pool is then shared."""
    path = find()
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise HostLibraryError(f"{path} does not load: {error}") from error
    library.sa_abi_version.restype = ctypes.c_int32
    version = library.sa_abi_version()
    if version != ABI_VERSION:
        raise HostLibraryError(f"{path} speaks interface version {version}, this package {ABI_VERSION}: rebuild it")
    return library


def available() -> bool:
    """Whether the library can be found (it may still fail to load)."""
    return any(path.is_file() for path in _candidates())


def has(name: str) -> bool:
    """Whether the loaded library has the kernel ``sa_<name>``."""
    return hasattr(load(), "sa_" + name)


def _marshal(value: Any, keep: list[Any]) -> Any:
    if value is None:
        return ctypes.c_void_p(None)
    if isinstance(value, np.ndarray):
        value = Tensor.of(value)
    if isinstance(value, Tensor):
        struct = value.struct()
        keep.append((struct, value))
        return ctypes.byref(struct)
    if isinstance(value, (bool, int, np.integer)):
        return ctypes.c_int64(int(value))
    if isinstance(value, (float, np.floating)):
        return ctypes.c_double(float(value))
    if isinstance(value, str):
        return ctypes.c_char_p(value.encode())
    raise TypeError(f"a {type(value).__name__} cannot be passed to a host kernel")


def call(name: str, args: Sequence[Any], results: Sequence[np.ndarray | Tensor], num_threads: int = 0) -> None:
    """Call kernel ``sa_<name>``: ``args`` in schema order, ``results`` written in place.

    num_threads <= 0 uses as many threads as OpenMP offers; the results do not depend on it.
    Raises HostKernelError when the kernel refuses its arguments (nothing is written then) and HostLibraryError
    when the library or the function is missing.
    """
    library = load()
    try:
        function = getattr(library, "sa_" + name)
    except AttributeError:
        raise HostLibraryError(f"the host library at {library._name} has no kernel {name!r}: rebuild it") from None
    function.restype = ctypes.c_int
    keep: list[Any] = []
    error = _ErrorStruct()
    passed = [_marshal(value, keep) for value in (*args, *results)]
    if function(*passed, ctypes.c_int32(num_threads), ctypes.byref(error)) != 0:
        raise HostKernelError(f"{name}: {error.text.decode(errors='replace')}")
