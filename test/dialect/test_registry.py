"""Loading dialects into contexts."""

import subprocess
import sys

import pytest
from torch_mlir import ir

from sparse_attn.dialect import registry

NAMES = ["torch", "torch_c", *(package.DIALECT.name for package in registry.DIALECTS)]


def loaded(context):
    return [name for name in NAMES if context.is_dialect_loaded(name)]


def test_a_new_context_has_every_dialect():
    assert loaded(registry.new_context()) == NAMES


def test_a_context_is_loaded_once():
    context = ir.Context()
    assert registry.load(context) is context
    first = registry.load(context)
    assert first is context and loaded(context) == NAMES


def test_contexts_do_not_share_operations():
    text = 'func.func @f(%i: tensor<1x1x2xi32>) { "sparse_attn.selection"(%i) {extent = 2 : i64}'
    text += " : (tensor<1x1x2xi32>) -> tensor<1x1x2xi1> return }"
    contexts = [registry.new_context() for _ in range(3)]
    for context in reversed(contexts):
        assert ir.Module.parse(text, context).operation.verify()
    with pytest.raises(ir.MLIRError, match=r"\[c4\]"):
        ir.Module.parse(text.replace("= 2", "= 3"), contexts[0])


def test_torch_operations_can_be_read():
    module = ir.Module.parse("func.func @f(%a: !torch.vtensor<[2],f32>) { return }", registry.new_context())
    with module.context:
        cast = "torch_c.to_builtin_tensor %a : !torch.vtensor<[2],f32> -> tensor<2xf32>"
        assert ir.Module.parse(f"func.func @f(%a: !torch.vtensor<[2],f32>) {{ %0 = {cast} return }}")


def test_many_threads_may_make_contexts():
    """In a process of its own: what this guards against is a crash."""
    code = """
import threading
from sparse_attn.dialect import registry
threads = [threading.Thread(target=lambda: [registry.new_context() for _ in range(5)]) for _ in range(8)]
for each in threads: each.start()
for each in threads: each.join()
print("alive")
"""
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (child.returncode, child.stdout) == (0, "alive\n"), child.stderr
