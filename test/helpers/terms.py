"""Torch functions imported as the compiler imports them, and their terms evaluated element by element."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch._functorch.aot_autograd import aot_module_simplified, make_boxed_func
from torch.fx import GraphModule
from torch.fx.experimental.proxy_tensor import make_fx
from values import Opaque, term

from sparse_attn import ingest
from sparse_attn.capture import composites_kept
from sparse_attn.lowering.analysis import ints
from sparse_attn.lowering.analysis.graph import Graph, snapshot
from sparse_attn.lowering.lift import functions
from sparse_attn.lowering.normalize.term import Elem


class Captured:
    """A torch function as a graph of `lowering`, with the inputs and sizes it was captured at."""

    def __init__(
        self,
        function: Callable[..., Any],
        *inputs: Any,
        dynamic: bool = False,
        capture: Callable[..., GraphModule] | None = None,
    ) -> None:
        self.fx = (capture or captured)(function, *inputs, dynamic=dynamic)
        self.imported = ingest.ingest(self.fx)
        (operation,) = functions(self.imported.module)
        self.graph: Graph = snapshot(operation)

    def env(self, *inputs: Any) -> dict[Any, Any]:
        """What the arguments and the size symbols hold."""
        env: dict[Any, Any] = {}
        for argument, given in zip(self.graph.arguments, inputs, strict=True):
            if argument.dims is None:
                env[argument.integer.atom] = given
                continue
            env[argument] = given.detach().numpy()
            for size, real in zip(argument.dims, given.shape, strict=True):
                if size.atom is not None:
                    env[size.atom] = real
        return env


class Eager(dict[Any, Any]):
    """An environment in which every tensor of the graph holds what eager gives it, found by its node's name."""

    def __init__(self, it: Captured, *inputs: torch.Tensor) -> None:
        super().__init__(it.env(*inputs))
        record = _Record(it.fx)
        with torch.no_grad():
            record.run(*inputs)
        self.update({name: _numpy(x) for name, x in record.made.items() if isinstance(x, torch.Tensor)})

    def __contains__(self, key: Any) -> bool:
        return dict.__contains__(self, key) or (bool(getattr(key, "name", "")) and dict.__contains__(self, key.name))

    def __getitem__(self, key: Any) -> Any:
        return dict.__getitem__(self, key if dict.__contains__(self, key) else key.name)

    def at(self, **indices: int) -> "Eager":
        """The same with loop variables, by name."""
        made = dict.__new__(Eager)
        dict.update(made, self)
        dict.update(made, indices)
        return made


class _Record(torch.fx.Interpreter):
    """Keeps what every node gave."""

    def __init__(self, module: GraphModule) -> None:
        super().__init__(module)
        self.made: dict[str, Any] = {}

    def run_node(self, n: torch.fx.Node) -> Any:
        self.made[n.name] = super().run_node(n)
        return self.made[n.name]


def captured(function: Callable[..., Any], *inputs: Any, dynamic: bool = False) -> GraphModule:
    """The functional ATen graph of a function, composites taken apart."""
    mode = "symbolic" if dynamic else "fake"
    with torch.no_grad():
        return make_fx(torch.func.functionalize(function), tracing_mode=mode)(*inputs)


def captured_whole(function: Callable[..., Any], *inputs: Any, dynamic: bool = False) -> GraphModule:
    """The graph as the backend captures it: composites such as einsum kept."""
    found: list[GraphModule] = []

    def keep(graph: GraphModule, _inputs: Any) -> Any:
        found.append(graph)
        return make_boxed_func(graph.forward)

    def backend(module: GraphModule, example: Any) -> Any:
        with composites_kept():
            return aot_module_simplified(module, list(example), fw_compiler=keep, inference_compiler=keep)

    def in_order(*given: Any) -> Any:  # inputs become placeholders in the order of their first use
        return function(*(x.view(x.shape) for x in given))

    torch._dynamo.reset()
    with torch.no_grad():
        torch.compile(in_order, backend=backend, dynamic=dynamic, fullgraph=True)(*inputs)
    return found[0]


def check(
    function: Callable[..., Any],
    *inputs: torch.Tensor,
    opaque: bool = False,
    exact: bool = True,
    capture: Callable[..., GraphModule] = captured,
) -> None:
    """Every element of every result equals its term (or, with `opaque`, no rule answers)."""
    it = Captured(function, *inputs, capture=capture)
    env = it.env(*inputs)
    with torch.no_grad():
        wanted = function(*inputs)
    for result, real in zip(it.graph.results, wanted if isinstance(wanted, tuple) else (wanted,), strict=True):
        compare(result, real.numpy(), env, opaque, exact)


def compare(result: Any, real: np.ndarray, env: dict[Any, Any], opaque: bool, exact: bool) -> None:
    """One result against its terms."""
    for at in itertools.product(*map(range, real.shape)):
        elem = Elem(result, tuple(map(ints.of, at)))
        if opaque:
            with pytest.raises(Opaque):
                term(elem, env)
            continue
        got = term(elem, env)
        assert got == real[at] if exact else np.isclose(got, real[at], 1e-5, 1e-5), f"{elem}: {got}, not {real[at]}"


def _numpy(tensor: torch.Tensor) -> np.ndarray:
    return (tensor.float() if tensor.is_floating_point() and tensor.element_size() < 4 else tensor).numpy()
