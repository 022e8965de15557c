"""Windows of key rows pooled into one compressed row each, weighted by a softmax over the window."""

import torch


def infer(kv, gate, bias=None, *, ratio, overlap=False):
    """An uninitialised result: [B, S // ratio, D] in the dtype of kv."""
    batch, rows, width = kv.shape
    return kv.new_empty((batch, rows // ratio, width // 2 if overlap else width))


def reference(
    kv: torch.Tensor, gate: torch.Tensor, bias: torch.Tensor | None = None, *, ratio: int, overlap: bool = False
) -> torch.Tensor:
    """Weighted sum of each complete window of `ratio` rows of kv [B, S, D]; per channel, softmax(gate + bias) over the
    window are the weights. fp32 inside, the result [B, S // ratio, D] has kv's dtype.

    With `overlap` the rows are 2D wide: the first D channels are the series a row gives to the window after its own,
    the last D the series it gives to its own, and the softmax runs over the 2 * ratio positions of both. The first
    window has no window before it. bias [ratio, D or 2D] depends on the position in the window.
    """
    batch, rows, width = kv.shape
    windows = rows // ratio
    shape = (batch, windows, ratio, width)
    values = kv[:, : windows * ratio].float().reshape(shape)
    logits = gate[:, : windows * ratio].float().reshape(shape)
    if bias is not None:
        logits = logits + bias.float()
    if overlap:
        values, logits = _pair(values, 0.0), _pair(logits, float("-inf"))
    return (values * logits.softmax(dim=2)).sum(dim=2).to(kv.dtype)


def _pair(windows: torch.Tensor, missing: float) -> torch.Tensor:
    """[B, W, r, 2D] -> [B, W, 2r, D]: the previous window's first half, then the window's own last half."""
    given, own = windows.chunk(2, dim=-1)
    before = torch.cat([torch.full_like(given[:, :1], missing), given[:, :-1]], dim=1)
    return torch.cat([before, own], dim=2)
