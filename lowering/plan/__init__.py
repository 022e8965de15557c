"""Between choosing kernels and running them: plans and lengths made once, calls of the host library."""

from __future__ import annotations

from typing import Any

from torch_mlir import ir, passmanager

from ..passes import register_pass


@register_pass("sparse-attn-plan", "plans and lengths that kernels share are made once, where they are needed first")
def run(module: ir.Module, options: dict[str, Any]) -> None:
    """Kernel and plan ops are pure, and so are the torch ops that compute lengths: equal ones become one."""
    with module.context:
        passmanager.PassManager.parse("builtin.module(cse)").run(module.operation)
