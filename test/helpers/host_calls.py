"""A random call of every host kernel, for what has to hold of all of them.

`CALLS` maps `kernel-variant` to a maker: `CALLS[label](seed)` is a `HostCall` that the kernel accepts.
"""

from collections.abc import Callable, Sequence
from typing import Any

import attention_cases
import indexer_cases
import numpy as np
import sparse_flash_cases
from attention import parameters
from host_call import Array, HostCall, filled, of_spec
from meaning_calls import MEANING_CALLS

OLDER_LENGTHS = ("actual_seq_lengths_query", "actual_seq_lengths_key")
Make = Callable[[int], HostCall]


def quant_indexer(mode: int | None, layouts: tuple[str, str]) -> Make:
    def make(seed: int) -> HostCall:
        case = indexer_cases.random_case(seed, mode, layouts, 3, 4)
        case.tensors["output_idx_offset"] = np.full((*case.rows, 1), 3, np.int32)
        name = "quant_lightning_indexer" if mode else "lightning_indexer"
        return of_spec(name, case.tensors | case.attrs, list(case.results()))

    return make


def older_indexer(name: str, mode: int | None, layouts: tuple[str, str], ratio: int = 1) -> Make:
    def make(seed: int) -> HostCall:
        case = indexer_cases.random_case(seed, mode, layouts, 3, 1)
        renamed = {"q": "query", "k": "key", "w": "weights"}
        given = {renamed.get(key, key): value for key, value in case.tensors.items()}
        for key, sums, used in zip(
            OLDER_LENGTHS, ("cu_seqlens_q", "cu_seqlens_k"), ("seqused_q", "seqused_k"), strict=True
        ):
            given[key] = given[used] if given[sums] is None else given[sums][1:].copy()
        if ratio > 1:
            given[OLDER_LENGTHS[1]] = given[OLDER_LENGTHS[1]] * ratio
        given |= {"layout_query": layouts[0], "layout_key": "PA_BSND" if layouts[1] == "PA" else layouts[1]}
        given |= {"sparse_count": 20, "sparse_mode": 3, "return_value": True, "cmp_ratio": ratio}
        given |= {"query_quant_mode": 0, "key_quant_mode": 0}
        count = 1 if name == "npu_quant_lightning_indexer" else 2
        return of_spec(name, given, list(case.results())[:count])

    return make


def statistics(query: Array) -> tuple[int, ...]:
    """[B,1,S,N] or [1,T,N]."""
    return (query.shape[0], 1, *query.shape[1:3]) if query.ndim == 4 else (1, *query.shape[:2])


def windowed(name: str, kinds: tuple[str, str], layouts: tuple[str, str], **changes: Any) -> Make:
    """The operators with a window of original keys and a segment of compressed ones."""
    older = "sharedkv" in name

    def make(seed: int) -> HostCall:
        rows = {"rows": (2, 2, 2)} if older else {"rows": (3, 0, 2)}
        options: dict[str, Any] = {"lists": (0, 20), "tokens": (150, 2, 61), "heads": 3} | rows | changes
        problem = attention_cases.random_problem(seed, *kinds, **options)
        paged = "PA_ND" if older else "PA_BBND"
        call = attention_cases.lay_out(problem, *layouts, seed, paged=paged, spare=0 if older else 1)
        call |= dict.fromkeys(("q_descale", "ori_kv_descale", "cmp_kv_descale"), np.ones(1, np.float32))
        call |= {"quant_mode": 1, "kv_quant_mode": 1, "tile_size": 64, "rope_head_dim": 64}
        call["seqused_kv"] = call["seqused_ori_kv"]
        dtype = np.uint16 if kinds[0] != "fp16" else np.float16
        return of_spec(name, call, [filled(call["q"].shape, dtype), filled(statistics(call["q"]), np.float32)])

    return make


def listed(layouts: tuple[str, str], block: int) -> Make:
    def make(seed: int) -> HostCall:
        problem = sparse_flash_cases.random_problem(seed, tokens=(150, 4, 60), heads=3, block=block, width=12)
        call = sparse_flash_cases.lay_out(problem, *layouts, seed) | {"return_softmax_lse": True}
        shapes = [(call["query"].shape, np.uint16), *[(statistics(call["query"]), np.float32)] * 2]
        return of_spec("npu_sparse_flash_attention", call, [filled(*each) for each in shapes])

    return make


def listed_packed(layouts: tuple[str, str]) -> Make:
    def make(seed: int) -> HostCall:
        problem = sparse_flash_cases.random_packed_problem(seed, tokens=(150, 4, 60), heads=3, width=12)
        call = sparse_flash_cases.lay_out(problem, *layouts, seed) | {"key_quant_mode": 2, "value_quant_mode": 2}
        return of_spec(
            "npu_kv_quant_sparse_flash_attention", call, [filled((*call["query"].shape[:-1], 512), np.uint16)]
        )

    return make


def flat(seed: int) -> HostCall:
    call = attention_cases.random_flat_call(seed, rows=(2, 0, 1), tokens=(301, 1, 140))
    return of_spec("sparse_compress_flash_attention", call, [filled(call["query_npu"].shape, np.uint16)])


def compressor(mode: int, packed: bool) -> Make:
    def make(seed: int) -> HostCall:
        rng = np.random.default_rng(seed)
        used, start = np.array([5, 0, 7], np.int32), np.array([3, 0, 6], np.int32)
        shape, result = ((12,), (6,)) if packed else ((3, 7), (3, 2))
        table = rng.permutation(13)[:12].reshape(3, 4).astype(np.int32) if mode == 1 else np.array([2, 0, 1], np.int32)
        given = {
            "x": rng.integers(0, 0x4000, (*shape, 24)).astype(np.uint16),
            "wkv": rng.integers(0, 0x3000, (32, 24)).astype(np.uint16),
            "wgate": rng.integers(0, 0x3000, (32, 24)).astype(np.uint16),
            "state_cache": rng.standard_normal((13, 8, 64)).astype(np.float32),
            "ape": rng.standard_normal((4, 32)).astype(np.float32),
            "cu_seqlens": np.array([0, 5, 5, 12], np.int32) if packed else None, "state_block_table": table,
            "seqused": used, "start_pos": start, "cmp_ratio": 4, "coff": 2, "cache_mode": mode,
        }  # fmt: skip
        return of_spec("compressor", given, [filled((*result, 16), np.uint16)], ("state_cache",))

    return make


def fused_compressor(seed: int) -> HostCall:
    plain = compressor(1, True)(seed).arguments
    rng = np.random.default_rng(seed)
    given = plain | {
        "norm_weight": rng.integers(0, 0x4000, 16).astype(np.uint16), "rope_head_dim": 8, "norm_eps": 1e-6,
        "rope_sin": rng.integers(0, 0x3F80, (6, 8)).astype(np.uint16), "rotary_mode": 2,
        "rope_cos": rng.integers(0, 0x3F80, (6, 8)).astype(np.uint16),
    }  # fmt: skip
    return of_spec("fused_compressor", given, [filled((6, 16), np.uint16)], ("state_cache",))


def cache_writer(name: str, mode: Any) -> Make:
    def make(seed: int) -> HostCall:
        rng = np.random.default_rng(seed)
        x = rng.integers(0x3000, 0x4200, (12, 128)).astype(np.uint16)
        slots = np.concatenate([rng.permutation(24)[:11], [-1]]).astype(np.int32)
        cache = rng.integers(0, 256, (3, 8, 1, 330), dtype=np.uint8)
        scales = rng.integers(0, 99, (3, 8, 1, 4)).astype(np.uint8 if mode in ("mxfp8", "mxfp4", 0) else np.float32)
        given = {"x": x, "slot_mapping": slots, "quant_mode": mode, "x_scale": 0.5, "scale": 0.5, "layout": 2}
        names = [param.name for param in parameters(name) if param.is_tensor and param.name not in given]
        written = dict(zip(names, (cache, scales), strict=False))
        return of_spec(name, written | given, [], tuple(written))

    return make


def plan(name: str, packed: bool = False, **arguments: Any) -> Make:
    """A plan. Keys are paged with used lengths, or packed with prefix sums; then queries have used lengths too."""

    def make(seed: int) -> HostCall:
        rng = np.random.default_rng(seed)
        rows, groups, residual = rng.integers(1, 9, 4), rng.integers(1, 99, 4), rng.integers(0, 4, 4)
        sums = np.concatenate([[0], np.cumsum(rows)]).astype(np.int32)
        tokens, groups = (groups * 4 + residual).astype(np.int32), groups.astype(np.int32)
        given = {"num_heads_q": 64, "num_heads_k": 1, "num_heads_kv": 1, "head_dim": 512, "topk": 512, "cmp_ratio": 4}
        given |= {"cu_seqlens_q": sums, "seqused_k": groups, "seqused_cmp_kv": groups, "seqused_ori_kv": tokens}
        given |= {"seqused_kv": tokens, "cmp_residual_k": residual.astype(np.int32), "max_seqlen_k": 999}
        given |= {"cmp_residual_kv": residual.astype(np.int32), "max_seqlen_q": 9, "max_seqlen_kv": 999}
        given |= {"layout_q": "TND", "layout_query": "TND", "device": "cpu", "quant_mode": 1, "kv_quant_mode": 1}
        given |= {"actual_seq_lengths_query": sums[1:].copy(), "actual_seq_lengths_key": tokens, "sparse_mode": 3}
        given |= {"mask_mode": 3, "ori_mask_mode": 4, "cmp_mask_mode": 3, "ori_win_left": 127, "ori_win_right": 0}
        if packed:
            given |= {"seqused_q": rng.integers(0, rows + 1).astype(np.int32), "layout_k": "TND", "layout_kv": "TND"}
            for side, lengths in (("k", groups), ("cmp_kv", groups), ("ori_kv", tokens)):
                given[f"cu_seqlens_{side}"] = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
                given[f"seqused_{side}"] = None
        return of_spec(name, given | arguments, [filled((1024,), np.int32)])

    return make


LAYOUTS, OLD_LAYOUTS = attention_cases.LAYOUTS, sparse_flash_cases.LAYOUTS
SPARSE = {"masks": (0, 0), "lists": (30, 20), "counts": True}
PAGED = ("TND", "PA")
HIF8, FP16, BF16, ROW640 = ("hif8", "hif8"), ("fp16", "fp16"), ("bf16", "bf16"), ("bf16", "row640")


def each(name: str, choices: Sequence[Any], make: Callable[[Any], Make]) -> dict[str, Make]:
    """A call for every choice (a pair of layouts, or a mode); the label says which."""
    return {
        f"{name}-{choice if isinstance(choice, (str, int)) else '-'.join(choice)}": make(choice) for choice in choices
    }


CALLS: dict[str, Make] = {
    **each("quant_lightning_indexer", range(1, 6), lambda mode: quant_indexer(mode, LAYOUTS[mode % 4])),
    **each("lightning_indexer", LAYOUTS, lambda pair: quant_indexer(None, pair)),
    **each("npu_lightning_indexer", LAYOUTS, lambda pair: older_indexer("npu_lightning_indexer", None, pair)),
    **each(
        "npu_quant_lightning_indexer", LAYOUTS[1:], lambda pair: older_indexer("npu_quant_lightning_indexer", 2, pair)
    ),
    "npu_vllm_quant_lightning_indexer": older_indexer("npu_vllm_quant_lightning_indexer", 2, PAGED, 4),
    **each("quant_sparse_flash_mla", LAYOUTS, lambda pair: windowed("quant_sparse_flash_mla", HIF8, pair)),
    "quant_sparse_flash_mla-sparse": windowed("quant_sparse_flash_mla", HIF8, PAGED, **SPARSE),
    **each("sparse_flash_mla", LAYOUTS, lambda pair: windowed("sparse_flash_mla", FP16, pair)),
    "sparse_flash_mla-sparse": windowed("sparse_flash_mla", BF16, ("BSND", "BSND"), **SPARSE),
    "sparse_attn_sharedkv-TND": windowed("sparse_attn_sharedkv", BF16, PAGED),
    "sparse_attn_sharedkv-BSND": windowed("sparse_attn_sharedkv", FP16, ("BSND", "PA")),
    "kv_quant_sparse_attn_sharedkv-TND": windowed("kv_quant_sparse_attn_sharedkv", ROW640, PAGED),
    "kv_quant_sparse_attn_sharedkv-BSND": windowed("kv_quant_sparse_attn_sharedkv", ROW640, ("BSND", "PA")),
    **each("npu_sparse_flash_attention", OLD_LAYOUTS, lambda pair: listed(pair, 8 if pair[0] == "TND" else 1)),
    **each("npu_kv_quant_sparse_flash_attention", OLD_LAYOUTS, listed_packed),
    "sparse_compress_flash_attention": flat,
    "compressor-linear": compressor(1, False),
    "compressor-linear-packed": compressor(1, True),
    "compressor-ring": compressor(2, False),
    "fused_compressor": fused_compressor,
    **each(
        "kv_compress_epilog", ("fp8_e8m0", "fp8_bf16", "hifloat8_fp4"), lambda m: cache_writer("kv_compress_epilog", m)
    ),
    **each(
        "indexer_quant_cache", ("mxfp8", "fp8", "hifloat8", "mxfp4"), lambda m: cache_writer("indexer_quant_cache", m)
    ),
    **each("indexer_compress_epilog", range(3), lambda mode: cache_writer("indexer_compress_epilog", mode)),
    "indexer_compress_epilog_v2": cache_writer("indexer_compress_epilog_v2", None),
    "quant_lightning_indexer_metadata": plan("quant_lightning_indexer_metadata", layout_k="PA_BBND"),
    "quant_lightning_indexer_metadata-packed": plan("quant_lightning_indexer_metadata", True),
    "lightning_indexer_metadata": plan("lightning_indexer_metadata", layout_k="PA_BBND"),
    "lightning_indexer_metadata-packed": plan("lightning_indexer_metadata", True),
    "npu_vllm_quant_lightning_indexer_metadata": plan(
        "npu_vllm_quant_lightning_indexer_metadata", query_quant_mode=0, key_quant_mode=0, layout_key="PA_BSND"
    ),
    "quant_sparse_flash_mla_metadata": plan("quant_sparse_flash_mla_metadata", layout_kv="PA_BBND"),
    "quant_sparse_flash_mla_metadata-packed": plan("quant_sparse_flash_mla_metadata", True),
    "sparse_flash_mla_metadata": plan("sparse_flash_mla_metadata", layout_kv="PA_BBND"),
    "sparse_flash_mla_metadata-packed": plan("sparse_flash_mla_metadata", True),
    "kv_quant_sparse_attn_sharedkv_metadata": plan("kv_quant_sparse_attn_sharedkv_metadata", layout_kv="PA_ND"),
    "sparse_attn_sharedkv_metadata": plan("sparse_attn_sharedkv_metadata", layout_kv="PA_ND"),
    **MEANING_CALLS,
}
