"""Makers of constraints on layouts, lengths, and block tables, the part of the documents all these operators share.

Rules on values (prefix sums, used lengths, residuals, table widths) hold where the values are known: in a CPU call.
A compiled graph cannot know them; the host kernels check block ids and list entries again before following them.
"""

from collections.abc import Callable
from itertools import pairwise

from .call import Call, known
from .constraint import Constraint

Condition = Callable[[Call], bool]


def given(name: str) -> Condition:
    return lambda call: call.has(name)


def absent(name: str) -> Condition:
    return lambda call: not call.has(name)


def is_(name: str, *values: object) -> Condition:
    """The attribute has one of these values."""
    return lambda call: call[name] in values


def is_not(name: str, *values: object) -> Condition:
    return lambda call: call[name] not in values


def both(*conditions: Condition) -> Condition:
    return lambda call: all(condition(call) for condition in conditions)


def forbidden_unless(name: str, layout: str, value: str) -> Constraint:
    """The tensor belongs to one layout only."""
    return Constraint(
        f"`{name}` is left out without `{layout}` {value}.",
        lambda call: f"{name} given with {layout} {call[layout]}" if call.has(name) and call[layout] != value else None,
        f"leave {name} out, or use {layout} {value}",
    )


def layout_pair(query: str, key: str, paged: str) -> Constraint:
    """The legal pairs: BSND with BSND, TND with TND, and either with a paged key."""
    legal = (("BSND", "BSND"), ("TND", "TND"), ("BSND", paged), ("TND", paged))
    words = ", ".join(f"{q}/{k}" for q, k in legal)

    def check(call: Call) -> str | None:
        pair = (call[query], call[key])
        return None if pair in legal else f"{query}/{key} is {pair[0]}/{pair[1]}"

    return Constraint(f"`{query}`/`{key}` is one of {words}.", check, f"use one of {words}")


def prefix_sums(name: str, total: str) -> Constraint:
    """Cumulative lengths [B+1]: first 0, never decreasing, the last is the packed total."""

    def check(call: Call) -> str | None:
        sums = call.values(name)
        if sums is None or (
            (problem := _sums_problem([0, *sums[1:]], call.dim(total), total)) is None and sums[0] == 0
        ):
            return None
        return f"{name} starts with {sums[0]}, not 0" if sums[0] != 0 else f"{name} {problem}"

    return Constraint(
        f"`{name}` starts with 0, never decreases and ends with {total}.", check, "pass the running sums of the lengths"
    )


def ends(name: str, total: str, when: Condition, ratio: str | None = None) -> Constraint:
    """Cumulative lengths [B] without the leading zero, as torch_npu's operators take them for TND; with a ratio
    above 1 the total counts compressed rows and cannot be compared.
    """

    def check(call: Call) -> str | None:
        sums = call.values(name)
        if sums is None or not when(call):
            return None
        packed = None if ratio and call[ratio] > 1 else call.dim(total)
        problem = _sums_problem([0, *sums], packed, total)
        return f"{name} {problem}" if problem else None

    return Constraint(
        f"With TND, `{name}` holds running sums (no leading 0) that end with {total}.",
        check,
        "pass the running sums of the lengths, one for each batch",
    )


def _sums_problem(sums: list[int], total: int | None, symbol: str) -> str | None:
    for position in range(1, len(sums)):
        if sums[position] < sums[position - 1]:
            return f"decreases from {sums[position - 1]} to {sums[position]} at position {position}"
    return None if total is None or sums[-1] == total else f"ends with {sums[-1]} where {symbol} is {total}"


def slot_lengths(call: Call, sums: str, symbol: str, batches: int) -> list[int] | None:
    """The length of every batch's slot: differences of the prefix sums, else the sequence dim of a batched layout."""
    ends_of = call.values(sums) if sums else None
    if ends_of is not None:
        return [right - left for left, right in pairwise(ends_of)]
    size = call.dim(symbol)
    return None if size is None else [size] * batches


def used_within(name: str, sums: str, symbol: str, ratio: str | None = None) -> Constraint:
    """Used lengths [B] are not negative and fit their slots (`sums` for TND, `symbol` for BSND), divided by the
    ratio if any.
    """

    def check(call: Call) -> str | None:
        used = call.values(name)
        if used is None:
            return None
        slots = slot_lengths(call, sums, symbol, len(used))
        for batch, length in enumerate(used):
            if length < 0:
                return f"{name}[{batch}] is {length}"
            rows = length // (call[ratio] if ratio else 1)
            if slots is not None and batch < len(slots) and rows > slots[batch]:
                return f"{name}[{batch}] asks for {rows} rows, its slot has {slots[batch]}"
        return None

    return Constraint(
        f"`{name}` is not negative and at most the slot of its batch.",
        check,
        "pass the number of valid tokens of each batch",
    )


def remainders(name: str, ratio: str) -> Constraint:
    """0 <= value < ratio for every batch."""

    def check(call: Call) -> str | None:
        for batch, value in enumerate(call.values(name) or []):
            if not 0 <= value < call[ratio]:
                return f"{name}[{batch}] is {value}, outside 0 to {call[ratio] - 1}"
        return None

    return Constraint(f"0 <= `{name}`[b] < `{ratio}`.", check, f"pass the uncompressed length modulo {ratio}")


def table_covers(table: str, lengths: str, size: str, ratio: str | None = None) -> Constraint:
    """A block table has a column for every block of the longest batch (of its compressed length, with a ratio)."""

    def check(call: Call) -> str | None:
        used, fact, block = call.values(lengths), call.tensor(table), call.dim(size)
        if not used or fact is None or not known(block, *fact.shape):
            return None
        longest = max(used) // (call[ratio] if ratio else 1)
        needed = -(-longest // block)
        return (
            None
            if needed <= fact.shape[1]
            else f"{table} has {fact.shape[1]} columns, {longest} rows of blocks of {block} need {needed}"
        )

    unit = f"floor(`{lengths}` / `{ratio}`)" if ratio else f"`{lengths}`"
    return Constraint(f"`{table}` has at least ceil(max {unit} / {size}) columns.", check, f"widen {table}")


def sparse_prefix(name: str) -> Constraint:
    """In an index list valid entries come first, -1 after."""

    def check(call: Call) -> str | None:
        fact = call.tensor(name)
        if fact is None or fact.values is None:
            return None
        rows = fact.values().reshape(-1, fact.values().shape[-1])
        valid = rows >= 0
        bad = (valid[:, 1:] & ~valid[:, :-1]).any(axis=1) if rows.shape[1] > 1 else valid[:, :0].any(axis=1)
        return f"{name} has a valid entry after a -1 in row {int(bad.argmax())}" if bad.any() else None

    return Constraint(
        f"Valid entries of `{name}` fill the front of each row, -1 the rest.",
        check,
        "move the valid entries to the front",
    )
