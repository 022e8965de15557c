"""What a target offers, as data: one contract per kernel and fused op."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from ...dialect.npu.call import Call
from ...dialect.npu.spec import Spec
from ..analysis import ints
from ..analysis.graph import Value
from ..analysis.ints import Fn, Int, Var
from ..build import CannotBuild
from ..fuse.operands import attributes, operands
from ..normalize.term import variable
from .pieces import Piece

PROMISE = "contiguous_positions"


class Refused(Exception):
    """Why a kernel cannot take an op, in the user's terms."""


def refuse(reason: str) -> NoReturn:
    raise Refused(reason)


@dataclasses.dataclass(frozen=True)
class Use:
    """One fused op as a contract sees it: operands and attributes by name, and the user's promises.

    `alive` holds the order of every value that matters, `lists` what was decided for the indexers before this op.
    """

    value: Value
    target: str = "host"
    accept_ranking: str = "exact"
    assume: tuple[str, ...] = ()
    alive: frozenset[int] = frozenset()
    lists: Mapping[int, Decision] = dataclasses.field(default_factory=dict)

    @property
    def given(self) -> dict[str, Value | None]:
        return operands(self.value)

    @property
    def attributes(self) -> dict[str, Any]:
        return attributes(self.value)

    @property
    def promised(self) -> bool:
        return PROMISE in self.assume

    def operand(self, name: str) -> Value | None:
        return self.given[name]

    def attribute(self, name: str) -> Any:
        return self.attributes[name]

    def needed(self, name: str) -> Value:
        """An operand that is there."""
        value = self.given[name]
        assert value is not None
        return value

    def dims(self, name: str) -> tuple[Int, ...]:
        """The sizes of an operand that is there."""
        found = self.needed(name).dims
        assert found is not None
        return found

    def axes(self, name: str, letters: str) -> tuple[Int, ...]:
        """One variable for each dimension of an operand, named by `letters`; 0 where the size is one."""
        return tuple(variable(letter, size) for letter, size in zip(letters, self.dims(name), strict=True))

    def size(self, name: str, axis: int) -> int | None:
        """A static size of an operand, None when dynamic or absent."""
        value = self.operand(name)
        if value is None or value.dims is None or not value.dims[axis].is_const:
            return None
        return value.dims[axis].const


@dataclasses.dataclass(frozen=True)
class Taken:
    """How a result of ours is read off one of the kernel's: element `at` of result `result`, laid out as `order`."""

    result: int
    at: tuple[Int, ...]
    order: tuple[Int, ...]


@dataclasses.dataclass(frozen=True)
class Draft:
    """A kernel call before it exists: operands and attributes by the spec's names, and where our results are."""

    spec: Spec
    tensors: Mapping[str, Piece]
    scalars: Mapping[str, Any]
    results: Mapping[int, Taken]
    notes: tuple[str, ...] = ()

    def problem(self, target: str) -> str | None:
        """The first thing the target's limits refuse in this call, or in making its plan."""
        facts = {name: piece.fact for name, piece in self.tensors.items()}
        if self.spec.metadata_op is not None:
            facts["metadata"] = PLAN
        call = Call(target, facts, self.spec.scalars(self.scalars))
        problem = next((f.message for f in self.spec.check(call) if not f.warning), None)
        return problem if problem is not None or self.spec.metadata_op is None else self._plan_problem(call)

    def _plan_problem(self, call: Call) -> str | None:
        """The first thing refused in the plan of a legal call: sizes known only at run time are not passed."""
        from ..plan.metadata import plan_call

        meta, planned = plan_call(self.spec, call)
        found = next((f.message for f in meta.check(planned) if not f.warning), None)
        return None if found is None else f"its plan, {meta.name}, refuses {found}"


PLAN = Piece((ints.of(1024),), "i32", lambda build: None).fact


@dataclasses.dataclass
class Decision:
    """What became of one op: the contract, its draft, and the built operation once there is one."""

    use: Use
    contract: Contract
    draft: Draft | None
    made: Any = None


Requirement = Callable[[Use], str | None]
Make = Callable[[Use], Draft]


@dataclasses.dataclass(frozen=True)
class Contract:
    """A kernel that implements `implements` on `targets`.

    `kernel` is the operator's published name; `requirements` are functions returning a reason in the user's terms or
    None; `make` lays out the call, and may itself find a reason. Without `make` the op is its own kernel. The limits of
    a chip are those of the operator's spec.
    """

    kernel: str
    implements: str
    targets: tuple[str, ...]
    requirements: Sequence[Requirement] = ()
    make: Make | None = None

    def refusal(self, use: Use) -> str | None:
        """The first unmet requirement."""
        return next((reason for requirement in self.requirements if (reason := requirement(use)) is not None), None)

    def decide(self, use: Use) -> Decision | str:
        """What this kernel makes of the op, or the reason why it cannot take it."""
        reason = self.refusal(use)
        if reason is not None:
            return reason
        if self.make is None:
            return Decision(use, self, None)
        try:
            draft = self.make(use)
        except (Refused, CannotBuild) as failed:
            return str(failed)
        problem = draft.problem(use.target)
        return problem if problem is not None else Decision(use, self, draft)


def size_of(axis: Int) -> Int:
    """The size of the axis a variable runs over; 1 for the constant that stands for an axis of size one."""
    return axis.atom.size if isinstance(axis.atom, Var) else ints.of(1)


def flat_row(axes: Sequence[Int]) -> Int:
    """The index along several axes laid out as one, 0 where all are of size one."""
    digits = [x for axis in axes if not axis.is_const for x in (axis, size_of(axis))]
    return ints.of(Fn("lin", tuple(digits))) if len(digits) > 2 else (digits[0] if digits else ints.of(0))


def static(size: Int, what: str) -> int:
    """A size that must be a number."""
    if not size.is_const:
        refuse(
            f"{what} is the dynamic size {size}, and the kernel's plan is told sizes only as numbers: compile with "
            "static shapes"
        )
    return size.const
