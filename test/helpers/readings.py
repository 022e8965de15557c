"""Masks of captured functions as the compiler reads them, compared with torch element by element."""

import itertools

from terms import Captured, Eager
from values import holds

from sparse_attn.lowering.analysis.predicate import Leaf, Not
from sparse_attn.lowering.normalize.masks import Reader
from sparse_attn.lowering.normalize.term import whole


def predicate(function, *inputs, method="predicate"):
    """The predicate of a mask over (b, s, j), what every tensor of its graph holds, and the reader."""
    it = Captured(function, *inputs)
    reader = Reader()
    return getattr(reader, method)(whole(it.graph.results[0], "bsj")), Eager(it, *inputs), reader


def agrees(found, env, real):
    for b, s, j in itertools.product(*map(range, real.shape)):
        assert holds(found, env.at(b=b, s=s, j=j)) == bool(real[b, s, j]), f"{found} at {b, s, j}"


def opaque(p):
    """The tensors whose truth a predicate takes as given."""
    if isinstance(p, Leaf):
        return {p.elem.value.name}
    inner = [p.of] if isinstance(p, Not) else getattr(p, "parts", ())
    return set().union(*map(opaque, inner))
