"""The graph of an NPU: `torch.npu.NPUGraph` behind the same two calls as the host graph.

Nothing here imports torch_npu: tensors on an NPU prove that somebody has.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import torch
from torch.fx import GraphModule

WARM_UPS = 2  # the first runs of an operator allocate workspaces and fill caches, which a capture must not
FORBIDDEN = {
    "ASCEND_LAUNCH_BLOCKING": ("1", "every launch waits for the device, which a capture refuses (107027)"),
    "TASK_QUEUE_ENABLE": ("2", "launches are made by another thread, which a capture refuses"),
}
_pools: dict[int, Any] = {}


def obstacle() -> str | None:
    """Why this process cannot capture on an NPU, and what to do."""
    npu = getattr(torch, "npu", None)
    if npu is None or not hasattr(npu, "NPUGraph"):
        return "torch.npu.NPUGraph is not there: import torch_npu 2.13 before the first call"
    for name, (value, why) in FORBIDDEN.items():
        if os.environ.get(name) == value:
            return f"{name}={value} is set: {why}; unset it"
    if npu.is_current_stream_capturing():
        return "a capture is running already on this stream: capture the outer function only"
    return None


class NpuGraph:
    """`module` captured over `inputs`, which stay the graph's own. A capture does no work: replay follows it.

    `mutated` are the inputs that the module writes: warming up leaves them as they were.
    """

    def __init__(self, module: GraphModule, inputs: Sequence[Any], mutated: Sequence[torch.Tensor]) -> None:
        npu: Any = torch.npu
        saved = [tensor.clone() for tensor in mutated]
        for _ in range(WARM_UPS):
            module(*inputs)
        for tensor, old in zip(mutated, saved, strict=True):
            tensor.copy_(old)
        npu.synchronize()
        device = npu.current_device()
        if device not in _pools:
            _pools[device] = npu.graph_pool_handle()
        self._graph = npu.NPUGraph()
        with npu.graph(self._graph, pool=_pools[device]):
            result = module(*inputs)
        self.outputs = tuple(result) if isinstance(result, (tuple, list)) else (result,)
        self._kept = (module, tuple(inputs))
        self.replay()

    def replay(self) -> None:
        """Launch the graph on the current stream."""
        self._graph.replay()

    def __del__(self) -> None:
        graph = getattr(self, "_graph", None)
        if graph is not None:
            graph.reset()
