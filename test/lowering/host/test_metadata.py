"""The plans of the operators: the tiles of their rows, counted here from lengths and masks, divided validly."""

import numpy as np
import pytest
from attention import host
from sparse_attn_plan import check_plan

from sparse_attn.dialect.npu.reference.core_plan import indexer_keys, row_tiles, window_keys
from sparse_attn.lowering.host.library import HostKernelError, call

INDEXERS = {
    "quant_lightning_indexer_metadata": {"quant_mode": 4},
    "lightning_indexer_metadata": {},
}
MLAS = {"quant_sparse_flash_mla_metadata": {"quant_mode": 1}, "sparse_flash_mla_metadata": {}}
SHAREDKVS = {"kv_quant_sparse_attn_sharedkv_metadata": {"kv_quant_mode": 1}, "sparse_attn_sharedkv_metadata": {}}
HEADS = {"num_heads_q": 64, "num_heads_k": 1, "num_heads_kv": 1, "head_dim": 512, "topk": 512}
QUERIES, ORIGINAL, RATIO = [3, 0, 40, 1], [5000, 7, 9000, 300], 4
GROUPS, RESIDUAL = [n // RATIO for n in ORIGINAL], [n % RATIO for n in ORIGINAL]


def ints(values):
    return np.array(values, np.int32)


def sums(values):
    return ints([0, *np.cumsum(values)])


def plan(name, extra, **arguments):
    record = np.full(1024, -7, np.int32)
    host(name, HEADS | extra | arguments, [record])
    return record


def is_plan_of(record, tiles, split, core_ints):
    """A valid division of these tiles, and the very one they give: other tiles would give another."""
    check_plan(record, tiles, 36, split, core_ints, heads=64)
    expected, other = np.empty(1024, np.int32), np.empty(1024, np.int32)
    call("partition_rows", [tiles, 64, 36, int(split), core_ints], [expected])
    changed = np.where(tiles > 0, tiles + 9 * (np.arange(tiles.shape[1]) % 2 == 0), tiles).astype(np.int32)
    call("partition_rows", [changed, 64, 36, int(split), core_ints], [other])
    assert record.tobytes() == expected.tobytes()
    assert expected.tobytes() != other.tobytes()


@pytest.mark.parametrize("name", INDEXERS)
@pytest.mark.parametrize("mask", [0, 3])
@pytest.mark.parametrize("layout", ["BSND", "TND"])
def test_indexers(name, mask, layout):
    arguments = {"mask_mode": mask, "cmp_ratio": RATIO, "cmp_residual_k": ints(RESIDUAL), "seqused_k": ints(GROUPS)}
    if layout == "TND":
        arguments |= {"layout_q": "TND", "layout_k": "PA_BBND", "cu_seqlens_q": sums(QUERIES)}
    else:
        arguments |= {"seqused_q": ints(QUERIES), "batch_size": 4, "max_seqlen_q": 40}
    tiles = row_tiles(indexer_keys(QUERIES, GROUPS, ORIGINAL, mask, RATIO))
    is_plan_of(plan(name, INDEXERS[name], **arguments), tiles, True, 8)


def test_indexer_defaults_are_no_mask_and_no_compression():
    """Batch size and longest lengths stand for lengths that are not given."""
    record = plan("lightning_indexer_metadata", {}, batch_size=3, max_seqlen_q=2, max_seqlen_k=700)
    is_plan_of(record, row_tiles([[700, 700]] * 3), True, 8)


def test_packed_keys_of_an_indexer_have_prefix_sums():
    packed = {"layout_q": "TND", "layout_k": "TND", "cu_seqlens_q": sums(QUERIES), "cu_seqlens_k": sums(GROUPS)}
    record = plan("lightning_indexer_metadata", {}, mask_mode=3, cmp_ratio=1, **packed)
    is_plan_of(record, row_tiles(indexer_keys(QUERIES, GROUPS, GROUPS, 3, 1)), True, 8)


@pytest.mark.parametrize("layout", ["BSND", "TND"])
def test_the_older_indexer_counts_original_tokens(layout):
    name, arguments = "npu_vllm_quant_lightning_indexer_metadata", {"cmp_ratio": RATIO, "sparse_mode": 3}
    lengths = np.cumsum(QUERIES) if layout == "TND" else QUERIES
    arguments |= {"layout_query": layout, "layout_key": "PA_BSND", "max_seqlen_q": 40, "max_seqlen_k": 9000}
    arguments |= {"actual_seq_lengths_query": ints(lengths), "actual_seq_lengths_key": ints(ORIGINAL)}
    record = plan(name, {"query_quant_mode": 0, "key_quant_mode": 0}, **arguments)
    is_plan_of(record, row_tiles(indexer_keys(QUERIES, GROUPS, ORIGINAL, 3, RATIO)), True, 8)


def mla_lengths(layout="TND"):
    lengths = {"seqused_ori_kv": ints(ORIGINAL), "seqused_cmp_kv": ints(GROUPS), "cmp_residual_kv": ints(RESIDUAL)}
    if layout == "TND":
        return lengths | {"layout_q": "TND", "layout_kv": "PA_BBND", "cu_seqlens_q": sums(QUERIES), "max_seqlen_q": 40}
    return lengths | {"seqused_q": ints(QUERIES), "batch_size": 4, "max_seqlen_q": 40}


def limited(keys, width):
    return [[min(count, width) for count in batch] for batch in keys]


@pytest.mark.parametrize("name", MLAS)
@pytest.mark.parametrize("layout", ["BSND", "TND"])
@pytest.mark.parametrize("topk", [0, 512])
def test_window_and_compressed_keys(name, layout, topk):
    masks = {"ori_mask_mode": 4, "cmp_mask_mode": 3, "ori_win_left": 127, "ori_win_right": 0, "cmp_ratio": RATIO}
    record = plan(name, MLAS[name], cmp_topk=topk, **masks, **mla_lengths(layout))
    groups = indexer_keys(QUERIES, GROUPS, ORIGINAL, 3, RATIO)
    tiles = row_tiles(window_keys(QUERIES, ORIGINAL, 4, 127, 0), limited(groups, topk) if topk else groups)
    is_plan_of(record, tiles, False, 9)


@pytest.mark.parametrize("name", MLAS)
def test_window_alone_and_lists_alone(name):
    record = plan(name, MLAS[name], has_cmp_kv=False, ori_mask_mode=3, **mla_lengths())
    is_plan_of(record, row_tiles(window_keys(QUERIES, ORIGINAL, 3, -1, -1)), False, 9)
    record = plan(name, MLAS[name], ori_topk=200, cmp_topk=100, cmp_ratio=RATIO, **mla_lengths())
    everything = [[[n] * q for q, n in zip(QUERIES, lengths, strict=True)] for lengths in (ORIGINAL, GROUPS)]
    is_plan_of(record, row_tiles(limited(everything[0], 200), limited(everything[1], 100)), False, 9)


def test_without_a_residual_only_the_unquantised_plan_uses_the_original_length():
    lengths = mla_lengths() | {"cmp_residual_kv": None, "seqused_cmp_kv": ints([n // 2 for n in GROUPS])}
    masks = {"ori_mask_mode": 4, "cmp_mask_mode": 3, "ori_win_left": 0, "ori_win_right": 0, "cmp_ratio": RATIO}
    window = window_keys(QUERIES, ORIGINAL, 4, 0, 0)
    for name, tokens in zip(MLAS, ([n // 2 * RATIO for n in GROUPS], ORIGINAL), strict=True):
        groups = indexer_keys(QUERIES, [n // 2 for n in GROUPS], tokens, 3, RATIO)
        check_plan(plan(name, MLAS[name], **masks, **lengths), row_tiles(window, groups), 36, False, 9, heads=64)


@pytest.mark.parametrize("name", SHAREDKVS)
@pytest.mark.parametrize("topk", [0, 512])
@pytest.mark.parametrize("layout", ["BSND", "TND"])
def test_one_uncompressed_length(name, topk, layout):
    queries = QUERIES if layout == "TND" else [2] * 4
    arguments = {
        "cmp_ratio": RATIO,
        "cmp_topk": topk,
        "seqused_kv": ints(ORIGINAL),
        "device": "cpu",
        "layout_q": layout,
    }
    arguments |= {"cu_seqlens_q": sums(QUERIES)} if layout == "TND" else {"batch_size": 4, "max_seqlen_q": 2}
    record = plan(name, SHAREDKVS[name], ori_win_left=127, **arguments)
    groups = indexer_keys(queries, GROUPS, ORIGINAL, 3, RATIO)
    tiles = row_tiles(window_keys(queries, ORIGINAL, 4, 127, 0), limited(groups, topk) if topk else groups)
    is_plan_of(record, tiles, False, 9)


@pytest.mark.parametrize("name", SHAREDKVS)
def test_sharedkv_without_compressed_keys(name):
    arguments = {"seqused_kv": ints(ORIGINAL), "layout_q": "TND", "cu_seqlens_q": sums(QUERIES), "device": "cpu"}
    record = plan(name, SHAREDKVS[name], cmp_ratio=1, has_cmp_kv=False, ori_win_left=127, **arguments)
    is_plan_of(record, row_tiles(window_keys(QUERIES, ORIGINAL, 4, 127, 0)), False, 9)


BAD = [
    ("lightning_indexer_metadata", {"cu_seqlens_q": ints([0, 3, 2])}, r"cu_seqlens_q at \[2\] is 2"),
    ("lightning_indexer_metadata", {"cu_seqlens_q": ints([1, 3])}, r"cu_seqlens_q at \[0\] is 1"),
    ("lightning_indexer_metadata", {"batch_size": 2, "max_seqlen_q": 1}, "max_seqlen_k is -1, must be >= 0"),
    ("lightning_indexer_metadata", {"seqused_q": ints([4]), "cu_seqlens_q": sums([3])}, r"seqused_q at \[0\] is 4"),
    ("lightning_indexer_metadata", {"mask_mode": 4}, "mask_mode is 4"),
    (
        "lightning_indexer_metadata",
        {"cu_seqlens_q": ints([0, 1, 2**31 - 1])},
        r"cu_seqlens_q at \[2\] is 2147483647, must be less: a plan has at most 16777216 rows",
    ),
    ("lightning_indexer_metadata", {"seqused_q": ints([9, 2**24])}, r"seqused_q at \[1\] is 16777216, must be less"),
    ("lightning_indexer_metadata", {"batch_size": 2, "max_seqlen_q": 2**24}, "max_seqlen_q is 16777216, must be less"),
    (
        "lightning_indexer_metadata",
        {"batch_size": 2**40, "max_seqlen_q": 1},
        r"batch_size is 1099511627776, must be in 0",
    ),
    (
        "npu_vllm_quant_lightning_indexer_metadata",
        {"layout_query": "TND", "layout_key": "PA_BSND", "actual_seq_lengths_query": ints([5, 2**30])}
        | {"device": "cpu", "query_quant_mode": 0, "key_quant_mode": 0, "sparse_mode": 3, "max_seqlen_q": 1},
        r"actual_seq_lengths_query at \[1\] is 1073741824, must be less",
    ),
    ("lightning_indexer_metadata", {"cmp_ratio": 0}, "cmp_ratio is 0"),
    ("lightning_indexer_metadata", {"num_heads_k": 2}, "num_heads_k is 2, must be 1"),
    ("quant_lightning_indexer_metadata", {"quant_mode": 6}, r"quant_mode is 6, must be in 1\.\.5"),
    ("quant_sparse_flash_mla_metadata", {"quant_mode": 2}, "quant_mode is 2, must be 1"),
    ("quant_sparse_flash_mla_metadata", mla_lengths() | {"cmp_ratio": 3}, r"cmp_residual_kv at \[1\] is 3"),
    ("sparse_flash_mla_metadata", {"ori_mask_mode": 1}, "ori_mask_mode is 1"),
    ("sparse_flash_mla_metadata", {"ori_win_left": -2}, "ori_win_left is -2"),
    ("sparse_flash_mla_metadata", mla_lengths() | {"seqused_cmp_kv": ints([-1, 0, 0, 0])}, r"seqused_cmp_kv at \[0\]"),
    ("kv_quant_sparse_attn_sharedkv_metadata", {"kv_quant_mode": 10, "device": "cpu"}, "kv_quant_mode is 10"),
    ("sparse_attn_sharedkv_metadata", {"cmp_ratio": -1, "device": "cpu"}, "cmp_ratio is -1"),
]


@pytest.mark.parametrize(("name", "change", "text"), BAD)
def test_bad_arguments_are_refused_and_nothing_is_written(name, change, text):
    record = np.full(1024, -7, np.int32)
    good = {"quant_mode": 1, "kv_quant_mode": 1, "cmp_ratio": RATIO}
    with pytest.raises(HostKernelError, match=text):
        host(name, HEADS | good | change, [record])
    assert (record == -7).all()
