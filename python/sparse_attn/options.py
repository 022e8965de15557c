"""The backend's options: names, values, meanings."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from typing import Any

from .errors import BadOption
from .lowering.quantize.formats import READERS

TARGETS = ("auto", "host", "ascend950", "a3", "a2")
INNER = ("eager", "inductor")
ABSORB = ("auto", "on", "off")
PROMISES = ("contiguous_positions", "distinct_indices")
CAPTURE = ("piecewise", "clone_outputs", "graph_limit")
QUANTIZE = {kind: tuple(formats) for kind, formats in READERS.items()}


@dataclasses.dataclass(frozen=True)
class Options:
    """What `torch.compile(model, backend="sparse_attn", options={...})` takes.

    target: "auto" (the device of the inputs), "host", "ascend950", "a3" or "a2": whose kernels the graph is lowered to.
    inner: "eager" or "inductor": who runs the emitted graph.
    explain: True prints every candidate, what it became, or why not; a path appends the same text to that file.
    strict: an unfused site is an error (`NotFused`).
    accept_ranking: "exact", or "bf16" to allow an operator that ranks in bf16 for a graph that ranks in fp32.
    absorb: "auto", "on" or "off": whether attention over keys expanded from a latent becomes attention over
        the latent, which reorders sums; auto goes by cost on the host, and absorbs for a chip, whose kernels need it.
    assume: promises by the user, out of PROMISES; printed in every report. "contiguous_positions": the tokens of
        a row stand at consecutive positions, so that a kernel that counts them may take a graph that is given them.
        "distinct_indices": index lists that enter the graph from outside name no key twice.
    quantize: {"indexer": format, "attention": format} quantises what the fused operators read, either part or both;
        the formats are those of QUANTIZE, and None quantises nothing.
    aclgraph: capture every graph that may be captured at its first call, replay it at the others; needs inner "eager".
    piecewise: with aclgraph, cut a graph at what may not be captured, instead of running all of it eagerly.
    clone_outputs: with aclgraph, False returns the graph's own memory, which the next call overwrites.
    graph_limit: with aclgraph, how many captures one compiled graph may take before other calls run eagerly.
    lift: False leaves every graph as captured (for comparisons).
    """

    target: str = "auto"
    inner: str = "eager"
    explain: bool | str | os.PathLike[str] = False
    strict: bool = False
    accept_ranking: str = "exact"
    absorb: str = "auto"
    assume: tuple[str, ...] = ()
    quantize: tuple[tuple[str, str], ...] = ()
    aclgraph: bool = False
    piecewise: bool = False
    clone_outputs: bool = True
    graph_limit: int = 64
    lift: bool = True

    @staticmethod
    def of(given: Mapping[str, Any] | None) -> Options:
        """Options from a dict; BadOption names what is wrong and what is allowed."""
        given = dict(given or {})
        known = {f.name for f in dataclasses.fields(Options)}
        unknown = sorted(set(given) - known)
        if unknown:
            raise BadOption(f"unknown option {', '.join(unknown)}; the options are {', '.join(sorted(known))}")
        if "assume" in given:
            if not isinstance(given["assume"], (tuple, list)):
                raise BadOption(f"assume is {given['assume']!r}; give a tuple of promises: {', '.join(PROMISES)}")
            given["assume"] = tuple(given["assume"])
        if "quantize" in given:
            given["quantize"] = _quantize(given["quantize"])
        made = Options(**given)
        made._check("target", TARGETS)
        made._check("inner", INNER)
        made._check("accept_ranking", ("exact", "bf16"))
        made._check("absorb", ABSORB)
        for name in ("strict", "lift", "aclgraph", "piecewise", "clone_outputs"):
            made._check(name, (True, False))
        made._check_capture()
        for promise in made.assume:
            if promise not in PROMISES:
                raise BadOption(f'assume holds "{promise}"; promises are {", ".join(PROMISES)}')
        if not isinstance(made.explain, (bool, str, os.PathLike)):
            raise BadOption(f"explain is {made.explain!r}; give True, False or a path")
        return made

    def _check_capture(self) -> None:
        if type(self.graph_limit) is not int or self.graph_limit < 1:
            raise BadOption(f"graph_limit is {self.graph_limit!r}; give a number of graphs, at least 1")
        changed = [f.name for f in dataclasses.fields(self) if f.name in CAPTURE and getattr(self, f.name) != f.default]
        if changed and not self.aclgraph:
            raise BadOption(f"{', '.join(changed)} is about captured graphs: pass aclgraph=True as well")
        if self.aclgraph and self.inner != "eager":
            raise BadOption(f'aclgraph captures the emitted graph itself, inner is {self.inner!r}: use inner="eager"')

    def _check(self, name: str, allowed: tuple[Any, ...]) -> None:
        value = getattr(self, name)
        if not any(value is a or (isinstance(value, str) and value == a) for a in allowed):
            raise BadOption(f"{name} is {value!r}; it can be {', '.join(map(repr, allowed))}")


def _quantize(given: Any) -> tuple[tuple[str, str], ...]:
    """(kind of operator, format) pairs of what was asked for, checked."""
    allowed = ", ".join(f'"{kind}": {" or ".join(map(repr, formats))}' for kind, formats in QUANTIZE.items())
    if given is not None and not isinstance(given, Mapping):
        raise BadOption(f"quantize is {given!r}; give None or a dict of {allowed}")
    for kind, name in (given or {}).items():
        if kind not in QUANTIZE:
            raise BadOption(f"quantize holds {kind!r}; it can hold {allowed}")
        if name not in QUANTIZE[kind]:
            formats = ", ".join(map(repr, QUANTIZE[kind]))
            raise BadOption(f"quantize has {name!r} for {kind!r}; it can be {formats}")
    return tuple((kind, given[kind]) for kind in QUANTIZE if given and kind in given)
