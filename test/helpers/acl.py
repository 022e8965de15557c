"""The simulator's C functions for tests: a call that is refused raises, with its code and its text."""

import contextlib
import ctypes
import functools
import json
import os
import threading
from collections.abc import Callable
from typing import Any

GLOBAL, THREAD_LOCAL, RELAXED = 0, 1, 2
HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE = 1, 2, 3
EXTERNAL = 0x20


class Refused(RuntimeError):
    """An acl function answered a code other than 0."""

    def __init__(self, function: str, code: int, text: str):
        super().__init__(f"{function} answered {code}: {text}")
        self.code, self.text = code, text


@functools.cache
def library() -> ctypes.CDLL:
    """The library torch_npu is linked with."""
    loaded = ctypes.CDLL("libascendcl.so", mode=ctypes.RTLD_GLOBAL)
    for name in ("aclGetRecentErrMsg", "aclsimRules", "aclsimStatistics"):
        getattr(loaded, name).restype = ctypes.c_char_p
    return loaded


def message() -> str:
    return library().aclGetRecentErrMsg().decode()


def call(function: str, *arguments: Any) -> None:
    """Call an acl function; Python ints are passed as int64, None as a null pointer."""
    passed = [ctypes.c_int64(a) if isinstance(a, int) else a for a in arguments]
    code = getattr(library(), function)(*passed)
    if code:
        raise Refused(function, code, message())


def made(function: str, *arguments: Any) -> ctypes.c_void_p:
    """Call a function whose first argument is where it puts a new handle."""
    handle = ctypes.c_void_p()
    call(function, ctypes.byref(handle), *arguments)
    return handle


def statistics() -> dict[str, Any]:
    return json.loads(library().aclsimStatistics())


def rules() -> dict[str, dict[str, Any]]:
    return {rule["name"]: rule for rule in json.loads(library().aclsimRules())}


def stream() -> ctypes.c_void_p:
    return made("aclrtCreateStream")


def event(flag: int = 0) -> ctypes.c_void_p:
    return made("aclrtCreateEventWithFlag", flag)


def memory(size: int) -> ctypes.c_void_p:
    return made("aclrtMalloc", size, 0)


def pinned(size: int) -> ctypes.c_void_p:
    return made("aclrtMallocHost", size)


def fill(on: Any, data: Any, value: int, size: int, offset: int = 0) -> None:
    """One task: set bytes of device or pinned memory."""
    call("aclrtMemsetAsync", ctypes.c_void_p(data.value + offset), size, value, size, on)


def copy(on: Any, to: Any, source: Any, size: int, kind: int = DEVICE_TO_DEVICE) -> None:
    """One task: copy bytes."""
    call("aclrtMemcpyAsync", to, size, source, size, kind, on)


def read(data: Any, size: int) -> bytes:
    """Bytes of device memory now; what was launched before has to be waited for."""
    out = ctypes.create_string_buffer(size)
    call("aclrtMemcpy", out, size, data, size, DEVICE_TO_HOST)
    return out.raw


def synchronize(on: Any) -> None:
    call("aclrtSynchronizeStream", on)


def begin(on: Any, mode: int = GLOBAL) -> None:
    call("aclmdlRICaptureBegin", on, mode)


def end(on: Any) -> ctypes.c_void_p:
    graph = ctypes.c_void_p()
    call("aclmdlRICaptureEnd", on, ctypes.byref(graph))
    return graph


def abandon(*streams: Any) -> None:
    """End whatever capture is left on the streams."""
    for one in streams:
        with contextlib.suppress(Refused):
            end(one)


def replay(graph: Any, on: Any) -> None:
    call("aclmdlRIExecuteAsync", graph, on)


def trace(graph: Any, path: Any) -> dict[str, Any]:
    call("aclmdlRIDebugJsonPrint", graph, str(path).encode(), 0)
    return json.loads(path.read_text())


def wait(on: Any, what: Any) -> None:
    call("aclrtStreamWaitEvent", on, what)


def record(what: Any, on: Any) -> None:
    call("aclrtRecordEvent", what, on)


@functools.cache
def operators() -> ctypes.CDLL:
    """The library of aclnn functions."""
    library()
    loaded = ctypes.CDLL("libopapi.so", mode=ctypes.RTLD_GLOBAL)
    loaded.aclCreateTensor.restype = loaded.aclCreateScalar.restype = ctypes.c_void_p
    return loaded


def tensor(data: Any, size: int, stored: int | None = None) -> ctypes.c_void_p:
    """A handle of `size` fp32 values at `data`, a view of a storage of `stored`."""
    sizes, strides = (ctypes.c_int64 * 1)(size), (ctypes.c_int64 * 1)(1)
    storage = (ctypes.c_int64 * 1)(size if stored is None else stored)
    made = operators().aclCreateTensor(
        sizes, ctypes.c_uint64(1), 0, strides, ctypes.c_int64(0), 2, storage, ctypes.c_uint64(1), data
    )
    return ctypes.c_void_p(made)


def scalar(number: float) -> ctypes.c_void_p:
    value = ctypes.c_float(number)
    return ctypes.c_void_p(operators().aclCreateScalar(ctypes.byref(value), 0))


def aclnn(on: Any, name: str, *arguments: Any) -> None:
    """Both phases of an aclnn function without a workspace."""
    size, executor = ctypes.c_uint64(), ctypes.c_void_p()
    first, second = getattr(operators(), f"{name}GetWorkspaceSize"), getattr(operators(), name)
    code = first(*arguments, ctypes.byref(size), ctypes.byref(executor))
    if not code:
        code = second(None, size, executor, on)
    if code:
        raise Refused(name, code, message())


def scale(on: Any, x: Any, factor: float, out: Any, size: int = 4) -> None:
    """One task of the cores: out = x * factor, fp32."""
    aclnn(on, "aclnnMuls", tensor(x, size), scalar(factor), tensor(out, size))


def floats(data: Any, size: int = 4) -> list[float]:
    return list(memoryview(read(data, 4 * size)).cast("f"))


@functools.cache
def kernels() -> ctypes.CDLL:
    """The library of the project's own kernels, where the environment says that operators of one's own lie."""
    operators()
    return ctypes.CDLL(os.path.join(os.environ["ASCEND_CUSTOM_OPP_PATH"], "op_api", "lib", "libcust_opapi.so"))


def plan_of_indexer(on: Any, heads: int) -> ctypes.c_void_p:
    """One task of the AICPU: the plan of a quantised indexer over two batches of four keys each; its buffer."""
    out = memory(4096)
    sizes, strides = (ctypes.c_int64 * 1)(1024), (ctypes.c_int64 * 1)(1)
    one = ctypes.c_uint64(1)
    handle = operators().aclCreateTensor(sizes, one, 3, strides, ctypes.c_int64(0), 2, sizes, one, out)
    numbers = [heads, 1, 128, 4, 1, 2, 1, 4]
    arguments = [*[None] * 5, *map(ctypes.c_int64, numbers), b"BSND", b"BSND", ctypes.c_int64(0), ctypes.c_int64(1)]
    size, executor = ctypes.c_uint64(), ctypes.c_void_p()
    name = "aclnnQuantLightningIndexerV2Metadata"
    first, second = getattr(kernels(), f"{name}GetWorkspaceSize"), getattr(kernels(), name)
    code = first(*arguments, ctypes.c_void_p(handle), ctypes.byref(size), ctypes.byref(executor))
    code = code or second(memory(size.value), size, executor, on)
    if code:
        raise Refused(name, code, message())
    return out


def elsewhere(work: Callable[[], Any]) -> "Refused | None":
    """The refusal that `work` meets in another thread, or None."""
    met = []

    def run():
        try:
            work()
        except Refused as error:
            met.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    return met[0] if met else None
