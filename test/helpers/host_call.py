"""One call of a host kernel with everything it may write, so that calls are repeated and compared."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from attention import as_tensor, parameters, passed

from sparse_attn.lowering.host import library

Array = np.ndarray


@dataclass
class HostCall:
    """The arguments of a kernel by name and in order, and its result arrays. `written`: arguments it may write."""

    name: str
    arguments: dict[str, Any]
    results: list[Array]
    written: tuple[str, ...] = ()

    def integers(self) -> dict[str, Array]:
        """The arguments that hold lengths, block ids, indices and slots, and have entries."""
        found = {
            n: v for n, v in self.arguments.items() if isinstance(v, np.ndarray) and v.dtype in (np.int32, np.int64)
        }
        return {name: value for name, value in found.items() if name != "metadata" and value.size}

    def run(self, threads: int = 1, **changes: Any) -> list[bytes]:
        """The results, and what is written of the arguments, as bytes; everything starts from a copy."""
        outputs, failure = self.attempt(threads, **changes)
        if failure is not None:
            raise failure
        return [array.tobytes() for array in outputs]

    def attempt(self, threads: int = 1, **changes: Any) -> tuple[list[Array], library.HostKernelError | None]:
        """All arrays the kernel may write, as they are after the call, and its refusal."""
        given = {**self.arguments, **changes}
        given |= {name: given[name].copy() for name in self.written}
        results = [array.copy() for array in self.results]
        try:
            library.call(self.name, [as_tensor(v) for v in given.values()], [as_tensor(r) for r in results], threads)
        except library.HostKernelError as refusal:
            return [*results, *(given[name] for name in self.written)], refusal
        return [*results, *(given[name] for name in self.written)], None


def of_spec(name: str, given: dict[str, Any], results: list[Array], written: tuple[str, ...] = ()) -> HostCall:
    """A call of a kernel operator: arguments in the order of its schema, those it does not know dropped."""
    arguments = {param.name: passed(param, given) for param in parameters(name)}
    arguments |= {n: given[n] for n in arguments if isinstance(given.get(n), np.ndarray)}  # as arrays, not views
    return HostCall(name, arguments, results, written)


def filled(shape: tuple[int, ...], dtype: Any) -> Array:
    """An array of a pattern no kernel writes."""
    return np.full(shape, {"u": 0x7FFF, "i": 12345}.get(np.dtype(dtype).kind, -7), dtype)
