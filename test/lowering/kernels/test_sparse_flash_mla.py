"""sparse_flash_mla: which attentions it takes in which mode, and the sentence for each that it does not take."""

import contracts
import pytest
from contracts import Case, draft, refusal, v4

from sparse_attn.lowering.analysis import ints

KERNEL = "cann_ops_transformer::sparse_flash_mla"


def decided(text, target="ascend950", **options):
    return contracts.decided(text, KERNEL, target, **options)


def scalars(found, *names):
    return tuple(draft(found).scalars.get(name) for name in names)


def test_a_window_needs_no_lengths():
    found = draft(decided(v4("SWA", keys=300)))
    assert set(found.tensors) == {"q", "ori_kv", "sinks"}
    assert [found.scalars[n] for n in ("ori_mask_mode", "ori_win_left", "ori_win_right", "cmp_ratio")] == [4, 127, 0, 1]


def test_a_window_wider_than_its_keys_is_the_usual_one():
    """Every chip knows the window of 128; over 20 keys one of 20 is the same."""
    assert scalars(decided(v4("SWA", keys=20, left=19), "a3"), "ori_mask_mode", "ori_win_left") == (4, 127)
    assert "ori_win_left/right are 9/0, not 127/0" in refusal(decided(v4("SWA", keys=20, left=9), "a3"))
    assert scalars(decided(v4("SWA", keys=20, left=9)), "ori_mask_mode", "ori_win_left") == (4, 9)


def test_a_prefix_counts_by_ratio_and_residual():
    found = decided(v4("HCA", keys=300, ratio=128))
    assert scalars(found, "cmp_mask_mode", "cmp_ratio") == (3, 128)
    assert "cmp_residual_kv" in draft(found).tensors and "seqused_cmp_kv" not in draft(found).tensors


def test_the_rule_of_the_kernel_needs_the_uncompressed_length():
    """Compressed keys of 4 * 64 tokens beside a window of 128: the documents' two readings differ."""
    found = decided(v4("CSA", keys=128, compressed=64, start=255, tokens=1))
    assert scalars(found, "cmp_mask_mode") == (0,)
    assert "cmp_topk_length" in draft(found).tensors and "cmp_residual_kv" not in draft(found).tensors


def test_a_prefix_of_rows_that_do_not_follow_each_other_becomes_a_list():
    found = decided(v4("HCA", runtime=True, tokens=3))
    assert {"cmp_sparse_indices", "cmp_topk_length"} <= set(draft(found).tensors)
    (note,) = draft(found).notes
    assert "as a list with a length for each row" in note
    assert draft(decided(v4("HCA", runtime=True, tokens=3), "a3")).tensors["cmp_sparse_indices"].dims[3] == ints.of(512)


def test_a_list_is_the_indexers_own_with_its_tail():
    found = decided(v4("CSA", keys=130, k=512))
    assert draft(found).tensors["cmp_sparse_indices"].dims[3] == ints.of(512)


def test_a_list_without_an_indexer_kernel_is_refused():
    case = Case(v4("CSA"))
    (attention,) = case.ops("attention")
    assert "does not come straight from an indexer kernel" in refusal(case.decide(attention, KERNEL, "ascend950"))


def test_a_list_of_other_keys_is_refused():
    """The indexer counts its keys by another tensor than the attention."""
    text = v4("CSA", tokens=1, runtime=True)
    other = text.replace("%i:2 =", "%w = arith.constant dense<1> : tensor<1x1xi32>\n  %i:2 =")
    other = other.replace("(%iq, %ik, %iw, %v)", "(%iq, %ik, %iw, %w)")
    assert "which are not proven the same" in refusal(decided(other))
    assert draft(decided(text))


REFUSED = {
    "dtype": ({"dtype": "f32"}, "query is f32; the kernel takes bf16 or fp16: run the model in one of these"),
    "width": ({"width": 256}, "[c5] head size D is 256, not 512"),
    "heads": ({"heads": 192}, "[c7] on ascend950, query heads N1 is 192, not 1 to 128"),
    "sinks": ({"drop": ("sinks",)}, "it has no sinks; the kernel requires them"),
    "value width": ({"attributes": {"value_width": 448}}, "its values are 448 of the 512 channels of a key row"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name):
    changes, reason = REFUSED[name]
    if name == "value width":
        text = v4("SWA", **changes).replace("-> (tensor<1x3x64x512xbf16>,", "-> (tensor<1x3x64x448xbf16>,")
        text = text.replace("return %a#0 : tensor<1x3x64x512xbf16>", "return %a#0 : tensor<1x3x64x448xbf16>")
        text = text.replace("-> tensor<1x3x64x512xbf16> {", "-> tensor<1x3x64x448xbf16> {")
    else:
        text = v4("SWA", **changes)
    assert reason in refusal(decided(text))
    assert draft(decided(v4("SWA")))


def test_atlas_chips_know_their_modes_only():
    assert "list width K2 is 16, not 512 or 1024" in refusal(decided(v4("CSA", k=16), "a2"))
    assert draft(decided(v4("CSA", k=512), "a2"))


def test_atlas_chips_take_other_ratios_by_the_counts_of_rows():
    """They know ratio 4 with lists and 128 without; the mode that lists have lengths in has no use for a ratio."""
    found = decided(v4("HCA", ratio=8), "a2")
    assert scalars(found, "cmp_mask_mode", "cmp_ratio") == (0, 4)
    assert draft(found).tensors["cmp_sparse_indices"].dims[3] == ints.of(512)
    assert "cmp_ratio is 8 in mode HCA, not 128" in draft(found).notes[0]
    assert scalars(decided(v4("HCA", ratio=8)), "cmp_mask_mode", "cmp_ratio") == (3, 8)
    assert scalars(decided(v4("CSA", ratio=8), "a2"), "cmp_mask_mode", "cmp_ratio") == (0, 4)


def test_a_list_of_all_keys_may_be_longer():
    """32 keys are all picked whether 256 or 512 are asked for; with 300 keys that is not so."""
    assert draft(decided(v4("CSA", k=256), "a2")).tensors["cmp_sparse_indices"].dims[3] == ints.of(512)
    assert "K2 is 256" in refusal(decided(v4("CSA", k=256, keys=1200), "a2"))


def counted_window(tokens):
    """An HCA attention whose window, too, is counted by the runtime positions."""
    text = v4("HCA", runtime=True, tokens=tokens, keys=64, ratio=1, compressed=64)
    segments = "1, 1, 0, 1, 0, 0, 1, {}, 1, 0"
    text = text.replace(segments.format(0), segments.format(1)).replace("%sinks, %v)", "%sinks, %v, %v)")
    kind = f"tensor<1x{tokens}xi32>"
    return text.replace(f"tensor<64xf32>, {kind})", f"tensor<64xf32>, {kind}, {kind})")


def test_a_window_at_runtime_positions_needs_the_promise():
    assert "consecutive" in refusal(decided(counted_window(2)))
    found = decided(counted_window(2), assume=("contiguous_positions",))
    assert "seqused_ori_kv" in draft(found).tensors
    assert "not proven to be among the 64 there are" in refusal(decided(counted_window(1)))


def unknown(text, *sizes):
    """The text with sizes of the first tensors made dynamic: `("1x130x1x512", "1x?x1x512")`."""
    for size, other in sizes:
        assert f"tensor<{size}xbf16>" in text
        text = text.replace(f"tensor<{size}xbf16>", f"tensor<{other}xbf16>")
    return text


def test_c14_of_the_plan_a_dynamic_key_length_is_told_by_a_tensor():
    text = unknown(v4("SWA", tokens=1), ("1x130x1x512", "1x?x1x512"))
    found = draft(decided(text))
    assert set(found.tensors) == {"q", "ori_kv", "sinks", "seqused_ori_kv"}
    assert found.problem("ascend950") is None


def test_c14_of_the_plan_a_dynamic_batch_is_refused():
    text = unknown(v4("SWA", tokens=1), ("1x130x1x512", "?x130x1x512"), ("1x1x64x512", "?x1x64x512"))
    reason = refusal(decided(text))
    assert "its plan, sparse_flash_mla_metadata, refuses [c14]" in reason and "batch_size is 0" in reason


def test_a_dynamic_prefix_as_a_list_has_no_width_for_the_plan():
    text = v4("HCA", runtime=True, tokens=3, compressed=2)
    text = unknown(text, ("1x2x1x512", "1x?x1x512"))
    assert "the width of a list of all compressed keys is the dynamic size" in refusal(decided(text))


def test_a_single_token_in_a_cache_with_the_promise():
    found = decided(counted_window(1), assume=("contiguous_positions",))
    assert "seqused_ori_kv" in draft(found).tensors
    assert draft(found).notes == ("positions are consecutive and lie inside the keys, as promised",)


def test_a_log_sum_exp_of_rows_without_keys_is_refused():
    """Three tokens before two keys: the first sees none."""
    text = v4("SWA", tokens=3, keys=2, attributes={"return_lse": True})
    assert "its log-sum-exp is used, and a row without keys has -inf" in refusal(decided(text))
    found = draft(decided(v4("SWA", tokens=3, keys=3, attributes={"return_lse": True})))
    assert found.scalars["return_softmax_lse"] and set(found.results) == {0, 1}


def test_a_list_of_uncompressed_keys_is_counted_row_by_row_on_ascend950():
    text = contracts.absorbed(latent=512, rotary=0, heads=8, sinks=True)
    found = draft(decided(text))
    assert {"ori_sparse_indices", "ori_topk_length", "seqused_ori_kv"} <= set(found.tensors)
    assert scalars(decided(text), "ori_mask_mode", "ori_win_left", "ori_win_right") == (0, -1, -1)
    assert "[c52] on a3, ori_win_left/right are -1/-1, not 127/0" in refusal(decided(text, "a3"))


def test_a_list_of_uncompressed_keys_inside_a_window_is_refused():
    text = contracts.absorbed(latent=512, rotary=0, heads=8, sinks=True, mask="band", attributes={"ori_left": 9})
    assert "inside a window; the kernel lists them without a mask" in refusal(decided(text))
