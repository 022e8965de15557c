"""A constraint: one sentence of an operator's document, and the check that enforces it.

`check` looks at a `Call` and returns None or a sentence saying what is wrong and where (which argument, which
value); `fix` says what to do. `targets` are the machines the rule holds on: all of them when it belongs to the
operator's mathematics, some chips when it is a limit of their kernels. `note` records where the published sources
disagree, in our own words.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from .call import Call
from .target import TARGETS

Check = Callable[[Call], str | None]


@dataclass(frozen=True)
class Constraint:
    says: str
    check: Check
    fix: str
    targets: tuple[str, ...] = TARGETS
    note: str = ""
    warning: bool = False

    def noting(self, note: str) -> "Constraint":
        """The same constraint with a recorded disagreement between the published sources."""
        return replace(self, note=f"{self.note} {note}".strip())


@dataclass(frozen=True)
class Finding:
    """A constraint that does not hold: its number, and the whole message."""

    number: str
    message: str
    warning: bool


def on(targets: tuple[str, ...] | str, constraint: Constraint) -> Constraint:
    """The same constraint, holding on these targets only."""
    return replace(constraint, targets=(targets,) if isinstance(targets, str) else tuple(targets))


def warn(constraint: Constraint) -> Constraint:
    """The same constraint, told to the user without refusing the call."""
    return replace(constraint, warning=True)


def rule(says: str, fix: str) -> Callable[[Check], Constraint]:
    """Decorator for the checks that fit no maker; the function's docstring becomes the note."""

    def make(check: Check) -> Constraint:
        return Constraint(says, check, fix, note=" ".join((check.__doc__ or "").split()))

    return make


def findings(constraints: dict[str, Constraint], call: Call) -> list[Finding]:
    """Every constraint that does not hold for this call, in numeric order of declaration."""
    found = []
    for number, constraint in constraints.items():
        if call.target in constraint.targets and (problem := constraint.check(call)):
            where = "" if constraint.targets == TARGETS else f"on {call.target}, "
            found.append(Finding(number, f"[{number}] {where}{problem}: {constraint.fix}", constraint.warning))
            if number in ("c1", "c2") and not constraint.warning:
                break  # the rest speaks of a chip that has the kernel and of shapes that agree
    return found
