"""Which values still matter: those the function's results are computed from."""

from __future__ import annotations

from .graph import Graph, Value


def live(graph: Graph, ignoring: Value | None = None) -> set[int]:
    """`order` of every value that a result of the function, or an op without results, depends on.

    `ignoring` is an op (any of its values) whose operands do not count as used by it.
    """
    found: set[int] = set()
    stack = list(graph.results) + [x for op in graph.effects for x in op]
    while stack:
        value = stack.pop()
        for sibling in value.siblings or [value]:
            if sibling.order not in found:
                found.add(sibling.order)
        for operand in value.operands if ignoring is None or value not in ignoring.siblings else ():
            if operand.order not in found:
                stack.append(operand)
    return found


def live_uses(value: Value, alive: set[int]) -> list[tuple[Value | None, int]]:
    """Uses of `value` by live ops; (None, i) is result i of the function."""
    return [(user, i) for user, i in value.uses if user is None or user.order in alive]
