"""Legal and refused calls of a kernel operator as tables, checked as facts and as MLIR text.

A tensor is written `"bfloat16 2 3 64 512"`, or `tensor("int32 2", values=[3, 4])` where its values, strides or offset
matter. A case is the base call with some arguments replaced; None leaves one out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from torch_mlir import ir

from sparse_attn.dialect.npu import DIALECT, SPECS
from sparse_attn.dialect.npu.call import Call, TensorFact
from sparse_attn.dialect.npu.constraint import Finding
from sparse_attn.dialect.npu.dtypes import MLIR_NAMES
from sparse_attn.dialect.npu.facts import result_facts
from sparse_attn.dialect.npu.spec import Spec
from sparse_attn.dialect.npu.target import HOST, TARGETS

ATLAS = ("a3", "a2")


def tensor(
    text: str, values: Any = None, strides: tuple[int, ...] | None = None, offset: int | None = None
) -> TensorFact:
    """A tensor fact from `"dtype size size ..."`; `?` is an unknown size."""
    dtype, *sizes = text.split()
    shape = tuple(None if size == "?" else int(size) for size in sizes)
    array = None if values is None else np.broadcast_to(np.asarray(values, np.int64), shape)
    return TensorFact(shape, dtype, strides, offset, None if array is None else lambda: array)


def make_call(spec: Spec, target: str, arguments: Mapping[str, Any]) -> Call:
    """A call of `spec` with defaults filled in; a name the schema does not have is an error of the test."""
    unknown = set(arguments) - set(spec.schema.by_name)
    assert not unknown, f"{spec.name} has no {unknown}"
    tensors = {param.name: arguments.get(param.name) for param in spec.schema.tensors}
    facts = {name: tensor(t) if isinstance(t, str) else t for name, t in tensors.items() if t is not None}
    scalars = {param.name: arguments.get(param.name) for param in spec.schema.scalars}
    return Call(target, facts, spec.scalars(scalars))


@dataclass(frozen=True)
class Refused:
    target: str
    says: str
    changes: dict[str, Any]


def refused(target: str, says: str, **changes: Any) -> Refused:
    """The base call with `changes` is refused on `target`, and the message says this."""
    return Refused(target, says, changes)


@dataclass(frozen=True)
class Cases:
    """The base call (legal on host and every chip), further legal calls by name, and refused ones by `cN_what`."""

    name: str
    base: dict[str, Any]
    legal: dict[str, tuple[tuple[str, ...], dict[str, Any]]]
    refused: dict[str, Refused]

    @property
    def spec(self) -> Spec:
        return SPECS[self.name]

    def findings(self, target: str, changes: Mapping[str, Any]) -> list[Finding]:
        return self.spec.check(make_call(self.spec, target, self.base | dict(changes)))

    def check_base(self) -> None:
        for target in (HOST, *self.spec.chips):
            assert self.findings(target, {}) == []
            assert mlir_error(self.spec, make_call(self.spec, target, self.base)) is None

    def check_legal(self, case: str) -> None:
        targets, changes = self.legal[case]
        for target in targets:
            assert self.findings(target, changes) == []
            assert mlir_error(self.spec, make_call(self.spec, target, self.base | changes)) is None

    def check_refused(self, case: str) -> None:
        wanted, number = self.refused[case], case.partition("_")[0]
        found = {finding.number: finding for finding in self.findings(wanted.target, wanted.changes)}
        assert number in found, f"{case} is not refused by {number}, but by {list(found)}"
        assert wanted.says in found[number].message
        constraint = self.spec.constraints[number]
        assert found[number].warning == constraint.warning
        self._check_elsewhere(number, wanted)
        self._check_mlir(wanted)

    def _check_elsewhere(self, number: str, wanted: Refused) -> None:
        """A limit of some chips is no rule on the others."""
        for target in set(TARGETS) - set(self.spec.constraints[number].targets):
            assert number not in {finding.number for finding in self.findings(target, wanted.changes)}

    def _check_mlir(self, wanted: Refused) -> None:
        """The verifier says the same as the facts do, at the operation, as far as a type can tell."""
        call = make_call(self.spec, wanted.target, self.base | wanted.changes)
        if any(param.name not in call.tensors and not param.optional for param in self.spec.schema.tensors):
            return
        if any(param.must_be_given and call.scalars[param.name] is None for param in self.spec.schema.scalars):
            return
        known = Call(
            call.target, {name: TensorFact(t.shape, t.dtype) for name, t in call.tensors.items()}, call.scalars
        )
        errors = [finding for finding in self.spec.check(known) if not finding.warning]
        error = mlir_error(self.spec, known)
        assert error == (f"'{self.spec.op}' op {errors[0].message}" if errors else None)

    def check_complete(self) -> None:
        assert {case.partition("_")[0] for case in self.refused} == set(self.spec.constraints)


def suite_of(cases: Cases) -> tuple[Any, ...]:
    """The four tests of a table: base, legal, refused, complete."""

    def test_base_is_legal_everywhere() -> None:
        cases.check_base()

    @pytest.mark.parametrize("case", cases.legal)
    def test_legal(case: str) -> None:
        cases.check_legal(case)

    @pytest.mark.parametrize("case", cases.refused)
    def test_refused(case: str) -> None:
        cases.check_refused(case)

    def test_every_constraint_refuses_something() -> None:
        cases.check_complete()

    return test_base_is_legal_everywhere, test_legal, test_refused, test_every_constraint_refuses_something


def mlir_text(spec: Spec, call: Call) -> str:
    """The call as a module; result types are right when the call is legal."""
    types = {name: mlir_type(fact) for name, fact in call.tensors.items()}
    attributes = [f'target = "{call.target}"', *_attributes(spec, call)]
    if any(param.optional for param in spec.schema.tensors):
        counts = ", ".join(str(int(call.has(param.name))) for param in spec.schema.tensors)
        attributes.append(f"operandSegmentSizes = array<i32: {counts}>")
    results = ", ".join(_result_types(spec, call))
    values = ", ".join(f"%{name}" for name in types)
    body = f'"{spec.op}"({values}) {{{", ".join(attributes)}}} : ({", ".join(types.values())}) -> ({results})'
    arguments = ", ".join(f"%{name}: {text}" for name, text in types.items())
    return f"func.func @f({arguments}) {{\n  %r:{results.count('tensor')} = {body}\n  return\n}}"


def mlir_type(fact: TensorFact) -> str:
    shape = fact.shape[:-1] if fact.dtype == "kv_row640" else fact.shape
    return "tensor<" + "".join("?x" if size is None else f"{size}x" for size in shape) + MLIR_NAMES[fact.dtype] + ">"


def _attributes(spec: Spec, call: Call) -> list[str]:
    found = []
    for param in spec.schema.scalars:
        value = call.scalars[param.name]
        if value is None:
            continue
        if param.kind == "str":
            text = f'"{value}"'
        elif param.kind == "bool":
            text = str(bool(value)).lower()
        elif param.kind == "int":
            text = f"{value} : i64"
        else:
            text = f"{value:.17e} : f64" if np.isfinite(value) else "0x7FF0000000000000 : f64"
        found.append(f"{param.name} = {text}")
    return found


def _result_types(spec: Spec, call: Call) -> list[str]:
    if any(not finding.warning for finding in spec.check(call)):
        return ["tensor<1xf32>"] * (len(spec.results) + len(spec.schema.mutated))
    return [
        "tensor<" + "".join("?x" if size is None else f"{size}x" for size in shape) + f"{element}>"
        for shape, element in result_facts(spec, call)
    ]


_CONTEXTS: list[ir.Context] = []


def context() -> ir.Context:
    """One context for all tests: making one costs more than everything else here."""
    if not _CONTEXTS:
        _CONTEXTS.append(ir.Context())
        with _CONTEXTS[0]:
            DIALECT.load()
    return _CONTEXTS[0]


def mlir_error(spec: Spec, call: Call) -> str | None:
    """What parsing the call as MLIR reports, or None; the error must be at the operation."""
    with context(), ir.Location.unknown():
        try:
            ir.Module.parse(mlir_text(spec, call))
        except ir.MLIRError as error:
            diagnostic = error.error_diagnostics[0]
            assert str(diagnostic.location).startswith('loc("-":2:'), diagnostic
            return diagnostic.message
    return None
