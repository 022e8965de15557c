"""What attention costs with expanded keys and with absorbed projections, in multiply-adds.

    expanded: every token's latent is expanded for all heads, then every row attends `attended` keys a head
    absorbed: every row's query and result go through the weights instead, and the keys are wider

With C latent channels, D key and Dv value channels of which R are shared, N heads, S rows and T tokens:

    expanded = T N C (D - R + Dv)          + S N attended (D + Dv)
    absorbed = S N C (D - R + Dv) + T (C + R) + S N attended (2 C + R)

so absorption pays when there are many tokens for each row (decoding), and loses when every token is a row (prefill).
A product of matrices runs near the machine's peak and so does attention over gathered rows in neither form, so no
other weights are put on the terms. A size not known at compile time counts as `UNKNOWN`.
"""

from __future__ import annotations

import dataclasses

from ..analysis import ints
from ..analysis.ints import Fn, Int

UNKNOWN = 4096


@dataclasses.dataclass(frozen=True)
class Sizes:
    """The sizes one attention is priced by; `expands` is false when the expanded keys are needed elsewhere anyway."""

    batch: int
    rows: int
    tokens: int
    attended: int
    heads: int
    latent: int
    key: int
    shared: int
    value: int
    expands: bool = True


def expanded(n: Sizes) -> int:
    """Multiply-adds with expanded keys and values."""
    expansion = n.tokens * n.heads * n.latent * (n.key - n.shared + n.value) if n.expands else 0
    return n.batch * (expansion + n.rows * n.heads * n.attended * (n.key + n.value))


def absorbed(n: Sizes) -> int:
    """Multiply-adds with absorbed projections; putting the rows of latent and shared channels together counts too."""
    projections = n.rows * n.heads * n.latent * (n.key - n.shared + n.value)
    rows = n.tokens * (n.latent + n.shared)
    return n.batch * (projections + rows + n.rows * n.heads * n.attended * (2 * n.latent + n.shared))


def known(size: Int) -> int:
    """A size as a number: symbols count as UNKNOWN."""
    return size.const + sum(coefficient * _atom(atom) for atom, coefficient in size.terms)


def _atom(atom: object) -> int:
    if not isinstance(atom, Fn):
        return UNKNOWN
    values = [known(a) for a in atom.args]
    match atom.name:
        case "min":
            return min(values)
        case "max":
            return max(values)
        case "floordiv":
            return values[0] // max(values[1], 1)
        case "mod":
            return values[0] % max(values[1], 1)
        case "mul":
            return ints.product(map(ints.of, values)).const
    return UNKNOWN
