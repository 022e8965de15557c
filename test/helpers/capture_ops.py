"""Operators with what capture looks for in a schema: lengths as a list, a number read, a plan."""

import torch

LIB = torch.library.Library("capture_test", "DEF")
LIB.define("attend(Tensor x, int[] actual_seq_lengths, int[]? block_shape=None) -> Tensor")
LIB.define("read(Tensor x) -> float")
LIB.define("plan_metadata(Tensor lengths) -> Tensor")
for name in ("attend", "plan_metadata"):
    LIB.impl(name, lambda x, *rest: x.clone(), "CompositeExplicitAutograd")
    torch.library.register_fake(f"capture_test::{name}", lambda x, *rest: torch.empty_like(x), lib=LIB)
ops = torch.ops.capture_test
