"""Random corrupt lengths, block ids, indices and slots, one call at a time.

    python host_fuzz.py TRIALS [label ...]

A kernel may accept what it is given, or refuse it; then the text names a tensor, a position and a value, and nothing
is written. What a kernel reads outside its tensors is for the address sanitizer to find: run this with a sanitized
library.
"""

import re
import sys
import zlib
from dataclasses import dataclass, field

import numpy as np
from host_call import HostCall
from host_calls import CALLS

NASTY = (-(2**63), -(2**31), -129, -2, -1, 0, 1, 2, 3, 7, 64, 301, 10**6, 2**31 - 1, 2**32, 2**63 - 1)
AT = re.compile(r"tensor (\w+) at \[[\d,]+\] is (-?\d+), must be ")
"""What a refusal has to say, but for the two below."""

TABLE = re.compile(r"tensor \w*block_table\w* has \d+ blocks per row, must be >=? \d+: batch \d+ (uses|reaches) ")
"""A length that a table is too narrow for: the table, the batch and the length are named."""

RESULT = re.compile(r"\w+ has shape \[[\d,]+\], must be ")
"""Lengths say how many rows or batches there are, and a tensor that is laid out for other ones is named."""


@dataclass
class Tally:
    """How many corrupt calls were accepted and refused, and which tensors refusals named."""

    accepted: int = 0
    refused: int = 0
    named: set[str] = field(default_factory=set)


def corrupt(rng: np.random.Generator, array: np.ndarray) -> np.ndarray:
    """A copy with one to three entries replaced."""
    limits = np.iinfo(array.dtype)
    values = [value for value in NASTY if limits.min <= value <= limits.max]
    changed = array.copy()
    flat = changed.reshape(-1)
    for at in rng.integers(0, flat.size, rng.integers(1, 4)):
        flat[at] = values[rng.integers(len(values))]
    return changed


def problem_with(text: str, bad: dict[str, np.ndarray]) -> str | None:
    """What a refusal lacks, or None."""
    found = AT.search(text)
    if found is None:
        return None if TABLE.search(text) or RESULT.search(text) else "it names no tensor, position and value"
    if found[1] in bad and int(found[2]) not in bad[found[1]].reshape(-1):
        return f"{found[1]} holds no {found[2]}"
    return None


def attempt(call: HostCall, rng: np.random.Generator, tally: Tally) -> None:
    """One corrupt call. Raises AssertionError when a refusal is unclear or came too late."""
    names = list(call.integers())
    chosen = [names[i] for i in rng.permutation(len(names))[: rng.integers(1, 3)]]
    bad = {name: corrupt(rng, call.integers()[name]) for name in chosen}
    before = [*call.results, *(call.arguments[name] for name in call.written)]
    after, refusal = call.attempt(int(rng.integers(1, 4)), **bad)
    if refusal is None:
        tally.accepted += 1
        return
    tally.refused += 1
    tally.named |= {match[1] for match in AT.finditer(str(refusal))}
    assert problem_with(str(refusal), bad) is None, f"{refusal}: {problem_with(str(refusal), bad)}"
    same = all(np.array_equal(a.view(np.uint8), b.view(np.uint8)) for a, b in zip(before, after, strict=True))
    assert same, f"{refusal}: but something was written"


def fuzz(label: str, trials: int) -> Tally:
    """Corrupt calls of one kernel, the same for the same label and number."""
    rng, tally = np.random.default_rng(zlib.crc32(label.encode())), Tally()
    for trial in range(trials):
        if trial % 40 == 0:
            call = CALLS[label](trial)
        attempt(call, rng, tally)
    return tally


def main(arguments: list[str]) -> None:
    for label in arguments[1:] or CALLS:
        tally = fuzz(label, int(arguments[0]))
        print(
            f"{label}: {tally.refused} refused, {tally.accepted} accepted, named {', '.join(sorted(tally.named))}",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
