"""What of each kernel operator has to be tested on the host: operator -> feature -> tests that do.

A test is written `stem[id]`: a regular expression for `test_<operator>.py::test_<stem>[id]`; `*:stem[id]` looks into
test_every_kernel.py, `chain:` into test_indexer_to_attention.py, `plan:` into test_metadata.py. At least one test of
everyday has to match, so a feature whose last test is renamed or removed shows.
"""

LAYOUTS = ("BSND-BSND", "TND-TND", "BSND-PA", "TND-PA")
INDEXED = "random_calls_equal_the_reference_bit_for_bit"
ATTENDED = "random_calls_agree_with_the_reference"


def of_every_kernel(name: str, *, keys: bool = True) -> dict[str, str]:
    """What is tested of all kernels in one place."""
    labels = rf"{name}(-[\w-]+)?"
    found = {
        "threads": rf"*:the_number_of_threads_changes_no_bit\[{labels}\]",
        "corrupt integers": rf"*:corrupt_integers_are_named_and_nothing_is_written\[{labels}\]",
        "empty batch axis": rf"*:no_batch_is_no_error\[{labels}\]",
    }
    return found | ({"stride along axis 0": rf"*:keys_with_a_stride_along_the_first_axis\[{labels}\]"} if keys else {})


def layouts(stem: str, pattern: str, names: tuple[str, ...] = LAYOUTS) -> dict[str, str]:
    """A feature for each pair of layouts; `%` in the pattern is the pair."""
    return {f"layouts {pair}": rf"{stem}\[{pattern.replace('%', pair)}\]" for pair in names}


def modes(stem: str, names: dict[str, str], rest: str) -> dict[str, str]:
    """A feature for each mode word of the test; `%` in `rest` is the word."""
    return {feature: rf"{stem}\[{rest.replace('%', word)}\]" for feature, word in names.items()}


MLA_MODES = {
    "SWA": "SWA", "HCA": "HCA", "CSA": "CSA", "ORI_SPARSE": "ORI_SPARSE", "ORI_CMP_SPARSE": "ORI_CMP_SPARSE",
    "original mask 0": "SWA_all", "original mask 3": "SWA_causal", "original mask 4": "SWA",
    "compressed mask 0": "ORI_CMP_SPARSE", "compressed mask 3": "HCA",
}  # fmt: skip
OLDER_LAYOUTS = ("BSND-BSND", "TND-TND", "BSND-PA_BSND", "TND-PA_BSND")

FEATURES: dict[str, dict[str, str]] = {
    "quant_lightning_indexer": {
        **{f"quant_mode {mode}": rf"{INDEXED}\[\d+-\d+-{mode}-[\w-]+\]" for mode in range(1, 6)},
        **{f"mask {mask}": rf"{INDEXED}\[{mask}-\d+-\d-[\w-]+\]" for mask in (0, 3)},
        **{f"ratio {ratio}": rf"{INDEXED}\[3-{ratio}-\d-[\w-]+\]" for ratio in (1, 4, 128)},
        "ratios between": r"ratios\[\d\]",
        **layouts(INDEXED, r"\d-\d+-\d-%"),
        "recorded vectors": r"matches_the_golden_vectors",
        "no values": "values_are_left_alone_when_not_wanted",
        "output offset": "offsets_must_be_positive_and_keep_indices_in_range",
        "offsets beyond 32 bits": "offsets_beyond_two_to_the_31",
        "no keys": "a_call_without_keys_fills_everything",
        **of_every_kernel("quant_lightning_indexer"),
    },
    "lightning_indexer": {
        **{f"mask {mask}": rf"{INDEXED}\[{mask}-\d+-[\w-]+\]" for mask in (0, 3)},
        **{f"ratio {ratio}": rf"{INDEXED}\[3-{ratio}-[\w-]+\]" for ratio in (1, 4, 128)},
        "ratios between": "ratios",
        **layouts(INDEXED, r"\d-\d+-%"),
        "fp16": r"other_float_formats\[float16\]",
        "ties": "ties_keep_the_lower_index",
        "recorded vectors": r"matches_the_golden_vectors",
        **of_every_kernel("lightning_indexer"),
    },
    "npu_lightning_indexer": {
        **{f"mask {mask}": rf"{INDEXED}\[\d-{mask}-[\w-]+\]" for mask in (0, 3)},
        **layouts(INDEXED, r"\d-\d-%"),
        "no values": "values_are_left_alone_when_not_wanted",
        **of_every_kernel("npu_lightning_indexer"),
    },
    "npu_quant_lightning_indexer": {
        **{f"mask {mask}": rf"random_calls_equal_the_reference\[{mask}-\w+-[\w-]+\]" for mask in (0, 3)},
        **{each: rf"random_calls_equal_the_reference\[\d-{each}-[\w-]+\]" for each in ("int8", "fp8_e4m3", "hif8")},
        **layouts("random_calls_equal_the_reference", r"\d-\w+-%"),
        **of_every_kernel("npu_quant_lightning_indexer"),
    },
    "npu_vllm_quant_lightning_indexer": of_every_kernel("npu_vllm_quant_lightning_indexer"),
    "quant_sparse_flash_mla": {
        **modes(
            ATTENDED,
            MLA_MODES | {"ratio 128": "HCA_r128", "ratio 1": "HCA_r1", "list lengths": "CSA_counts"},
            "%-[\\w-]+",
        ),
        "ratios between": "ratios",
        **layouts(ATTENDED, r"\w+-%"),
        "recorded vectors": r"matches_the_golden_vectors",
        "no statistics": "lse_is_written_only_on_request",
        "no sinks": "no_sinks_are_sinks_of_minus_infinity",
        "rows that see nothing": "rows_without_a_key_and_rows_behind_the_used_ones_are_zero",
        "offsets beyond 32 bits": "blocks_may_lie_further_apart_than_32_bits_reach",
        "no batches, rows or heads": r"nothing_to_do_is_no_error\[shape\d\]",
        **{f"chained {pair}": rf"chain:the_chain_is_the_whole\[quant_sparse_flash_mla-{pair}\]" for pair in LAYOUTS},
        **of_every_kernel("quant_sparse_flash_mla"),
    },
    "sparse_flash_mla": {
        **modes(ATTENDED, MLA_MODES, "%-[\\w-]+"),
        "ratios between": "ratios",
        **layouts(ATTENDED, r"\w+-%-\w+"),
        **{kind: rf"{ATTENDED}\[\w+-[\w-]+-{kind}\]" for kind in ("bf16", "fp16")},
        "recorded vectors": r"matches_the_golden_vectors",
        **{f"chained {pair}": rf"chain:the_chain_is_the_whole\[sparse_flash_mla-{pair}\]" for pair in LAYOUTS},
        **of_every_kernel("sparse_flash_mla"),
    },
    "sparse_attn_sharedkv": {
        **modes(ATTENDED, {mode: mode for mode in ("SWA", "HCA", "CSA")}, r"%-\w+.*"),
        **layouts(ATTENDED, r"\w+-%.*", ("BSND", "TND")),
        **{f"chained {pair}": rf"chain:the_chain_is_the_whole\[sparse_attn_sharedkv-{pair}\]" for pair in LAYOUTS[2:]},
        **of_every_kernel("sparse_attn_sharedkv"),
    },
    "kv_quant_sparse_attn_sharedkv": {
        **modes(ATTENDED, {mode: mode for mode in ("SWA", "HCA", "CSA")}, r"%-\w+"),
        **layouts(ATTENDED, r"\w+-%", ("BSND", "TND")),
        "recorded vectors": r"matches_the_golden_vectors",
        **{
            f"chained {pair}": rf"chain:the_chain_is_the_whole\[kv_quant_sparse_attn_sharedkv-{pair}\]"
            for pair in LAYOUTS[2:]
        },
        **of_every_kernel("kv_quant_sparse_attn_sharedkv"),
    },
    "npu_sparse_flash_attention": {
        **{f"sparse_mode {mode}": rf"{ATTENDED}\[[\w-]+-\d-{mode}\]" for mode in (0, 3)},
        **{f"blocks of {size}": rf"{ATTENDED}\[[\w-]+-{size}-\d\]" for size in (1, 8)},
        **layouts(ATTENDED, r"%-\w+-\d-\d", OLDER_LAYOUTS),
        "no statistics": "statistics_are_written_only_on_request",
        "sinks": "sinks_are_part_of_the_sum",
        **of_every_kernel("npu_sparse_flash_attention"),
    },
    "npu_kv_quant_sparse_flash_attention": {
        **{each: rf"{ATTENDED}\[[\w-]+-{each}-\w+\]" for each in ("int8", "e4m3", "hif8")},
        **layouts(ATTENDED, r"%-\w+-\w+", OLDER_LAYOUTS),
        **of_every_kernel("npu_kv_quant_sparse_flash_attention"),
    },
    "sparse_compress_flash_attention": {
        "random calls": rf"{ATTENDED}\[changes\d\]",
        "recorded vectors": r"matches_the_golden_vectors",
        "visible groups": "visible_groups_step_by_one_per_row",
        **of_every_kernel("sparse_compress_flash_attention"),
    },
    "kv_compress_epilog": {
        **modes("random_rows_equal_the_reference", {m: m for m in ("fp8_e8m0", "fp8_bf16", "hifloat8_fp4")}, r".*%"),
        **{f"groups of {size}": rf"fp4_groups_and_rotary_scales\[.*{size}\]" for size in (16, 32, 64)},
        "stride along axis 0": "blocks_may_lie_apart",
        "offsets beyond 32 bits": "offsets_beyond_two_to_the_31",
        "recorded vectors": r"matches_the_golden_vectors",
        **of_every_kernel("kv_compress_epilog", keys=False),
    },
    "indexer_quant_cache": {
        **modes("random_keys_equal_the_reference", {m: m for m in ("mxfp8", "fp8", "hifloat8", "mxfp4")}, r".*-%"),
        "E5M2": r"wide_range_fp8\[.*\]",
        **of_every_kernel("indexer_quant_cache", keys=False),
    },
    "indexer_compress_epilog": {
        **{f"quant_mode {mode}": rf"modes_are_those_of_the_later_operator\[\w+-{mode}\]" for mode in range(3)},
        **of_every_kernel("indexer_compress_epilog", keys=False),
    },
    "indexer_compress_epilog_v2": {
        **{f"{width} elements": rf"random_keys_equal_the_reference\[{width}-\w+\]" for width in (100, 128, 320)},
        "stride along axis 0": "blocks_may_lie_apart",
        **of_every_kernel("indexer_compress_epilog_v2", keys=False),
    },
    "fused_compressor": {
        **{f"rotary_mode {m}": rf"batched_calls_equal_the_reference\[\d-{m}\]" for m in (1, 2)},
        "packed": r"packed_calls_equal_the_reference\[\d\]",
        **of_every_kernel("fused_compressor", keys=False),
    },
    "compressor": {
        **{f"ratio {ratio}": rf"batched_calls_equal_the_reference\[\d-start\d-{ratio}-\d\]" for ratio in (1, 2, 4, 8)},
        **{f"coff {coff}": rf"batched_calls_equal_the_reference\[\d-start\d-\d-{coff}\]" for coff in (1, 2)},
        **{f"cache_mode {mode}": rf"batched_calls_equal_the_reference\[{mode}-start\d-\d-\d\]" for mode in (1, 2)},
        "packed": r"packed_calls_equal_the_reference\[.*\]",
        "in pieces": r"pieces_give_the_rows_of_one_call\[.*\]",
        **of_every_kernel("compressor", keys=False),
    },
    **{
        name: {"equals its definition": rf"plan:{test}\[.*{name}.*\]", **of_every_kernel(name, keys=False)}
        for test, names in {
            "indexers": ("quant_lightning_indexer_metadata", "lightning_indexer_metadata"),
            "window_and_compressed_keys": ("quant_sparse_flash_mla_metadata", "sparse_flash_mla_metadata"),
            "one_uncompressed_length": ("kv_quant_sparse_attn_sharedkv_metadata", "sparse_attn_sharedkv_metadata"),
        }.items()
        for name in names
    },
    "npu_vllm_quant_lightning_indexer_metadata": {
        "equals its definition": r"plan:the_older_indexer_counts_original_tokens\[\w+\]",
        **of_every_kernel("npu_vllm_quant_lightning_indexer_metadata", keys=False),
    },
}
"""Every kernel operator; npu_vllm_quant_lightning_indexer is compared beside npu_quant_lightning_indexer."""

FEATURES["npu_vllm_quant_lightning_indexer"] |= {
    f"ratio {ratio}": rf"npu_quant_lightning_indexer:compressed_keys_take_uncompressed_lengths\[{ratio}-[\w-]+\]"
    for ratio in (1, 4, 128)
}
