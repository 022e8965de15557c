"""npu_lightning_indexer: the indexer without compression, plan or pages; preferred on A3 and A2 where it fits."""

from contracts import Case, attention, draft, function, indexer, refusal, v4

from sparse_attn.lowering.kernels import offered
from sparse_attn.lowering.kernels.indexers import TIES

KERNEL = "npu::npu_lightning_indexer"
OP = "sparse_attn.lightning_indexer"


def text(mode="causal", k=8, heads=64, count=None):
    """An indexer over 16 keys; `count` is a `visible` operand of one token."""
    tokens = 1 if count is not None else 3
    arguments = {
        "q": f"tensor<1x{tokens}x{heads}x128xbf16>", "key": "tensor<1x16x128xbf16>",
        "w": f"tensor<1x{tokens}x{heads}xbf16>",
        "aq": f"tensor<1x{tokens}x4x64xbf16>", "kv": "tensor<1x16x1x64xbf16>",
    }  # fmt: skip
    given = {
        "query": f"%q : {arguments['q']}",
        "key": f"%key : {arguments['key']}",
        "weights": f"%w : {arguments['w']}",
    }
    if count is not None:
        arguments["v"] = "tensor<1x1xi32>"
        given["visible"] = "%v : tensor<1x1xi32>"
    shape = f"1x{tokens}x{min(k, 16)}"
    body = indexer(given, {"k": k, "mask_mode": mode}, shape)
    seen = {"query": f"%aq : {arguments['aq']}", "ori_kv": "%kv : tensor<1x16x1x64xbf16>"}
    seen["ori_indices"] = f"%i#0 : tensor<{shape}xi32>"
    body += "\n  " + attention(seen, {}, f"1x{tokens}x4x64xbf16")
    return function(arguments, "  " + body, "%a#0", arguments["aq"])


def decided(module, target="a3", **options):
    case = Case(module)
    found = case.decide(case.ops("lightning_indexer")[0], KERNEL, target, **options)
    if not isinstance(found, str):
        found.case = case
    return found


def test_causal():
    found = draft(decided(text()))
    assert set(found.tensors) == {"query", "key", "weights"}
    assert found.scalars == {"sparse_count": 8, "sparse_mode": 3}


def test_without_a_mask():
    assert draft(decided(text("none"))).scalars["sparse_mode"] == 0


def test_a_single_token_counts_by_the_length():
    assert "actual_seq_lengths_key" in draft(decided(text(count=1))).tensors


def test_compressed_keys_are_refused():
    assert "its keys stand for 4 tokens each" in refusal(decided(v4("CSA")))


def test_limits_come_from_the_spec():
    assert "[c8] on a3, sparse_count is 4096" in refusal(decided(text(k=4096)))
    assert "[c6] on a3, query heads N1 is 65" in refusal(decided(text(heads=65)))
    assert draft(decided(text(heads=32)))


def test_the_order_of_kernels_by_target():
    assert [c.kernel for c in offered("a3", OP)][:2] == [KERNEL, "cann_ops_transformer::lightning_indexer"]
    assert [c.kernel for c in offered("ascend950", OP)][:2] == ["cann_ops_transformer::lightning_indexer", KERNEL]
    assert [c.kernel for c in offered("host", OP)] == ["sparse_attn::lightning_indexer"]


def test_a_list_of_all_keys_has_a_width_that_attention_takes():
    """A3's attention takes lists of 512 or 1024; behind the 16 keys there are it is -1."""
    assert draft(decided(text("none", k=16))).scalars["sparse_count"] == 512
    assert draft(decided(text("none", k=16), "ascend950", accept_ranking="bf16")).scalars["sparse_count"] == 16
    assert draft(decided(text("none", k=8))).scalars["sparse_count"] == 8


def test_ranking_in_sixteen_bits_is_asked_for_on_ascend950():
    """Its kernel there keeps scores in 16 bits; those of A3 and A2 rank in fp32 as the graph does."""
    case = Case(text())
    value = case.ops("lightning_indexer")[0]
    assert "the graph ranks its scores in fp32 and the kernel in bf16" in refusal(
        case.decide(value, KERNEL, "ascend950")
    )
    assert draft(case.decide(value, KERNEL, "ascend950", accept_ranking="bf16"))
    assert draft(case.decide(value, KERNEL, "a2"))


def test_equal_scores_are_named_where_some_keys_are_left_out():
    assert draft(decided(text("none", k=8))).notes == (TIES,)
    assert draft(decided(text("none", k=16))).notes == ()
