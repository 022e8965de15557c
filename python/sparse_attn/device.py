"""Which chip the inputs live on."""

from __future__ import annotations

from .errors import SparseAttnError

SOCS = {"Ascend950": "ascend950", "Ascend910_93": "a3", "Ascend910B": "a2"}


class UnsupportedProduct(SparseAttnError):
    """An Ascend product that no operator here runs on."""


def target_of_npu() -> str:
    """The target of the current NPU by its SoC name."""
    import torch

    return target_of_soc(torch.npu.get_device_name())


def target_of_soc(name: str) -> str:
    """`Ascend910B3` -> a2; raises UnsupportedProduct for a chip that has no kernels."""
    for prefix, target in SOCS.items():
        if name.startswith(prefix):
            return target
    raise UnsupportedProduct(
        f"unsupported product {name}: the sparse attention operators run on {', '.join(SOCS)}; "
        'pass options={"target": "host"} to use the host kernels'
    )
