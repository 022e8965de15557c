"""What an operation is, apart from MLIR and torch: its fields, its constraints, its result types.

Four constraints are common to every operation and are derived from its fields; its own start at c5.
"""

from collections.abc import Callable
from dataclasses import dataclass
from inspect import Parameter, Signature

from . import constraints
from .call import Call
from .constraints import Constraint
from .fields import KINDS, AttrField, TensorField
from .tensors import Dims, TensorInfo, bind, broadcasts, layout_shape, rank_problem

FIRST_OWN = 5


@dataclass(frozen=True)
class Definition:
    """An operation's fields in schema order, its own constraints, and how its result types follow from a use."""

    name: str
    operands: tuple[TensorField, ...]
    attributes: tuple[AttrField, ...]
    results: tuple[TensorField, ...]
    own_constraints: list[Constraint]
    layouts: Callable[[Call], dict[str, str]]
    derived: Callable[[Call], Dims]

    @property
    def common_constraints(self) -> list[Constraint]:
        return [self.c1, self.c2, self.c3, self.c4]

    @property
    def constraints(self) -> list[Constraint]:
        return self.common_constraints + self.own_constraints

    def check(self, call: Call) -> None:
        """Raise ConstraintError at the first broken constraint; fills in defaults, absent operands and sizes."""
        constraints.run(self.constraints, call)

    def infer(self, call: Call) -> dict[str, TensorInfo]:
        """The result types of a checked use."""
        dims = {**call.dims, **self.derived(call)}
        layouts = {field.name: field.layout for field in self.results} | self.layouts(call)
        return {
            field.name: TensorInfo(layout_shape(layouts[field.name], dims), self._result_dtype(field, call))
            for field in self.results
        }

    @staticmethod
    def _result_dtype(field: TensorField, call: Call) -> str:
        return call.operands[field.dtypes].dtype if isinstance(field.dtypes, str) else field.dtypes[0]

    def c1(self, call: Call) -> str | None:
        """Attributes are the declared ones, of the declared kind and range; other names contain a dot."""
        known = {field.name: field for field in self.attributes}
        for name in call.attributes:
            if name not in known and "." not in name:
                return f"unknown attribute `{name}`; declared are {', '.join(known) or 'none'}"
        for field in self.attributes:
            if field.name not in call.attributes:
                if field.required:
                    return f"attribute `{field.name}` is required"
                call.attributes[field.name] = field.default
            elif problem := field.problem(call.attributes[field.name]):
                return problem
        return None

    def c2(self, call: Call) -> str | None:
        """Operands have the declared ranks and element types."""
        for field in self.operands:
            tensor = call.operands.setdefault(field.name, None)
            if tensor is None:
                if not field.optional:
                    return f"operand `{field.name}` is required"
                continue
            if problem := rank_problem(field.layout, tensor.shape):
                return f"operand `{field.name}` {problem}"
            if field.dtypes and tensor.dtype not in field.dtypes:
                return f"operand `{field.name}` must have element type {' or '.join(field.dtypes)}, has {tensor.dtype}"
        return None

    def c3(self, call: Call) -> str | None:
        """Dimensions of the same name have the same size."""
        for field in self.operands:
            tensor = call.operands[field.name]
            if tensor and (problem := bind(field.layout, tensor.shape, call.dims)):
                return f"operand `{field.name}`: {problem}"
        return None

    def c4(self, call: Call) -> str | None:
        """Results have the types that follow from operands and attributes."""
        if call.results is None:
            return None
        for name, expected in self.infer(call).items():
            actual = call.results[name]
            if actual.dtype != expected.dtype or not broadcasts(actual.shape, expected.shape, exactly=True):
                return f"result `{name}` must be tensor<{expected}>, is tensor<{actual}>"
        return None

    def signature(self) -> Signature:
        """The Python signature shared by the builder and the reference: operands, then attributes by keyword."""
        parameters = []
        for field in self.operands:
            kind = Parameter.KEYWORD_ONLY if field.keyword else Parameter.POSITIONAL_OR_KEYWORD
            parameters.append(Parameter(field.name, kind, default=None if field.optional else Parameter.empty))
        for attribute in self.attributes:
            default = Parameter.empty if attribute.required else attribute.default
            parameters.append(Parameter(attribute.name, Parameter.KEYWORD_ONLY, default=default))
        return Signature(parameters)

    def torch_schema(self) -> str:
        """The schema string of the torch operator with the same meaning."""
        texts = [_torch_operand(field) for field in self.operands if not field.keyword]
        keywords = [_torch_operand(field) for field in self.operands if field.keyword]
        keywords += [_torch_attribute(field) for field in self.attributes]
        texts += ["*", *keywords] if keywords else []
        results = [f"Tensor {field.name}" for field in self.results]
        answer = "Tensor" if len(results) == 1 else f"({', '.join(results)})"
        return f"{self.name}({', '.join(texts)}) -> {answer}"


def _torch_operand(field: TensorField) -> str:
    return f"Tensor? {field.name}=None" if field.optional else f"Tensor {field.name}"


def _torch_attribute(field: AttrField) -> str:
    if field.required:
        return f"{KINDS[field.type][0]} {field.name}"
    default = f'"{field.default}"' if field.type is str else repr(field.default)
    return f"{KINDS[field.type][0]} {field.name}={default}"
