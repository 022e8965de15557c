// Scores of one query row against one tile of keys: the arithmetic of the indexers.
//
// For every key: dot(q_h, k) of every head h, relu, weighted sum over the heads, one final step. The order of all additions
// is fixed (dot products in element order, heads in head order) and no product is contracted into a sum unless the mode
// says so; therefore the instruction set, the tiling and the number of threads change no bit.
#pragma once

#include <cstdint>

namespace sa {

constexpr int64_t kIndexerDepth = 128;
constexpr int64_t kIndexerTile = 64;  // keys

enum class HeadSum {
  kFloat,      // fp32 sum of weight * relu(dot); times the key scale
  kHalfDots,   // dot / 1024, relu, rounded to fp16; then as kFloat (int8 operands)
  kFused,      // heads accumulate by fused multiply-add, rounded once to fp32 per head; no key scale
  kFusedBf16,  // relu and weight rounded to bf16, the accumulator too: rounded once to bf16 per head; no key scale
};

// query [heads, depth]; weights [heads]; keys transposed, [depth, kIndexerTile]; key_scale [kIndexerTile].
// Writes kIndexerTile scores; entries of unused key columns mean nothing.
void score_tile(HeadSum kind, bool round_to_bf16, const float *query, const float *weights, int64_t heads, const float *keys,
                const float *key_scale, float *scores);

}  // namespace sa
