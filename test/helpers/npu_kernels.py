"""Kernel operators on NPU tensors beside the same call on CPU tensors."""

from typing import Any

import torch
from kernel_inputs import call, for_variant

from sparse_attn.aclnn import source
from sparse_attn.dialect.npu import SPECS
from sparse_attn.ops import kernel

STATUS = kernel.status()
CALLABLE = source.callable_specs(SPECS.values())


def forms(chip: str, without: str = "") -> list[str]:
    """Qualified names of what a chip has and the caller or the vendor can call (leaving out what `without` has too)."""
    return [
        qualified
        for qualified, status in STATUS.items()
        if chip in status.spec.chips and without not in status.spec.chips and not status.refusal
        if status.origin == "vendor" or (status.spec in CALLABLE and made_of_tensors(status))
    ]


def made_of_tensors(status: kernel.Status) -> bool:
    """Whether the example holds a tensor: a plan from numbers alone is made on the CPU."""
    return any(isinstance(value, torch.Tensor) for value in made(status, {}).values())


def moved(value: Any, device: str) -> Any:
    return value.clone().to(device) if isinstance(value, torch.Tensor) else value


def on(device: str, qualified: str, **changes: Any) -> tuple[list[torch.Tensor], dict[str, Any]]:
    """Results of an operator's example on a device, and its arguments after the call (some are written)."""
    status = STATUS[qualified]
    arguments = {name: moved(value, device) for name, value in made(status, changes).items()}
    if isinstance(arguments.get("device"), str):
        arguments["device"] = device
    results = call(qualified, arguments)
    results = results if isinstance(results, tuple) else () if results is None else (results,)
    return list(results), arguments


def made(status: kernel.Status, changes: dict[str, Any]) -> dict[str, Any]:
    return for_variant(status.spec, status.variant, **changes)


def difference(qualified: str, **changes: Any) -> str:
    """What differs between an NPU's results and written arguments and the CPU's, bit by bit; "" for nothing."""
    here, given_here = on("cpu", qualified, **changes)
    there, given_there = on("npu:0", qualified, **changes)
    for number, (ours, theirs) in enumerate(zip(here, there, strict=True)):
        if theirs.device.type != "npu" or not same(ours, theirs):
            return f"result {number}: {theirs.device} {theirs.shape} {theirs.dtype}"
    written = [name for name in STATUS[qualified].spec.schema.mutated if name in given_here]
    return ", ".join(name for name in written if not same(given_here[name], given_there[name]))


def same(ours: torch.Tensor, theirs: torch.Tensor) -> bool:
    theirs = theirs.cpu()
    if (ours.shape, ours.dtype) != (theirs.shape, theirs.dtype):
        return False
    return ours.numel() == 0 or torch.equal(*(t.contiguous().view(torch.uint8) for t in (ours, theirs)))
