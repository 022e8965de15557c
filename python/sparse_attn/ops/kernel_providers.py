"""The packages that publish kernel operators, by namespace, and importing them before anything of theirs is defined.

A package that defines an operator after we did would fail at its own import, so an installed one always goes first.
"""

import functools
import importlib
import importlib.util

PROVIDERS = {
    "cann_ops_transformer": "cann_ops_transformer",
    "custom": "custom_ops",
    "_C_ascend": "vllm_ascend.vllm_ascend_C",
    "npu": "torch_npu",
}
"""Namespace -> module that registers it. The pypto operator comes with no package: its model code defines it."""


@functools.cache
def load(namespace: str) -> str | None:
    """Import the module that registers a namespace, if it is installed; the answer is why that failed, or None.

    A package that is there and does not import (a torch_npu without its driver, say) counts as absent.
    """
    module = PROVIDERS.get(namespace)
    if module is None:
        return f"no package publishes the namespace {namespace}"
    if importlib.util.find_spec(module.partition(".")[0]) is None:
        return f"{module} is not installed"
    try:
        importlib.import_module(module)
    except Exception as error:  # whatever a foreign package raises while it looks for its device
        return f"{module} does not import: {error}"
    return None
