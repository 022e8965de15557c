"""Windows that reach ahead of their row: kernels align the last row with the last key, and hide what lies beyond it."""

import contracts
import pytest
import torch
from contracts import Case, attention, counts, draft, function, refusal
from quantised_ir import lowered
from run_ir import inputs

KERNEL = "cann_ops_transformer::sparse_flash_mla"


def window(tokens=1, keys=300, start=40, left=9, right=-1):
    """Rows at `start` and on see keys from `left` before them to `right` after them; -1 is an open side."""
    arguments = {
        "q": f"tensor<1x{tokens}x8x512xbf16>", "kv": f"tensor<1x{keys}x1x512xbf16>", "sinks": "tensor<8xf32>",
    }  # fmt: skip
    tensors = {"query": f"%q : {arguments['q']}", "ori_kv": f"%kv : {arguments['kv']}"}
    tensors |= {"sinks": f"%sinks : {arguments['sinks']}", "visible": f"%v : tensor<1x{tokens}xi32>"}
    said = {"scale": 0.044, "ori_mask": "band", "ori_left": left, "ori_right": right}
    body = counts("v", 1, tokens, start, 1) + "\n  " + attention(tensors, said, arguments["q"][7:-1])
    return function(arguments, body, "%a#0", arguments["q"])


def scalars(text):
    found = draft(contracts.decided(text, KERNEL, "ascend950"))
    return [found.scalars[name] for name in ("ori_mask_mode", "ori_win_left", "ori_win_right")], found.tensors


def test_a_single_row_stands_at_the_last_key():
    """At 40 of 300 with 9 back and all ahead: as at 299 with 268 back."""
    found, tensors = scalars(window())
    assert found == [4, 268, 0] and "seqused_ori_kv" not in tensors


def test_the_same_keys_are_seen():
    text = window()
    whole, made = lowered(text, "verify"), lowered(text, "select", target="ascend950")
    values = inputs(whole.module)
    assert made.values("npu.sparse_flash_mla")
    torch.testing.assert_close(made.results(values)[0], whole.results(values)[0], rtol=2**-7, atol=1e-3)


@pytest.mark.parametrize(("tokens", "right"), [(3, -1), (1, 5), (3, 5)])
def test_other_rows_that_reach_ahead_are_refused(tokens, right):
    case = Case(window(tokens=tokens, right=right))
    found = case.decide(case.ops("attention")[0], KERNEL, "ascend950")
    assert refusal(found) == "its window reaches ahead of a row, over keys that the kernel takes to be unused"


def test_a_window_that_ends_at_its_row_is_taken_as_it_is():
    found, tensors = scalars(window(right=0))
    assert found == [4, 9, 0] and "seqused_ori_kv" in tensors


def test_an_open_side_at_the_last_key_needs_nothing():
    found, tensors = scalars(window(start=299))
    assert found == [4, 9, -1] and "seqused_ori_kv" not in tensors
