"""`sparse_attn.compress`: several tokens become one compressed row."""

import numpy as np
from torch_mlir.dialects.ext import Operand, Pure, Result

from ..call import Call
from ..constraints import constraint
from ..fields import attr, operand, result
from ..op import Op, Tensor
from ..tensors import FLOATS, Dims
from .dialect import SparseAttn


class CompressOp(Op, dialect=SparseAttn, name="compress", traits=[Pure]):
    """Each complete window of `ratio` tokens becomes its softmax-gated mean, channel by channel, in fp32.

    `out[b,w] = sum_p softmax_p(gate[b,p] + bias[p mod ratio]) * kv[b,p]` over the positions p of window w. Tokens
    after the last complete window are left out: `R = floor(S / ratio)`.

    With `overlap` a row holds two series (`E = 2 * D`): the first D channels speak to the next window, the last D to
    their own, so a window gathers `2 * ratio` positions; the first window has no previous one.

    ```mlir
    func.func @pool(%kv: tensor<1x10x1024xbf16>, %gate: tensor<1x10x1024xbf16>,
                    %bias: tensor<4x1024xf32>) -> tensor<1x2x512xbf16> {
      %rows = "sparse_attn.compress"(%kv, %gate, %bias)
          {operandSegmentSizes = array<i32: 1, 1, 1>, overlap = true, ratio = 4 : i64}
          : (tensor<1x10x1024xbf16>, tensor<1x10x1024xbf16>, tensor<4x1024xf32>) -> tensor<1x2x512xbf16>
      return %rows : tensor<1x2x512xbf16>
    }
    ```
    """

    kv: Operand[Tensor] = operand("B S E", FLOATS, "rows to compress; `E = D`, or `2 * D` with `overlap`")
    gate: Operand[Tensor] = operand("B S E", FLOATS, "logit of every channel of every row")
    bias: Operand[Tensor] | None = operand("P E", FLOATS, "added to the gate by position in the window; `P = ratio`")
    ratio: int = attr("tokens in a window", least=1)
    overlap: bool = attr("windows also gather from the previous window", False)
    rows: Result[Tensor] = result("B R D", "kv", "compressed rows")

    @staticmethod
    def derived(call: Call) -> Dims:
        tokens, width = call.size("S"), call.size("E")
        rows = None if tokens is None else tokens // call.ratio
        return {"R": rows, "D": width // 2 if width is not None and call.overlap else width}

    @constraint
    def c5(call: Call) -> str | None:
        """`bias` has one row for each of the `ratio` positions."""
        rows = call.size("P")
        return f"`bias` has {rows} rows, expected ratio = {call.ratio}" if rows not in (None, call.ratio) else None

    @constraint
    def c6(call: Call) -> str | None:
        """`overlap` needs an even width."""
        width = call.size("E")
        return f"overlap needs an even width, `kv` has {width}" if call.overlap and width and width % 2 else None

    @staticmethod
    def reference(kv, gate, bias=None, *, ratio, overlap=False):
        """The meaning on numpy arrays."""
        batch, tokens, width = kv.shape
        windows = tokens // ratio
        shape = (batch, windows, ratio, width)
        values = kv[:, : windows * ratio].reshape(shape).astype(np.float32)
        logits = gate[:, : windows * ratio].reshape(shape).astype(np.float32)
        if bias is not None:
            logits = logits + bias
        if overlap:
            values, logits = _with_previous(values, 0.0), _with_previous(logits, -np.inf)
        weights = np.exp(logits - logits.max(axis=2, keepdims=True))
        return ((weights * values).sum(axis=2) / weights.sum(axis=2)).astype(kv.dtype)


def _with_previous(rows: np.ndarray, fill: float) -> np.ndarray:
    """[B, W, ratio, 2D] to [B, W, 2 * ratio, D]: the previous window's first series, then this window's second."""
    first, second = np.split(rows, 2, axis=-1)
    previous = np.concatenate([np.full_like(first[:, :1], fill), first[:, :-1]], axis=1)[:, : rows.shape[1]]
    return np.concatenate([previous, second], axis=2)
