"""`sparse_attn.selection`: a list of picked keys as a mask."""

import numpy as np
from torch_mlir.dialects.ext import Operand, Pure, Result

from ..call import Call
from ..fields import attr, operand, result
from ..op import Op, Tensor
from ..tensors import BOOL, INDICES, Dims
from .dialect import SparseAttn


class SelectionOp(Op, dialect=SparseAttn, name="selection", traits=[Pure]):
    """True where a key is in its row's list; entries below 0 or not below `extent` name no key.

    ```mlir
    func.func @mask(%indices: tensor<1x4x512xi32>) -> tensor<1x4x4096xi1> {
      %selected = "sparse_attn.selection"(%indices) {extent = 4096 : i64}
          : (tensor<1x4x512xi32>) -> tensor<1x4x4096xi1>
      return %selected : tensor<1x4x4096xi1>
    }
    ```
    """

    indices: Operand[Tensor] = operand("B S K", INDICES, "picked keys")
    extent: int = attr("how many keys there are", least=0)
    form: str = attr("how the selection is written", "mask", choices=("mask",))
    selected: Result[Tensor] = result("B S E", BOOL, "`E = extent`")

    @staticmethod
    def derived(call: Call) -> Dims:
        return {"E": call.extent}

    @staticmethod
    def reference(indices, *, extent, form="mask"):
        """The meaning on numpy arrays."""
        return (indices[..., None] == np.arange(extent)).any(axis=2)
