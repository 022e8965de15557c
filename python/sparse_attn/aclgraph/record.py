"""The host graph: what a torch graph launched, with its arguments, to be launched again.

Recording runs the graph once and keeps every tensor it made. A replay makes no tensors and asks no questions: views are
not taken again, since what they look into stays where it is; every other call writes into the memory of the first run.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.fx import GraphModule, Interpreter, Node

from .calls import replayed

Run = Callable[[], Any]


class HostGraph:
    """A recorded run of `module` over `inputs`, whose tensors are the graph's for good; the run itself counts.

    `outputs` are the flat results, rewritten by each replay. Not safe for two threads at once.
    """

    def __init__(self, module: GraphModule, inputs: Sequence[Any]) -> None:
        recorder = _Recorder(module)
        with torch.inference_mode():
            result = recorder.run(*inputs)
        self.outputs: tuple[Any, ...] = tuple(result) if isinstance(result, (tuple, list)) else (result,)
        self._runs = tuple(recorder.runs)
        self._kept = (module, tuple(inputs), recorder.kept)  # nothing a replay addresses may be freed

    def __len__(self) -> int:
        return len(self._runs)

    def replay(self) -> None:
        """Do all calls again, in order."""
        with torch.inference_mode():
            for run in self._runs:
                run()


class _Recorder(Interpreter):
    def __init__(self, module: GraphModule) -> None:
        super().__init__(module, garbage_collect_values=False)
        self.runs: list[Run] = []
        self.kept: list[Any] = []

    def run_node(self, n: Node) -> Any:
        if n.op != "call_function":
            return super().run_node(n)
        args, kwargs = self.fetch_args_kwargs_from_env(n)
        target: Any = n.target
        result = target(*args, **kwargs)
        if _tensors(result) or _acts(target):
            self.kept.append((args, kwargs, result))
            if run := _again(target, args, kwargs, result):
                self.runs.append(run)
        return result


def _again(target: Any, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any) -> Run | None:
    """The call that repeats this one into the same memory; None for a view."""
    if _acts(target):
        return functools.partial(getattr(target, "_op", target), *args, **kwargs)
    made = _tensors(result)
    memory = {_memory(tensor) for tensor in _tensors([*args, *kwargs.values()])}
    if all(_memory(tensor) in memory for tensor in made):
        return None
    return replayed(target, args, kwargs, result)


def _memory(tensor: torch.Tensor) -> int:
    return tensor.untyped_storage()._cdata


def _acts(target: Any) -> bool:
    """Writes into an argument, or is called for what it does, like an assertion, having no result."""
    if not isinstance(target, torch._ops.OpOverload) or target is torch.ops.aten._assert_tensor_metadata.default:
        return False
    return target._schema.is_mutable or not target._schema.returns


def _tensors(value: Any) -> list[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (list, tuple)):
        return [tensor for part in value for tensor in _tensors(part)]
    return []
