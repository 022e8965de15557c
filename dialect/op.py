"""The base class of our operations: an MLIR operation made from declared fields.

    class ScaleOp(Op, dialect=Example, name="scale", traits=[Pure]):
        rows: Operand[Tensor] = operand("n d", FLOATS, "rows to scale")
        factor: float = attr("multiplies every element", 1.0)
        out: Result[Tensor] = result("n d", "rows", "the scaled rows")

`build` makes the operation with inferred result types, the verifier runs the constraints of its definition at the
operation's location, and attributes read as Python values: ``op.factor`` is a float.
"""

from dataclasses import replace
from typing import Any, get_args

from torch_mlir import ir
from torch_mlir.dialects import ext

from . import attributes
from .call import Call
from .constraints import ConstraintError, collect
from .definition import FIRST_OWN, Definition
from .fields import AttrField, TensorField
from .segments import split_operands
from .tensors import Dims, TensorInfo

Tensor = ir.RankedTensorType


class Op(ext.Operation):
    """An operation with a `DEFINITION`. Subclasses may override `layouts` and `derived` to infer result types."""

    def __init_subclass__(cls, *, name: str | None = None, **kwargs: Any) -> None:
        definition = _take_fields(cls, name) if name else None
        super().__init_subclass__(name=name, **kwargs)
        if definition:
            cls.DEFINITION = definition
            for field in definition.attributes:
                setattr(cls, field.name, property(_reader(field)))

    @staticmethod
    def layouts(call: Call) -> dict[str, str]:
        """Layouts of results that differ from the declared ones in this use."""
        return {}

    @staticmethod
    def derived(call: Call) -> Dims:
        """Sizes of result dimensions that no operand names."""
        return {}

    @classmethod
    def build(cls, *args: Any, loc: ir.Location | None = None, ip: Any = None, **named: Any) -> "Op":
        """Build the operation from values and Python attribute values; ConstraintError before anything is made."""
        definition: Definition = cls.DEFINITION
        bound = definition.signature().bind(*args, **named)
        bound.apply_defaults()
        values = {field.name: bound.arguments[field.name] for field in definition.operands}
        given = {field.name: bound.arguments[field.name] for field in definition.attributes}
        present = [value for value in values.values() if value is not None]
        context = present[0].context if present else ir.Context.current
        call = Call(_operand_infos(values), given)
        definition.check(call)
        encoded = attributes.write(definition.attributes, given, context)
        if any(field.optional for field in definition.operands):
            sizes = [int(value is not None) for value in values.values()]
            encoded[attributes.SEGMENTS] = ir.DenseI32ArrayAttr.get(sizes, context=context)
        types = [info.mlir_type(context) for info in definition.infer(call).values()]
        operation = ir.Operation.create(cls.OPERATION_NAME, types, present, encoded, loc=loc, ip=ip)
        return operation.opview

    def call(self) -> Call:
        """This operation as its constraints see it; ConstraintError when its operands cannot be told apart."""
        definition: Definition = self.DEFINITION
        operands = split_operands(self, definition.operands)
        if len(self.results) != len(definition.results):
            raise ConstraintError(f"[c4] has {len(self.results)} results, expected {len(definition.results)}")
        names = [field.name for field in definition.results]
        results = {name: _info("c4", name, value) for name, value in zip(names, self.results, strict=True)}
        return Call(_operand_infos(operands), attributes.read(definition.attributes, self.attributes), results)

    def verify_invariants(self) -> bool:
        """Run the constraints; the first broken one becomes an error at this operation's location."""
        try:
            self.DEFINITION.check(self.call())
        except ConstraintError as error:
            problem = str(error)
        except Exception as error:  # MLIR's frames must not be unwound by a Python exception
            problem = f"has a verifier with a fault, {type(error).__name__}: {error}"
        else:
            return True
        self.location.emit_error(f"'{self.OPERATION_NAME}' op {problem}")
        return False


def _operand_infos(operands: dict[str, ir.Value | None]) -> dict[str, TensorInfo | None]:
    return {name: None if value is None else _info("c2", name, value) for name, value in operands.items()}


def _info(constraint: str, name: str, value: ir.Value) -> TensorInfo:
    info = TensorInfo.of(value.type)
    if info is None:
        raise ConstraintError(f"[{constraint}] `{name}` must be a ranked tensor, is {value.type}")
    return info


def _reader(field: AttrField) -> Any:
    return lambda self: attributes.read((field,), self.attributes).get(field.name, field.default)


def _take_fields(cls: type[Op], name: str) -> Definition:
    """Read the declared fields off a class body and leave what `ext` understands in their place.

    `ext` knows no optional attributes: those with a default are dropped there and checked by c1.
    """
    operands: list[TensorField] = []
    results: list[TensorField] = []
    attrs: list[AttrField] = []
    annotations = {}
    for field_name, annotation in cls.__annotations__.items():
        field = cls.__dict__[field_name]
        delattr(cls, field_name)
        if isinstance(field, AttrField):
            field = replace(field, name=field_name, type=annotation)
            attrs.append(field)
            if field.required:
                annotations[field_name] = attributes.MLIR_KINDS[annotation]
            continue
        is_result = getattr(annotation, "__origin__", None) is ext.Result
        field = replace(field, name=field_name, optional=type(None) in get_args(annotation))
        (results if is_result else operands).append(field)
        annotations[field_name] = annotation
    cls.__annotations__ = annotations
    own = collect(cls, FIRST_OWN)
    return Definition(name, tuple(operands), tuple(attrs), tuple(results), own, cls.layouts, cls.derived)
