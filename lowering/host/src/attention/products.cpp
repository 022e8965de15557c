#include "attention/products.h"

// The same source for two instruction sets, chosen when the library is loaded. Contraction is off and lanes are spelled
// out, so both give the same bits. Sanitizers run before such a choice can be made.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(SPARSE_ATTN_SANITIZED)
#define SA_TWO_VERSIONS __attribute__((target_clones("avx2", "default")))
#else
#define SA_TWO_VERSIONS
#endif
#define SA_INLINE inline __attribute__((always_inline))

namespace sa {
namespace {

typedef float Lanes __attribute__((vector_size(32), aligned(4), may_alias));

template <int Heads>
SA_INLINE void score_block(const float *query, const float *key, int64_t width, float *scores) {
  Lanes even[Heads] = {}, odd[Heads] = {};
  const float *next = key + width + kTilePad;
  for (int64_t d = 0; d < width; d += 8) {
    const Lanes x = *reinterpret_cast<const Lanes *>(key + d), y = *reinterpret_cast<const Lanes *>(next + d);
    for (int h = 0; h < Heads; ++h) {
      const Lanes q = *reinterpret_cast<const Lanes *>(query + h * width + d);
      even[h] += q * x;
      odd[h] += q * y;
    }
  }
  for (int h = 0; h < Heads; ++h) {
    float a = 0, b = 0;
    for (int lane = 0; lane < 8; ++lane) a += even[h][lane], b += odd[h][lane];
    scores[h * kTileKeys] = a;
    scores[h * kTileKeys + 1] = b;
  }
}

template <int Heads>
SA_INLINE void value_block(const float *weights, const float *values, int64_t stride, int64_t keys, int64_t columns,
                           const float *shrink, float scale, float *out) {
  Lanes low[Heads] = {}, high[Heads] = {};
  for (int64_t j = 0; j < keys; ++j) {
    const Lanes x = *reinterpret_cast<const Lanes *>(values + j * stride);
    const Lanes y = *reinterpret_cast<const Lanes *>(values + j * stride + 8);
    for (int h = 0; h < Heads; ++h) {
      low[h] += weights[h * kTileKeys + j] * x;
      high[h] += weights[h * kTileKeys + j] * y;
    }
  }
  for (int h = 0; h < Heads; ++h) {
    Lanes *target = reinterpret_cast<Lanes *>(out + h * columns);
    target[0] = target[0] * shrink[h] + low[h] * scale;
    target[1] = target[1] * shrink[h] + high[h] * scale;
  }
}

}  // namespace

SA_TWO_VERSIONS
void tile_scores(const float *query, int64_t heads, const float *keys, int64_t key_count, int64_t width, float *scores) {
  for (int64_t j = 0; j < key_count; j += 2) {
    const float *key = keys + j * (width + kTilePad);
    int64_t h = 0;
    for (; h + 4 <= heads; h += 4) score_block<4>(query + h * width, key, width, scores + h * kTileKeys + j);
    for (; h < heads; ++h) score_block<1>(query + h * width, key, width, scores + h * kTileKeys + j);
  }
}

SA_TWO_VERSIONS
void tile_accumulate(const float *weights, int64_t heads, const float *values, int64_t stride, int64_t key_count,
                     int64_t columns, const float *shrink, float scale, float *out) {
  for (int64_t d = 0; d < columns; d += 16) {
    int64_t h = 0;
    for (; h + 4 <= heads; h += 4)
      value_block<4>(weights + h * kTileKeys, values + d, stride, key_count, columns, shrink + h, scale,
                     out + h * columns + d);
    for (; h < heads; ++h)
      value_block<1>(weights + h * kTileKeys, values + d, stride, key_count, columns, shrink + h, scale,
                     out + h * columns + d);
  }
}

}  // namespace sa
