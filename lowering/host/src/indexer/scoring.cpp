#include "indexer/scoring.h"

#include <cmath>
#include <cstring>

#include "core/numbers.h"

// The same body is compiled for several instruction sets and chosen once at run time. Sanitized and other builds use the
// portable version only.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(SPARSE_ATTN_SANITIZED)
#define SA_X86_VERSIONS 1
#endif
#define SA_INLINE inline __attribute__((always_inline))

namespace sa {
namespace {

constexpr int64_t kTile = kIndexerTile;
constexpr int kHeadBlock = 4;

template <int Width>
struct Lanes { typedef float type __attribute__((vector_size(Width * sizeof(float)))); };

// Dot products of Heads query rows with Vectors * Width keys; every product and every sum rounds on its own.
template <int Width, int Vectors, int Heads>
SA_INLINE void dots_block(const float *query, const float *keys, float *dots) {
  using Vector = typename Lanes<Width>::type;
  Vector total[Heads][Vectors] = {};
  for (int64_t d = 0; d < kIndexerDepth; ++d) {
    Vector key[Vectors];
    for (int v = 0; v < Vectors; ++v) std::memcpy(&key[v], keys + d * kTile + v * Width, sizeof(Vector));
    for (int h = 0; h < Heads; ++h) {
      const float element = query[h * kIndexerDepth + d];
      for (int v = 0; v < Vectors; ++v) total[h][v] += key[v] * element;
    }
  }
  for (int h = 0; h < Heads; ++h)
    for (int v = 0; v < Vectors; ++v) std::memcpy(dots + h * kTile + v * Width, &total[h][v], sizeof(Vector));
}

// Dot products of up to kHeadBlock heads with the whole tile.
template <int Width, int Vectors>
SA_INLINE void dots_tile(const float *query, int64_t heads, const float *keys, float *dots) {
  for (int64_t first = 0; first < kTile; first += Width * Vectors) {
    if (heads == kHeadBlock)
      dots_block<Width, Vectors, kHeadBlock>(query, keys + first, dots + first);
    else
      for (int64_t h = 0; h < heads; ++h)
        dots_block<Width, Vectors, 1>(query + h * kIndexerDepth, keys + first, dots + h * kTile + first);
  }
}

SA_INLINE float relu(float value) { return value < 0 ? 0.0f : value; }

// Multiples of 2^-10 below 65504: zero or normal fp16 numbers, so rounding is a matter of the 13 low bits.
SA_INLINE float round_half_dot(float value) {
  const uint32_t bits = float_bits(value);
  return bits_float((bits + 0xFFFu + ((bits >> 13) & 1u)) & ~0x1FFFu);
}

// a + b rounded once to bf16. The double sum is first rounded to odd (when inexact, its last bit is set), which makes the
// second rounding harmless.
SA_INLINE float add_to_bf16(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  const double lost = (a - (sum - part)) + (b - part);
  uint64_t bits;
  std::memcpy(&bits, &sum, sizeof bits);
  const bool nudge = (lost > 0 || lost < 0) && !(bits & 1);  // not for NaN: infinities stay
  const bool outward = (lost > 0) == (sum > 0);
  bits += nudge ? (outward ? 1 : ~uint64_t(0)) : 0;
  double odd;
  std::memcpy(&odd, &bits, sizeof odd);
  // bf16 has 8 significant bits: a float that keeps the odd bit below them rounds on correctly.
  const float narrow = static_cast<float>(odd);
  uint32_t word = float_bits(narrow);
  if (static_cast<double>(narrow) != odd && !(word & 1))
    word += (odd > narrow) == (narrow > 0 || (narrow == 0 && odd > 0)) ? 1 : ~uint32_t(0);
  return round_bf16(bits_float(word));
}

SA_INLINE void add_head(HeadSum kind, float weight, const float *dots, float *total) {
  switch (kind) {
    case HeadSum::kFloat:
      for (int64_t j = 0; j < kTile; ++j) total[j] += weight * relu(dots[j]);
      return;
    case HeadSum::kHalfDots:
      for (int64_t j = 0; j < kTile; ++j) total[j] += weight * round_half_dot(relu(dots[j] * (1.0f / 1024.0f)));
      return;
    case HeadSum::kFused:
      for (int64_t j = 0; j < kTile; ++j) total[j] = __builtin_fmaf(weight, relu(dots[j]), total[j]);
      return;
    case HeadSum::kFusedBf16:
      for (int64_t j = 0; j < kTile; ++j)
        total[j] = add_to_bf16(double(weight) * double(round_bf16(relu(dots[j]))), total[j]);
      return;
  }
}

template <int Width, int Vectors>
SA_INLINE void score_body(HeadSum kind, bool round_to_bf16, const float *query, const float *weights, int64_t heads,
                          const float *keys, const float *key_scale, float *scores) {
  float dots[kHeadBlock * kTile], total[kTile] = {};
  for (int64_t first = 0; first < heads; first += kHeadBlock) {
    const int64_t count = heads - first < kHeadBlock ? heads - first : kHeadBlock;
    dots_tile<Width, Vectors>(query + first * kIndexerDepth, count, keys, dots);
    for (int64_t h = 0; h < count; ++h) add_head(kind, weights[first + h], dots + h * kTile, total);
  }
  const bool scaled = kind == HeadSum::kFloat || kind == HeadSum::kHalfDots;
  for (int64_t j = 0; j < kTile; ++j) {
    const float score = scaled ? total[j] * key_scale[j] : total[j];
    scores[j] = round_to_bf16 ? round_bf16(score) : score;
  }
}

using ScoreTile = decltype(&score_tile);

void score_portable(HeadSum kind, bool round_to_bf16, const float *query, const float *weights, int64_t heads,
                    const float *keys, const float *key_scale, float *scores) {
  score_body<4, 2>(kind, round_to_bf16, query, weights, heads, keys, key_scale, scores);
}

#ifdef SA_X86_VERSIONS
__attribute__((target("avx2,fma"))) void score_avx2(HeadSum kind, bool round_to_bf16, const float *query,
                                                    const float *weights, int64_t heads, const float *keys,
                                                    const float *key_scale, float *scores) {
  score_body<8, 2>(kind, round_to_bf16, query, weights, heads, keys, key_scale, scores);
}

__attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,fma"))) void score_avx512(
    HeadSum kind, bool round_to_bf16, const float *query, const float *weights, int64_t heads, const float *keys,
    const float *key_scale, float *scores) {
  score_body<16, 2>(kind, round_to_bf16, query, weights, heads, keys, key_scale, scores);
}
#endif

ScoreTile choose() {
#ifdef SA_X86_VERSIONS
  if (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
    return score_avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return score_avx2;
#endif
  return score_portable;
}

}  // namespace

void score_tile(HeadSum kind, bool round_to_bf16, const float *query, const float *weights, int64_t heads, const float *keys,
                const float *key_scale, float *scores) {
  static const ScoreTile chosen = choose();
  chosen(kind, round_to_bf16, query, weights, heads, keys, key_scale, scores);
}

}  // namespace sa
