"""One use of a kernel operator, seen through the facts its constraints may ask for.

The MLIR verifier, the torch fake implementation and the CPU dispatch each describe their call in this form, so one
constraint serves all three. A fact that is not known is None, and a constraint never refuses for something unknown.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Dim = Any
"""An int, a symbolic int of the caller, or None when unknown."""


@dataclass(frozen=True)
class TensorFact:
    """What is known of one tensor argument.

    shape: one `Dim` an axis. dtype: the torch name without the module (`bfloat16`), or `hifloat8`, `kv_row640`,
    `i8` (8 bits, signedness not recorded). strides in elements and storage offset, where known. values: the
    elements as numpy, where known.
    """

    shape: tuple[Dim, ...]
    dtype: str
    strides: tuple[int, ...] | None = None
    offset: int | None = None
    values: Callable[[], np.ndarray] | None = None

    @property
    def rank(self) -> int:
        return len(self.shape)


@dataclass
class Call:
    """The arguments of one call by the names of the operator's schema; absent optional tensors are left out.

    scalars holds every non-tensor argument, defaults filled in. dims is filled by the shape rule: what each shape
    symbol is.
    """

    target: str
    tensors: Mapping[str, TensorFact]
    scalars: Mapping[str, Any]
    dims: dict[str, Dim] = field(default_factory=dict)
    minimum: Callable[[Dim, Dim], Dim] = min
    """How to take the smaller of two dims; a tracer passes one that does not guard."""

    def has(self, name: str) -> bool:
        """Whether the tensor `name` was given."""
        return name in self.tensors

    def tensor(self, name: str) -> TensorFact | None:
        return self.tensors.get(name)

    def shape(self, name: str) -> tuple[Dim, ...]:
        return self.tensors[name].shape

    def __getitem__(self, name: str) -> Any:
        return self.scalars[name]

    def dim(self, symbol: str) -> int | None:
        """The value of a shape symbol, or None when it is unknown or symbolic."""
        value = self.dims.get(symbol)
        return value if isinstance(value, int) else None

    def values(self, name: str) -> list[int] | None:
        """The elements of a small integer tensor, flattened, or None when it is absent or its values are not known."""
        fact = self.tensors.get(name)
        if fact is None or fact.values is None:
            return None
        return [int(value) for value in fact.values().reshape(-1)]


def known(*dims: Dim) -> bool:
    """Whether every dim is a plain int."""
    return all(isinstance(dim, int) for dim in dims)


def floor_div(dim: Dim, by: int) -> Dim:
    """dim // by, unknown stays unknown."""
    return None if dim is None else dim // by


def ceil_div(dim: Dim, by: int) -> Dim:
    """The smallest integer not below dim / by, unknown stays unknown."""
    return None if dim is None else -(-dim // by)


def add(left: Dim, right: Dim) -> Dim:
    """left + right, unknown if either is."""
    return None if left is None or right is None else left + right
