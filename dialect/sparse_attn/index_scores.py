"""`sparse_attn.index_scores`: how relevant every key is to every query."""

import numpy as np
from torch_mlir.dialects.ext import Operand, Pure, Result

from ..call import Call
from ..constraints import constraint
from ..fields import attr, operand, result
from ..op import Op, Tensor
from ..tensors import F32, FLOATS
from .dialect import SparseAttn


class IndexScoresOp(Op, dialect=SparseAttn, name="index_scores", traits=[Pure]):
    """The lightning indexer's score of every key for every query, summed over the indexer's heads.

    `scores[b,s,t] = key_scale[b,t] * sum_h weights[b,s,h] * query_scale[b,s,h] * act(scale * <query[b,s,h], key[b,t]>)`

    Products and sums are fp32. `reduce = "sum"` leaves the weights out, `reduce = "none"` keeps the heads apart and
    answers `[B, S, H, T]`.

    ```mlir
    func.func @score(%query: tensor<1x4x64x128xbf16>, %key: tensor<1x?x128xbf16>,
                     %weights: tensor<1x4x64xf32>) -> tensor<1x4x?xf32> {
      %scores = "sparse_attn.index_scores"(%query, %key, %weights)
          {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, scale = 0.08838834764831845 : f64}
          : (tensor<1x4x64x128xbf16>, tensor<1x?x128xbf16>, tensor<1x4x64xf32>) -> tensor<1x4x?xf32>
      return %scores : tensor<1x4x?xf32>
    }
    ```
    """

    query: Operand[Tensor] = operand("B S H d", FLOATS, "indexer queries")
    key: Operand[Tensor] = operand("B T d", FLOATS, "indexer keys, one head shared by all queries")
    weights: Operand[Tensor] | None = operand("B S H", FLOATS, "weight of each head")
    query_scale: Operand[Tensor] | None = operand("B S H", FLOATS, "factor of each query head", keyword=True)
    key_scale: Operand[Tensor] | None = operand("B T", FLOATS, "factor of each key", keyword=True)
    scale: float = attr("factor of the dot products, before the activation", 1.0)
    activation: str = attr("applied to the scaled dot products", "relu", choices=("relu", "none"))
    reduce: str = attr("how heads are joined", "weighted", choices=("weighted", "sum", "none"))
    scores: Result[Tensor] = result("B S T", F32, '`[B, S, H, T]` for `reduce = "none"`')

    @staticmethod
    def layouts(call: Call) -> dict[str, str]:
        return {"scores": "B S H T"} if call.reduce == "none" else {}

    @constraint
    def c5(call: Call) -> str | None:
        """`weights` is given exactly when `reduce = "weighted"`."""
        if call.reduce == "weighted" and call.weights is None:
            return 'reduce = "weighted" needs the operand `weights`; use reduce = "sum" to add the heads as they are'
        if call.reduce != "weighted" and call.weights is not None:
            return f'reduce = "{call.reduce}" takes no `weights`; use reduce = "weighted"'
        return None

    @staticmethod
    def reference(
        query, key, weights=None, *, query_scale=None, key_scale=None, scale=1.0, activation="relu", reduce="weighted"
    ):
        """The meaning on numpy arrays; fp32 scores."""
        scores = scale * np.einsum("bshd,btd->bsht", query, key, dtype=np.float32)
        if activation == "relu":
            scores = np.maximum(scores, 0)
        if query_scale is not None:
            scores = scores * query_scale[..., None]
        if weights is not None:
            scores = scores * weights[..., None]
        if reduce != "none":
            scores = scores.sum(axis=2)
        if key_scale is not None:
            scores = scores * (key_scale[:, None] if reduce != "none" else key_scale[:, None, None])
        return scores.astype(np.float32)
