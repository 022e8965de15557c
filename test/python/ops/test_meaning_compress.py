"""torch.ops.sparse_attn.compress against pooling written out window by window."""

import pytest
import torch
from meaning_cases import FLOATS, NONE, close, draw, operator

compress = operator("compress")
pytestmark = pytest.mark.usefixtures("implementation")


def window_by_window(kv, gate, bias, ratio, overlap):
    kv, gate = kv.float(), gate.float()
    windows, half = kv.shape[1] // ratio, kv.shape[2] // 2
    rows = []
    for window in range(windows):
        own = slice(window * ratio, (window + 1) * ratio)
        values, logits = kv[:, own], gate[:, own] + (0 if bias is None else bias.float())
        if overlap:
            values, logits = values[..., half:], logits[..., half:]
            if window:
                before = slice((window - 1) * ratio, window * ratio)
                added = gate[:, before] + (0 if bias is None else bias.float())
                values = torch.cat([kv[:, before, :half], values], 1)
                logits = torch.cat([added[..., :half], logits], 1)
        rows.append((values * logits.softmax(1)).sum(1))
    return torch.stack(rows, 1)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("overlap", [False, True])
@pytest.mark.parametrize("rows", [3, 4, 5, 8, 23])
@pytest.mark.parametrize("biased", [False, True])
def test_complete_windows_are_pooled(dtype, overlap, rows, biased):
    """Prompts around a multiple of the ratio: what is left of an incomplete window stays out."""
    kv, gate = draw(2, rows, 20, dtype=dtype), draw(2, rows, 20, dtype=dtype, seed=1) * 3
    bias = draw(4, 20, seed=2) if biased else None
    found = compress(kv, gate, bias, ratio=4, overlap=overlap)
    assert found.dtype == dtype and found.shape == (2, rows // 4, 10 if overlap else 20)
    if rows >= 4:
        close(found, window_by_window(kv, gate, bias, 4, overlap))


def test_a_padding_gate_of_minus_infinity_keeps_a_row_out():
    kv, gate = draw(1, 8, 6), draw(1, 8, 6, seed=1)
    gate[:, 2] = NONE
    found = compress(kv, gate, ratio=4)
    kv[:, 2] = 1e6
    assert torch.equal(compress(kv, gate, ratio=4), found)


def test_the_first_window_has_no_window_before_it():
    kv, gate = draw(1, 8, 6), torch.zeros(1, 8, 6)
    found = compress(kv, gate, ratio=4, overlap=True)
    close(found[:, 0], kv[:, :4, 3:].mean(1))
    close(found[:, 1], torch.cat([kv[:, :4, :3], kv[:, 4:, 3:]], 1).mean(1))


def test_large_gates_do_not_overflow():
    assert compress(draw(1, 4, 6), torch.full((1, 4, 6), 3e4), ratio=4).isfinite().all()


def test_strided_inputs():
    kv, gate = draw(6, 12, 2).permute(2, 1, 0), draw(2, 12, 12, seed=1)[..., ::2]
    close(compress(kv, gate, ratio=5), compress(kv.contiguous(), gate.contiguous(), ratio=5))


@pytest.mark.parametrize("shape", [(0, 8, 6), (2, 0, 6), (2, 8, 0)])
def test_empty_tensors(shape):
    assert compress(torch.zeros(shape), torch.zeros(shape), ratio=4).shape == (shape[0], shape[1] // 4, shape[2])


@pytest.mark.parametrize(
    ("gate", "bias", "call", "text"),
    [
        ((2, 8, 5), None, {"ratio": 0}, r"\[c1\].*ratio"),
        ((2, 5), None, {"ratio": 4}, r"\[c2\].*gate"),
        ((2, 8, 6), None, {"ratio": 4}, r"\[c3\].*gate"),
        ((2, 8, 5), (3, 5), {"ratio": 4}, r"\[c5\].*3 rows"),
        ((2, 8, 5), None, {"ratio": 4, "overlap": True}, r"\[c6\].*even"),
    ],
)
def test_refusals_name_the_constraint(gate, bias, call, text):
    with pytest.raises(ValueError, match=text):
        compress(torch.zeros(2, 8, 5), torch.zeros(gate), None if bias is None else torch.zeros(bias), **call)
