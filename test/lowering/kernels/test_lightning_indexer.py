"""lightning_indexer: the operands and masks of an indexer, paged on A3 and A2, and what it does not take."""

import pytest
from contracts import Case, attention, draft, function, indexer, refusal, v4

from sparse_attn.lowering.analysis import ints
from sparse_attn.lowering.kernels.indexers import TIES

KERNEL = "cann_ops_transformer::lightning_indexer"


def text(
    mode="causal", tokens=3, keys=16, heads=64, width=128, k=8, dtype="bf16", consumer=True, extra=(), drop=(), **said
):
    """An indexer over uncompressed keys whose list an attention uses."""
    arguments = {
        "q": f"tensor<1x{tokens}x{heads}x{width}x{dtype}>", "key": f"tensor<1x{keys}x{width}x{dtype}>",
        "w": f"tensor<1x{tokens}x{heads}x{dtype}>", "ks": f"tensor<1x{keys}xf32>", "m": f"tensor<1x{tokens}x{keys}xi1>",
        "aq": f"tensor<1x{tokens}x4x64x{dtype}>", "kv": f"tensor<1x{keys}x1x64x{dtype}>",
    }  # fmt: skip
    names = {"query": "q", "key": "key", "weights": "w", "key_scale": "ks", "mask": "m"}
    used = [n for n in ("query", "key", "weights", *extra) if n not in drop]
    shape = f"1x{tokens}x{min(k, keys)}"
    body = "  " + indexer(
        {n: f"%{names[n]} : {arguments[names[n]]}" for n in used}, {"k": k, "mask_mode": mode, **said}, shape
    )
    if not consumer:
        return function(arguments, body, "%i#0", f"tensor<{shape}xi32>")
    given = {
        "query": f"%aq : {arguments['aq']}",
        "ori_kv": f"%kv : {arguments['kv']}",
        "ori_indices": f"%i#0 : tensor<{shape}xi32>",
    }
    body += "\n  " + attention(given, {"ori_mask": "causal"} if mode != "none" else {}, f"1x{tokens}x4x64x{dtype}")
    return function(arguments, body, "%a#0", arguments["aq"])


def decided(module, target="ascend950", kernel=KERNEL, **options):
    case = Case(module)
    (value,) = case.ops("lightning_indexer")
    found = case.decide(value, kernel, target, **options)
    if not isinstance(found, str):
        found.case = case
    return found


def test_causal_over_dense_keys():
    found = draft(decided(text()))
    assert set(found.tensors) == {"q", "k", "w"}
    assert found.scalars == {"topk": 8, "max_seqlen_q": 3, "mask_mode": 3, "cmp_ratio": 1}
    assert [d.const for d in found.tensors["k"].dims] == [1, 16, 1, 128]
    assert found.tensors["w"].dtype == "f32"


def test_without_a_mask():
    assert "mask_mode" not in draft(decided(text("none"))).scalars


def test_compressed_keys_come_with_their_residual():
    found = draft(decided(v4("CSA", keys=130)))
    assert found.scalars["cmp_ratio"] == 4 and set(found.tensors) == {"q", "k", "w", "cmp_residual_k"}


@pytest.mark.parametrize(
    "keys, block, copied", [(128, 128, False), (96, 96, False), (1040, 520 * 2, False), (20, 32, True)]
)
def test_atlas_chips_read_pages(keys, block, copied):
    found = draft(decided(text(keys=keys), "a3"))
    size = found.tensors["k"].dims[1].const
    assert size % 16 == 0 and size <= 1024 and (keys % size == 0) != copied
    assert found.tensors["seqused_k"].dims == (ints.of(1),)
    assert any("copied to pages" in note for note in found.notes) == copied


def test_a_factor_moves_into_the_weights_and_is_named():
    assert any("0.5" in note for note in draft(decided(text(scale=0.5))).notes)
    assert draft(decided(text())).notes == (TIES,)


REFUSED = {
    "dtype": ({"dtype": "f32"}, "query is f32; the kernel takes bf16 or fp16"),
    "relu": ({"activation": "none"}, "the scores have no ReLU"),
    "negative scale": ({"scale": -0.5}, "scaled by -0.5 before ReLU"),
    "sum": ({"reduce": "sum", "drop": ("weights",)}, "the heads are not weighted"),
    "scales": ({"extra": ("key_scale",)}, "the scores carry dequantisation scales"),
    "mask": ({"extra": ("mask",)}, "part of the mask is not proven"),
    "returned": ({"consumer": False}, "its indices are returned; the kernel gives them in an order of its own"),
    "width": ({"width": 64}, "[c5] head size D is 64, not 128"),
    "heads": ({"heads": 65}, "[c7] on ascend950, query heads N1 is 65, not 1 to 64"),
    "picks": ({"k": 9000, "keys": 16}, "[c12] on ascend950, topk is 9000, outside 1 to 8192"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name):
    changes, reason = REFUSED[name]
    assert reason in refusal(decided(text(**changes)))


@pytest.mark.parametrize("changes, reason", [({"heads": 32}, "N1 is 32, not 64"), ({"k": 4096}, "topk is 4096")])
def test_limits_of_atlas_chips(changes, reason):
    assert reason in refusal(decided(text(**changes), "a2"))
    assert draft(decided(text(**changes)))


def test_runtime_positions_of_several_tokens_need_the_promise():
    module = v4("CSA", runtime=True)
    assert "read from positions known at run time" in refusal(decided(module))
    assert "as promised" in " ".join(draft(decided(module, assume=("contiguous_positions",))).notes)
    assert draft(decided(v4("CSA", runtime=True, tokens=1)))
