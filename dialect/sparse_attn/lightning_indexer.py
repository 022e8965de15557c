"""`sparse_attn.lightning_indexer`: score every key and keep the best, in one operation."""

from torch_mlir.dialects.ext import Operand, Pure, Result

from ..call import Call
from ..constraints import constraint
from ..fields import attr, operand, result
from ..op import Op, Tensor
from ..tensors import F32, FLOATS, I32, Dims, smaller
from .dialect import SparseAttn
from .index_scores import IndexScoresOp
from .topk import TopkOp
from .visibility import MASK, mask_problem, ratio_problem, visible_problem


class LightningIndexerOp(Op, dialect=SparseAttn, name="lightning_indexer", traits=[Pure]):
    """`topk(index_scores(...))` without the scores ever being stored: the fused form that kernels implement.

    Every operand and attribute means what it means in `index_scores` and `topk`.

    ```mlir
    func.func @index(%query: tensor<1x1x64x128xbf16>, %key: tensor<1x4096x128xbf16>, %weights: tensor<1x1x64xbf16>,
                     %visible: tensor<1x1xi32>) -> tensor<1x1x512xi32> {
      %indices, %values = "sparse_attn.lightning_indexer"(%query, %key, %weights, %visible)
          {operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 0>, k = 512 : i64, mask_mode = "causal"}
          : (tensor<1x1x64x128xbf16>, tensor<1x4096x128xbf16>, tensor<1x1x64xbf16>, tensor<1x1xi32>)
          -> (tensor<1x1x512xi32>, tensor<1x1x512xf32>)
      return %indices : tensor<1x1x512xi32>
    }
    ```
    """

    query: Operand[Tensor] = operand("B S H d", FLOATS, "indexer queries")
    key: Operand[Tensor] = operand("B T d", FLOATS, "indexer keys, one head shared by all queries")
    weights: Operand[Tensor] | None = operand("B S H", FLOATS, "weight of each head")
    query_scale: Operand[Tensor] | None = operand("B S H", FLOATS, "factor of each query head", keyword=True)
    key_scale: Operand[Tensor] | None = operand("B T", FLOATS, "factor of each key", keyword=True)
    visible: Operand[Tensor] | None = operand("B|1 S", I32, "how many keys a row sees; clamped to 0..T", keyword=True)
    mask: Operand[Tensor] | None = operand("...", MASK, "broadcasts to `[B, S, T]`", keyword=True)
    k: int = attr("how many to pick", least=1)
    scale: float = attr("factor of the dot products, before the activation", 1.0)
    activation: str = attr("applied to the scaled dot products", "relu", choices=("relu", "none"))
    reduce: str = attr("how heads are joined", "weighted", choices=("weighted", "sum"))
    mask_mode: str = attr("which keys a row sees", "none", choices=("none", "causal", "prefix"))
    ratio: int = attr("tokens a key stands for: `visible` is floor((position + 1) / ratio)", 1, least=1)
    sorted: bool = attr("best first; otherwise in no particular order", True)
    indices: Result[Tensor] = result("B S K", I32, "picked keys, -1 for none")
    values: Result[Tensor] = result("B S K", F32, "their masked scores, -inf for none")

    @staticmethod
    def derived(call: Call) -> Dims:
        return {"K": smaller(call.k, call.size("T"))}

    @constraint
    def c5(call: Call) -> str | None:
        """`weights` is given exactly when `reduce = "weighted"`."""
        return IndexScoresOp.c5(call)

    @constraint
    def c6(call: Call) -> str | None:
        """`visible` is required by `mask_mode = "prefix"` and absent for `"none"`."""
        return visible_problem(call)

    @constraint
    def c7(call: Call) -> str | None:
        """`ratio` other than 1 only with `mask_mode = "prefix"`."""
        return ratio_problem(call)

    @constraint
    def c8(call: Call) -> str | None:
        """`mask` broadcasts to `[B, S, T]`."""
        return mask_problem(call, (call.size("B"), call.size("S"), call.size("T")))

    @staticmethod
    def reference(
        query, key, weights=None, *, query_scale=None, key_scale=None, visible=None, mask=None, k,
        scale=1.0, activation="relu", reduce="weighted", mask_mode="none", ratio=1, sorted=True,
    ):  # fmt: skip
        """The meaning on numpy arrays."""
        scores = IndexScoresOp.reference(
            query, key, weights, query_scale=query_scale, key_scale=key_scale,
            scale=scale, activation=activation, reduce=reduce,
        )  # fmt: skip
        return TopkOp.reference(
            scores, visible=visible, mask=mask, k=k, mask_mode=mask_mode, ratio=ratio, sorted=sorted
        )
