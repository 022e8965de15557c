"""One use of an operation as its constraints see it: shapes, element types, attribute values, sizes."""

from dataclasses import dataclass, field
from typing import Any

from .tensors import Dims, Size, TensorInfo


@dataclass
class Call:
    """Operands by name (None when absent), attributes by name with defaults filled in, sizes by dimension name.

    ``call.query`` and ``call.scale`` read an operand and an attribute. The same object is made from an operation in the
    IR, from the arguments of a builder and from torch tensors, so that one set of constraints serves all three.
    """

    operands: dict[str, TensorInfo | None]
    attributes: dict[str, Any]
    results: dict[str, TensorInfo] | None = None  # None while they are still to be inferred
    dims: Dims = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        for table in ("operands", "attributes"):
            values = self.__dict__.get(table, {})
            if name in values:
                return values[name]
        raise AttributeError(f"this operation has no operand or attribute `{name}`")

    def size(self, name: str) -> Size:
        """The size of a named dimension, None when it is dynamic or absent."""
        value = self.dims.get(name)
        return None if isinstance(value, tuple) else value
