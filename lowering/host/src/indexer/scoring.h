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
  kExact,      // as kFloat, of 8-bit floats: fp32 holds each product of two elements, so it may be fused with the sum
  kHalfDots,   // dot / 1024, relu, rounded to fp16; then as kFloat. int8 operands: dots are sums of integers, exact
  kFused,      // heads accumulate by fused multiply-add, rounded once to fp32 per head; no key scale
  kFusedBf16,  // relu and weight rounded to bf16, the accumulator too: rounded once to bf16 per head; no key scale
};

struct TileScorer {
  // Bring decoded keys [depth, kIndexerTile] and queries [heads, depth] into the form score() takes, in place, once.
  void (*prepare_keys)(HeadSum kind, float *keys);
  void (*prepare_query)(HeadSum kind, float *query, int64_t heads);
  // weights [heads]; key_scale [kIndexerTile]. Writes kIndexerTile scores; entries of unused key columns mean nothing.
  void (*score)(HeadSum kind, bool round_to_bf16, const float *query, const float *weights, int64_t heads, const float *keys,
                const float *key_scale, float *scores);
};

}  // namespace sa
