"""Rules about which keys a row may see, shared by the operations that mask."""

import numpy as np

from ..call import Call
from ..tensors import BOOL, FLOATS, Size, broadcasts, show

MASK = BOOL + FLOATS


def visible_problem(call: Call) -> str | None:
    """`visible` is required by mask_mode "prefix", optional for "causal", and without meaning for "none"."""
    if call.mask_mode == "prefix" and call.visible is None:
        return 'mask_mode = "prefix" needs the operand `visible`'
    if call.mask_mode == "none" and call.visible is not None:
        return 'mask_mode = "none" takes no `visible`; use mask_mode = "prefix"'
    return None


def ratio_problem(call: Call) -> str | None:
    """`ratio` describes compressed keys, which only mask_mode "prefix" has."""
    if call.ratio != 1 and call.mask_mode != "prefix":
        return f'ratio = {call.ratio} needs mask_mode = "prefix", got "{call.mask_mode}"'
    return None


def mask_problem(call: Call, target: tuple[Size, ...]) -> str | None:
    """A mask broadcasts to the scores it applies to."""
    if call.mask is not None and not broadcasts(call.mask.shape, target):
        return f"`mask` is {show(call.mask.shape)}, which does not broadcast to {show(target)}"
    return None


def visible_counts(visible: np.ndarray | None, queries: int, keys: int) -> np.ndarray:
    """How many keys each row may see, [B or 1, S], not yet clamped: the operand, or `T - S + s + 1`."""
    if visible is not None:
        return visible.astype(np.int64)
    return (keys - queries + 1 + np.arange(queries))[None]


def apply_mask(scores: np.ndarray, mask: np.ndarray | None) -> np.ndarray:
    """A bool mask keeps where true and puts -inf elsewhere; any other mask is added."""
    if mask is None:
        return scores
    return np.where(mask, scores, -np.inf) if mask.dtype == bool else scores + mask
