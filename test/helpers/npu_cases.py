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
from sparse_attn.dialect.npu.facts import result_facts
from sparse_attn.dialect.npu.spec import Spec
from sparse_attn.dialect.npu.target import HOST, TARGETS
from sparse_attn.dialect.npu.text import function_text, make_call, parse_tensor
from sparse_attn.dialect.tensors import TensorInfo

ATLAS = ("a3", "a2")


def tensor(
    text: str, values: Any = None, strides: tuple[int, ...] | None = None, offset: int | None = None
) -> TensorFact:
    """A tensor fact whose values (broadcast to its shape), strides or storage offset are known."""
    fact = parse_tensor(text)
    array = None if values is None else np.broadcast_to(np.asarray(values, np.int64), fact.shape)
    return TensorFact(fact.shape, fact.dtype, strides, offset, None if array is None else lambda: array)


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
    """The call as a function with every attribute spelled out; result types are right when the call is legal."""
    if any(not finding.warning for finding in spec.check(call)):
        results = ["tensor<1xf32>"] * (len(spec.results) + len(spec.schema.mutated))
    else:
        results = [str(TensorInfo(shape, element)) for shape, element in result_facts(spec, call)]
        results = [f"tensor<{text}>" for text in results]
    return function_text(spec, call, results, all_attributes=True)


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
