"""Deliberate mistakes in the arithmetic of the host kernels, each of which some test has to notice.

A mutation replaces texts that occur exactly once in a file; it runs the tests of the operators the text serves. A rule
that is written down at two places has a mutation for each.
"""

from __future__ import annotations

from dataclasses import dataclass

HOST = "lowering/host/src"
TESTS = "test/lowering/host"


@dataclass(frozen=True)
class Mutation:
    """name: letters and dashes. edits: (old, new) texts of one file. tests: file stems that should notice."""

    name: str
    file: str
    edits: tuple[tuple[str, str], ...]
    tests: tuple[str, ...]

    def apply(self, text: str) -> str:
        """The mutated text. Raises ValueError when a text to replace is not there exactly once."""
        for old, new in self.edits:
            if text.count(old) != 1:
                raise ValueError(
                    f"{self.name}: {HOST}/{self.file} has {text.count(old)} times `{old}`, must be once: "
                    "the code has changed, write the mutation anew"
                )
            text = text.replace(old, new)
        return text


INDEXERS = ("test_quant_lightning_indexer", "test_lightning_indexer", "test_npu_quant_lightning_indexer")
MLAS = ("test_quant_sparse_flash_mla", "test_sparse_flash_mla", "test_kv_quant_sparse_attn_sharedkv")

MUTATIONS = (
    Mutation(
        "residual-ignored-by-indexer",
        "indexer/geometry.cpp",
        (
            (
                "length * ratio + (residual.empty() ? 0 : residual[size_t(b)])",
                "length * ratio + 0 * int64_t(residual.size())",
            ),
        ),
        INDEXERS[:1],
    ),
    Mutation(
        "residual-ignored-by-attention",
        "attention/mla.cpp",
        (("length * a.cmp_ratio + residual[size_t(batch)]", "length * a.cmp_ratio"),),
        MLAS[:1],
    ),
    Mutation(
        "ceil-for-floor-in-indexer",
        "indexer/geometry.cpp",
        (("std::max<int64_t>(tokens, 0) / ratio", "(std::max<int64_t>(tokens, 0) + ratio - 1) / ratio"),),
        INDEXERS[:1],
    ),
    Mutation(
        "ceil-for-floor-in-attention",
        "attention/mla.cpp",
        (("position / arguments_.cmp_ratio", "(position + arguments_.cmp_ratio - 1) / arguments_.cmp_ratio"),),
        MLAS[:1],
    ),
    Mutation(
        "ties-take-the-higher-index",
        "indexer/ranking.cpp",
        (
            ("uint32_t(~uint32_t(i))", "uint32_t(i)"),
            ("int32_t(~uint32_t(scratch[size_t(i)]))", "int32_t(uint32_t(scratch[size_t(i)]))"),
        ),
        INDEXERS[1:2],
    ),
    Mutation(
        "block-table-off-by-one-in-indexer",
        "core/lengths.cpp",
        (("table->stride[0] + i * table->stride[1]", "table->stride[0] + (i > 0 ? i - 1 : 0) * table->stride[1]"),),
        INDEXERS[:1],
    ),
    Mutation(
        "block-table-off-by-one-in-attention",
        "attention/keys.cpp",
        (("column = token / data_.size[1];", "column = token / data_.size[1] - (token >= data_.size[1]);"),),
        MLAS[:1],
    ),
    Mutation(
        "nibbles-swapped",
        "core/rows.cpp",
        (
            ("out[2 * i] = fp4_table[pair & 15]", "out[2 * i] = fp4_table[pair >> 4]"),
            ("out[2 * i + 1] = fp4_table[pair >> 4]", "out[2 * i + 1] = fp4_table[pair & 15]"),
        ),
        ("test_convert",),
    ),
    Mutation(
        "nibbles-swapped-by-cache-writer",
        "cache/kv_compress_epilog.cpp",
        (("low | high << 4", "high | low << 4"),),
        ("test_kv_compress_epilog",),
    ),
    Mutation(
        "sink-left-out",
        "attention/mla.cpp",
        (("sinks_.push_back(sinks(h))", "sinks_.push_back(sinks(h) * 0 - INFINITY)"),),
        MLAS[:1],
    ),
    Mutation(
        "compressed-tiles-first",
        "attention/engine.h",
        (("for (int s = 0; s < kSegments; ++s) {", "for (int s = kSegments - 1; s >= 0; --s) {"),),
        MLAS[:1],
    ),
    Mutation(
        "probabilities-not-rounded",
        "attention/engine.h",
        (("scores[j] = Rounding::round(probability)", "scores[j] = probability * Rounding::kGain"),),
        MLAS[:1],
    ),
    Mutation(
        "scale-before-relu",
        "indexer/scoring_impl.h",
        (("total[j] += weight * relu(dots[j]);", "total[j] += relu(weight * dots[j]);"),),
        INDEXERS[:1],
    ),
    Mutation(
        "window-off-by-one",
        "attention/mla.cpp",
        (("position - 1 - std::min(a.ori_win_left, length)", "position - std::min(a.ori_win_left, length)"),),
        MLAS[:1],
    ),
)
