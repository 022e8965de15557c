"""`sparse_attn.topk`: the best keys of every row, among those the row may see."""

import numpy as np
from torch_mlir.dialects.ext import Operand, Pure, Result

from ..call import Call
from ..constraints import constraint
from ..fields import attr, operand, result
from ..op import Op, Tensor
from ..tensors import F32, FLOATS, I32, Dims, ceil_div, smaller
from .dialect import SparseAttn
from .visibility import MASK, apply_mask, mask_problem, ratio_problem, visible_counts, visible_problem


class TopkOp(Op, dialect=SparseAttn, name="topk", traits=[Pure]):
    """The `k` highest scores of each row among visible keys, best first; -1 where a row has no more visible keys.

    `K = min(k, T)`. A pick whose masked score is -inf becomes index -1 with value -inf. Ties are broken as `torch.topk`
    breaks them on CPU. With `block = n > 1` the masked scores are first max-pooled over blocks of n keys, indices name
    blocks, `K = min(k, ceil(T / n))`, and the last `local_blocks` blocks a row sees count as +inf.

    `mask_mode`: `causal` shows key j to row s when `j < visible[b, s]`, or without the operand when `j <= T - S + s`;
    `prefix` likewise with the operand required. `mask` (bool: may attend; float: added) applies on top.

    ```mlir
    func.func @pick(%scores: tensor<1x4x4096xf32>, %visible: tensor<1x4xi32>) -> tensor<1x4x512xi32> {
      %indices, %values = "sparse_attn.topk"(%scores, %visible)
          {operandSegmentSizes = array<i32: 1, 1, 0>, k = 512 : i64, mask_mode = "prefix", ratio = 4 : i64}
          : (tensor<1x4x4096xf32>, tensor<1x4xi32>) -> (tensor<1x4x512xi32>, tensor<1x4x512xf32>)
      return %indices : tensor<1x4x512xi32>
    }
    ```
    """

    scores: Operand[Tensor] = operand("B S T", FLOATS, "score of every key for every query")
    visible: Operand[Tensor] | None = operand("B|1 S", I32, "how many keys a row sees; clamped to 0..T", keyword=True)
    mask: Operand[Tensor] | None = operand("...", MASK, "broadcasts to the scores", keyword=True)
    k: int = attr("how many to pick", least=1)
    mask_mode: str = attr("which keys a row sees", "none", choices=("none", "causal", "prefix"))
    ratio: int = attr("tokens a key stands for: `visible` is floor((position + 1) / ratio)", 1, least=1)
    block: int = attr("keys pooled into one candidate", 1, least=1)
    local_blocks: int = attr("how many of the last visible blocks are always picked", 0, least=0)
    sorted: bool = attr("best first; otherwise in no particular order", True)
    indices: Result[Tensor] = result("B S K", I32, "picked keys or blocks, -1 for none")
    values: Result[Tensor] = result("B S K", F32, "their masked scores, -inf for none")

    @staticmethod
    def derived(call: Call) -> Dims:
        return {"K": smaller(call.k, ceil_div(call.size("T"), call.block))}

    @constraint
    def c5(call: Call) -> str | None:
        """`visible` is required by `mask_mode = "prefix"` and absent for `"none"`."""
        return visible_problem(call)

    @constraint
    def c6(call: Call) -> str | None:
        """`ratio` other than 1 only with `mask_mode = "prefix"`."""
        return ratio_problem(call)

    @constraint
    def c7(call: Call) -> str | None:
        """`mask` broadcasts to the scores."""
        return mask_problem(call, call.scores.shape)

    @constraint
    def c8(call: Call) -> str | None:
        """`local_blocks` is at most `k`: all of them can be picked."""
        if call.local_blocks > call.k:
            return f"local_blocks = {call.local_blocks} exceeds k = {call.k}"
        return None

    @staticmethod
    def reference(
        scores, *, visible=None, mask=None, k, mask_mode="none", ratio=1, block=1, local_blocks=0, sorted=True
    ):
        """The meaning on numpy arrays; `torch.topk` itself says how ties are broken."""
        import torch

        rows, keys = scores.shape[1:]
        scores = scores.astype(np.float32)
        counts = np.full((1, rows), keys) if mask_mode == "none" else visible_counts(visible, rows, keys)
        counts = counts.clip(0, keys)[..., None]
        scores = apply_mask(np.where(np.arange(keys) < counts, scores, -np.inf), mask)
        scores = np.pad(scores, ((0, 0), (0, 0), (0, -keys % block)), constant_values=-np.inf)
        scores = scores.reshape(*scores.shape[:2], -(-keys // block), block).max(axis=-1)
        seen, blocks = -(-counts // block), np.arange(scores.shape[-1])
        scores = np.where((blocks < seen) & (blocks >= seen - local_blocks), np.inf, scores)
        scores = np.ascontiguousarray(scores, dtype=np.float32)
        picked = torch.topk(torch.from_numpy(scores), min(k, scores.shape[-1]), sorted=sorted)
        values, indices = picked.values.numpy(), picked.indices.numpy()
        return np.where(values == -np.inf, -1, indices).astype(np.int32), values
