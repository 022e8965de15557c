"""The table rows of a spec: what each tensor and each attribute of an operator is.

A tensor row says the dtypes it may have and its shape in named dims, one shape per layout:

    tensor(HIFLOAT8, by="layout_kv", BSND="B S2 N2 D", TND="T2 N2 D", PA_BBND="blocks1 size1 N2 D", about="...")

A dim is a name (equal wherever it appears), a number, `name+number`, `name/number`, or `_` for anything. dtypes and
the layout key may be functions of the call where a document makes them depend on a mode.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from .call import Call

FLOAT16 = "float16"
BFLOAT16 = "bfloat16"
FLOAT32 = "float32"
INT32 = "int32"
INT64 = "int64"
INT8 = "int8"
UINT8 = "uint8"
E4M3 = "float8_e4m3fn"
E5M2 = "float8_e5m2"
E8M0 = "float8_e8m0fnu"
HIFLOAT8 = "hifloat8"
"""HIFLOAT8 has no torch dtype: on the torch side it travels in uint8."""
FP4X2 = "float4_e2m1fn_x2"
KV_ROW = "kv_row640"
"""One element is a whole 640-byte row; as bytes its shape gains a last axis of 640."""

CARRIERS = {HIFLOAT8: (UINT8,), FP4X2: (UINT8,)}
"""Plain dtypes that may carry a packed one."""

Dtypes = str | tuple[str, ...] | Callable[[Call], str | tuple[str, ...]]


@dataclass(frozen=True)
class TensorRow:
    dtypes: Dtypes
    shapes: dict[str, str]
    """Shape text by layout; a single shape is under the empty key."""
    by: str | Callable[[Call], str] | None
    about: str

    def shape_text(self, call: Call) -> str | None:
        """The shape this call's layout asks for, or None when the layout is not one of the row's."""
        if self.by is None:
            return self.shapes[""]
        key = self.by(call) if callable(self.by) else call[self.by]
        return self.shapes.get(key)

    def accepted(self, call: Call) -> tuple[str, ...]:
        """The dtypes this call may pass, carriers included."""
        dtypes = self.dtypes(call) if callable(self.dtypes) else self.dtypes
        names = (dtypes,) if isinstance(dtypes, str) else tuple(dtypes)
        return names + tuple(carrier for name in names for carrier in CARRIERS.get(name, ()))


def tensor(
    dtypes: Dtypes, shape: str = "", *, by: str | Callable[[Call], str] | None = None, about: str, **shapes: str
) -> TensorRow:
    """A tensor row: one `shape`, or one shape per layout as keywords with `by` naming the layout argument."""
    return TensorRow(dtypes, shapes or {"": shape}, by, about)


def index(shape: str = "", *, about: str, **layouts: str) -> TensorRow:
    """An int32 tensor row."""
    return tensor(INT32, shape, about=about, **layouts)


Shape = Callable[[Call], tuple]


@dataclass(frozen=True)
class Result:
    """A result tensor: its shape and dtype as functions of the call (shape symbols are bound by then)."""

    name: str
    shape: Shape
    dtype: str | Callable[[Call], str]
    about: str = field(default="", kw_only=True)

    def dtype_of(self, call: Call) -> str:
        return self.dtype(call) if callable(self.dtype) else self.dtype


def like(name: str) -> Shape:
    """The shape of the argument `name`."""
    return lambda call: call.shape(name)


def dtype_like(name: str) -> Callable[[Call], str]:
    """The dtype of the argument `name`."""
    return lambda call: call.tensors[name].dtype


METADATA_SIZE = 1024
METADATA = index(
    str(METADATA_SIZE),
    about="The core split made by the metadata operator from the same lengths and attributes. Private contents.",
)
METADATA_RESULT = Result(
    "metadata",
    lambda call: (METADATA_SIZE,),
    INT32,
    about="The core split. Its contents are private to the kernel; zeros on host.",
)
