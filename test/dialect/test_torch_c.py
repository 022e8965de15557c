"""Reading a torch_c operation looks for Python classes once, not at every operation."""

import importlib.abc
import sys

from torch_mlir import ir

from sparse_attn.dialect.registry import new_context

TEXT = """
func.func @f(%a: !torch.vtensor<[2],f32>) -> tensor<2xf32> {
  %0 = torch_c.to_builtin_tensor %a : !torch.vtensor<[2],f32> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""


class Lookups(importlib.abc.MetaPathFinder):
    """Counts what is looked for and finds nothing."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def find_spec(self, name, path=None, target=None):
        self.names.append(name)


def names_of_operations(times: int) -> list[str]:
    with new_context():
        module = ir.Module.parse(TEXT)
        block = module.body.operations[0].regions[0].blocks[0]
        return [view.operation.name for _ in range(times) for view in block.operations]


def test_a_second_reading_looks_for_nothing(monkeypatch):
    names_of_operations(1)
    lookups = Lookups()
    monkeypatch.setattr(sys, "meta_path", [lookups, *sys.meta_path])
    assert names_of_operations(3).count("torch_c.to_builtin_tensor") == 3
    assert [name for name in lookups.names if name.endswith("torch_c")] == []
    assert "sparse_attn.dialect.torch_c" in sys.modules
