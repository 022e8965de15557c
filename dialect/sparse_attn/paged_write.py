"""`sparse_attn.paged_write`: rows into the slots of a paged cache."""

import numpy as np
from torch_mlir.dialects.ext import Operand, Pure, Result

from ..call import Call
from ..constraints import constraint
from ..fields import operand, result
from ..op import Op, Tensor
from ..tensors import INDICES
from .dialect import SparseAttn


class PagedWriteOp(Op, dialect=SparseAttn, name="paged_write", traits=[Pure]):
    """The cache with row i at slot `slots[i]`, that is block `slot / block_size`, place `slot mod block_size`.

    Slot -1 skips its row; any other slot outside the cache is an error at run time. Of two rows with the same slot the
    later one stays. The result is a new value: a later step writes in place where nobody needs the old one.

    ```mlir
    func.func @write(%cache: tensor<?x128x1x512xbf16>, %rows: tensor<4x1x512xbf16>,
                     %slots: tensor<4xi32>) -> tensor<?x128x1x512xbf16> {
      %written = "sparse_attn.paged_write"(%cache, %rows, %slots)
          : (tensor<?x128x1x512xbf16>, tensor<4x1x512xbf16>, tensor<4xi32>) -> tensor<?x128x1x512xbf16>
      return %written : tensor<?x128x1x512xbf16>
    }
    ```
    """

    cache: Operand[Tensor] = operand("blocks block_size row...", (), "the pages")
    rows: Operand[Tensor] = operand("n row...", (), "what to write, one row a slot")
    slots: Operand[Tensor] = operand("n", INDICES, "where to write; -1 skips")
    written: Result[Tensor] = result("blocks block_size row...", "cache", "the pages after the write")

    @constraint
    def c5(call: Call) -> str | None:
        """`rows` has the element type of `cache`."""
        if call.rows.dtype != call.cache.dtype:
            return f"`rows` has element type {call.rows.dtype}, `cache` has {call.cache.dtype}"
        return None

    @staticmethod
    def reference(cache, rows, slots):
        """The meaning on numpy arrays; ValueError for a slot outside the cache."""
        flat = cache.reshape(-1, *cache.shape[2:]).copy()
        for row, slot in zip(rows, slots, strict=True):
            if not -1 <= slot < len(flat):
                raise ValueError(f"slot {slot} is outside the cache of {len(flat)} rows")
            if slot >= 0:
                flat[slot] = row
        return np.asarray(flat).reshape(cache.shape)
