"""What the kernels over quantised tensors ask: a graph that is quantised already. They never quantise by themselves."""

from __future__ import annotations

from .contract import Draft, Use, refuse

PLAIN = ("f32", "f64", "bf16", "f16")
NOT_QUANTISED = "the graph is not quantised: pass options={'quantize': ...}"


def quantised(use: Use) -> str | None:
    keys = [use.given[name] for name in ("key", "ori_kv", "cmp_kv") if use.given.get(name) is not None]
    return NOT_QUANTISED if any(key is not None and key.dtype in PLAIN for key in keys) else None


def make(use: Use) -> Draft:
    """No op of ours carries quantised tensors yet, so there is no call to lay out."""
    refuse(f"{use.value.op} has no form over quantised keys")
