"""Registers the kernel-level operators under their published namespaces, names and schemas.

Where the package that publishes a namespace is installed it is imported first, and only what it lacks is added: an
implementation for CPU tensors and, where nobody has one, for NPU tensors (`aclnn`), and for operators its version does
not have, their definition. An operator whose schema is not one of those the spec lists is left alone, with the reason
in `status()`: calling it by our table would pass arguments to the wrong places.
"""

import functools
from dataclasses import dataclass

import torch

from ..aclnn import caller
from ..dialect.npu import SPECS
from ..dialect.npu.spec import Spec, Variant
from . import kernel_autograd, kernel_call, kernel_providers, kernel_schema
from .kernel_call import target

__all__ = ["Status", "register", "status", "target"]

NPU = "PrivateUse1"
"""The dispatch key under which torch_npu's tensors come."""

_LIBRARIES: dict[str, torch.library.Library] = {}


@dataclass(frozen=True)
class Status:
    """How one published operator stands.

    origin: `ours` when we defined it, `vendor` when its package did. refusal: why it is not used, None when it is.
    """

    spec: Spec
    variant: Variant
    origin: str
    refusal: str | None = None


_STATUS: dict[str, Status] = {}


def status() -> dict[str, Status]:
    """Every published operator by its qualified name, such as `custom::npu_sparse_attn_sharedkv`."""
    register()
    return dict(_STATUS)


@functools.lru_cache(maxsize=1)
def register() -> None:
    """Define or complete every operator, once a process."""
    for namespace in dict.fromkeys(variant.namespace for spec in SPECS.values() for variant in spec.published):
        kernel_providers.load(namespace)
    for spec in SPECS.values():
        for qualified in dict.fromkeys(variant.qualified for variant in spec.published):
            _STATUS[qualified] = _register_one(spec, qualified)


def _register_one(spec: Spec, qualified: str) -> Status:
    variants = [variant for variant in spec.published if variant.qualified == qualified]
    found = kernel_schema.registered(qualified)
    if found is None:
        _define(spec, variants[0])
        return Status(spec, variants[0], "ours")
    differences = [kernel_schema.difference(variant.schema, found) for variant in variants]
    for variant, problem in zip(variants, differences, strict=True):
        if problem is None:
            _complete(spec, variant)
            return Status(spec, variant, "vendor")
    return Status(spec, variants[0], "vendor", f"{qualified} is registered with another schema: {differences[0]}")


def _define(spec: Spec, variant: Variant) -> None:
    library, name = _library(variant.namespace), variant.schema.name
    library.define(variant.schema.text, tags=(torch.Tag.pt2_compliant_tag,))
    library.impl(name, functools.partial(kernel_call.on_cpu, spec, variant), "CPU")
    library.impl(name, functools.partial(caller.on_npu, spec, variant), NPU)
    library.impl(name, kernel_autograd.refusing(variant.qualified), "Autograd", with_keyset=True)
    if not any(param.is_tensor and not param.optional for param in spec.schema.params):
        # A call without any tensor has no device to choose an implementation by.
        library.impl(name, functools.partial(kernel_call.without_device, spec, variant), "CompositeExplicitAutograd")
    torch.library.register_fake(variant.qualified, functools.partial(kernel_call.fake, spec, variant), lib=library)


def _complete(spec: Spec, variant: Variant) -> None:
    """Add what a vendor's operator lacks on this machine: nothing of theirs is replaced."""
    library, name = _library(variant.namespace), variant.schema.name
    if not kernel_schema.has_kernel(variant.qualified, "CPU"):
        library.impl(name, functools.partial(kernel_call.on_cpu, spec, variant), "CPU")
    if not kernel_schema.has_kernel(variant.qualified, NPU):
        library.impl(name, functools.partial(caller.on_npu, spec, variant), NPU)
    if not kernel_schema.has_kernel(variant.qualified, "Meta"):
        torch.library.register_fake(variant.qualified, functools.partial(kernel_call.fake, spec, variant), lib=library)


def _library(namespace: str) -> torch.library.Library:
    if namespace not in _LIBRARIES:
        _LIBRARIES[namespace] = torch.library.Library(namespace, "FRAGMENT")
    return _LIBRARIES[namespace]
