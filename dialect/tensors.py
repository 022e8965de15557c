"""Shapes and element types of tensors, independent of MLIR and of torch, and the matching of named dimensions.

A layout is a string of dimension names: ``"B S H d"``. A name means the same size wherever it appears in one operation,
``B|1`` is either that size or one, a number is exactly that number, and a final ``name...`` stands for any further
dimensions. A dynamic size is None and matches everything.
"""

from dataclasses import dataclass

from torch_mlir import ir

FLOATS = ("f32", "bf16", "f16")
INDICES = ("i32", "i64")
F32 = ("f32",)
I32 = ("i32",)
BOOL = ("i1",)

_DYNAMIC = ir.ShapedType.get_dynamic_size()

Size = int | None
Dims = dict[str, "Size | tuple[Size, ...]"]


@dataclass(frozen=True)
class TensorInfo:
    """A ranked tensor: sizes (None where dynamic) and the MLIR name of its element type, such as "bf16"."""

    shape: tuple[Size, ...]
    dtype: str

    @property
    def rank(self) -> int:
        return len(self.shape)

    def __str__(self) -> str:
        return "x".join([*("?" if size is None else str(size) for size in self.shape), self.dtype])

    @classmethod
    def of(cls, type_: ir.Type) -> "TensorInfo | None":
        """The description of an MLIR type, or None when it is not a ranked tensor."""
        if not isinstance(type_, ir.RankedTensorType):
            return None
        shape = tuple(None if size == _DYNAMIC else size for size in type_.shape)
        return cls(shape, str(type_.element_type))

    def mlir_type(self, context: ir.Context) -> ir.RankedTensorType:
        """The builtin tensor type."""
        sizes = [_DYNAMIC if size is None else size for size in self.shape]
        element = ir.Type.parse(self.dtype, context)
        return ir.RankedTensorType.get(sizes, element, loc=ir.Location.unknown(context))


def rank_problem(layout: str, shape: tuple[Size, ...]) -> str | None:
    """Why a shape cannot have this layout, or None."""
    names = layout.split()
    if names and names[-1].endswith("..."):
        if len(shape) < len(names) - 1:
            return f"must have rank {len(names) - 1} or more ([{', '.join(names)}]), has rank {len(shape)}"
    elif len(shape) != len(names):
        return f"must have rank {len(names)} ([{', '.join(names)}]), has rank {len(shape)}"
    return None


def bind(layout: str, shape: tuple[Size, ...], dims: Dims) -> str | None:
    """Record the sizes a layout names in `dims`; the answer is the first disagreement, or None. The rank must fit."""
    names = layout.split()
    if names and names[-1].endswith("..."):
        tail = shape[len(names) - 1 :]
        if problem := _bind_tail(names.pop(), tail, dims):
            return problem
    for name, size in zip(names, shape, strict=False):
        if problem := _bind_size(name, size, dims):
            return problem
    return None


def _bind_size(name: str, size: Size, dims: Dims) -> str | None:
    name, *alternative = name.split("|")
    known = int(name) if name.isdigit() else dims.setdefault(name, None)
    if size is None or (alternative and size == int(alternative[0])):
        return None
    if known is None:
        dims[name] = size
    elif size != known:
        expected = f"{known} or {alternative[0]}" if alternative else f"{known}"
        return f"dimension {name} is {size}, expected {expected}"
    return None


def _bind_tail(name: str, sizes: tuple[Size, ...], dims: Dims) -> str | None:
    known = dims.setdefault(name, sizes)
    assert isinstance(known, tuple)
    if not broadcasts(sizes, known, exactly=True):
        return f"dimensions {name} are {show(sizes)}, expected {show(known)}"
    dims[name] = tuple(old if new is None else new for new, old in zip(sizes, known, strict=True))
    return None


def layout_shape(layout: str, dims: Dims) -> tuple[Size, ...]:
    """The sizes a layout names, None where they are not known."""
    shape: list[Size] = []
    for name in layout.split():
        value = int(name) if name.isdigit() else dims.get(name)
        shape += value if isinstance(value, tuple) else [value]
    return tuple(shape)


def broadcasts(shape: tuple[Size, ...], target: tuple[Size, ...], exactly: bool = False) -> bool:
    """Whether a shape may broadcast to the target by the usual trailing rule (`exactly`: equal rank, no ones)."""
    if len(shape) > len(target) or (exactly and len(shape) != len(target)):
        return False
    pairs = zip(reversed(shape), reversed(target), strict=False)
    return all(a == b or a is None or b is None or (a == 1 and not exactly) for a, b in pairs)


def show(shape: tuple[Size, ...]) -> str:
    """A shape as text, ``[2, ?, 8]``."""
    return "[" + ", ".join("?" if size is None else str(size) for size in shape) + "]"


def ceil_div(size: Size, divisor: int) -> Size:
    """``ceil(size / divisor)``, dynamic when the size is."""
    return None if size is None else -(-size // divisor)


def smaller(limit: int, size: Size) -> Size:
    """``min(limit, size)``, dynamic when the size is."""
    return None if size is None else min(limit, size)
