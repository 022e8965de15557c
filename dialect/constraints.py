"""Numbered constraints: how they are written, collected, and run.

A constraint is a function named c1, c2, ... whose docstring is the rule as a sentence. It takes a `Call` and returns
None or what is wrong. They run in order and stop at the first failure: a later one may rely on an earlier one.
"""

import re
from collections.abc import Callable
from typing import Any

from .call import Call

Constraint = Callable[[Call], "str | None"]


class ConstraintError(ValueError):
    """A use of an operation that breaks a constraint; the text carries the constraint's number."""


def constraint(function: Constraint) -> Any:
    """Mark a function in a class body as a constraint."""
    if not re.fullmatch(r"c[1-9]\d*", function.__name__) or not function.__doc__:
        raise TypeError(f"a constraint is named c1, c2, ... and has a docstring, not {function.__qualname__}")
    function.is_constraint = True  # type: ignore[attr-defined]
    return staticmethod(function)


def collect(cls: type, first: int) -> list[Constraint]:
    """The constraints of a class in order; numbers must run from `first` without a gap."""
    found = [getattr(cls, name) for name in dir(cls) if re.fullmatch(r"c[1-9]\d*", name)]
    found = [function for function in found if getattr(function, "is_constraint", False)]
    found.sort(key=number)
    if [number(function) for function in found] != list(range(first, first + len(found))):
        raise TypeError(f"{cls.__name__}: constraints must be numbered from c{first} without a gap")
    return found


def number(function: Constraint) -> int:
    """The number of a constraint."""
    return int(function.__name__[1:])


def run(constraints: list[Constraint], call: Call) -> None:
    """Check a use against constraints in order; raises ConstraintError at the first that fails."""
    for function in constraints:
        if problem := function(call):
            raise ConstraintError(f"[{function.__name__}] {problem}")
