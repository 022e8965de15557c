"""Rules of the border between torch's tensors and builtin ones: nothing moves."""

from __future__ import annotations

from .term import Elem, Term, rule


@rule("torch_c.to_builtin_tensor", "torch_c.from_builtin_tensor", "torch.tensor_static_info_cast")
def crossing(elem: Elem) -> Term:
    return Elem(elem.value.operands[0], elem.idx)
