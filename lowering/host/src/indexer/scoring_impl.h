// The functions of a TileScorer, compiled once per instruction set: the including file defines SA_ISA.
#pragma once

#include <cmath>
#include <cstring>

#include "core/numbers.h"
#include "indexer/scoring.h"
#include "meaning/simd.h"

namespace sa::meaning::SA_ISA {

constexpr int64_t kTile = kIndexerTile, kDepth = kIndexerDepth;
constexpr int kHeadBlock = 4, kTogether = 2 * kLanes;  // heads and keys whose sums are in registers at once
static_assert(kTile % kTogether == 0, "a tile is whole blocks of keys");

// ---- dot products of floats --------------------------------------------------------------------------------------------

// Dot products of Heads query rows with 2 * kLanes keys. Every product and every sum rounds on its own; where products are
// exact (Exact) a fused step gives the same bits.
template <int Heads, bool Exact>
inline void dots_block(const float *query, const float *keys, float *dots) {
  Vec total[Heads][2] = {};
  for (int64_t d = 0; d < kDepth; ++d) {
    const Vec key[2] = {load(keys + d * kTile), load(keys + d * kTile + kLanes)};
    for (int h = 0; h < Heads; ++h) {
      const Vec element = splat(query[h * kDepth + d]);
      for (int v = 0; v < 2; ++v) total[h][v] = Exact ? fma(key[v], element, total[h][v]) : total[h][v] + key[v] * element;
    }
  }
  for (int h = 0; h < Heads; ++h)
    for (int v = 0; v < 2; ++v) store(dots + h * kTile + v * kLanes, total[h][v]);
}

// Dot products of up to kHeadBlock heads with the whole tile.
template <bool Exact>
inline void dots_tile(const float *query, int64_t heads, const float *keys, float *dots) {
  for (int64_t first = 0; first < kTile; first += kTogether) {
    if (heads == kHeadBlock)
      dots_block<kHeadBlock, Exact>(query, keys + first, dots + first);
    else
      for (int64_t h = 0; h < heads; ++h)
        dots_block<1, Exact>(query + h * kDepth, keys + first, dots + h * kTile + first);
  }
}

// ---- dot products of 8-bit integers ------------------------------------------------------------------------------------

// Two neighbouring elements of a row in one number, which a multiplication of pairs takes.
typedef int32_t PairVec __attribute__((vector_size(4 * kLanes)));

inline PairVec load_pairs(const float *from) {
  PairVec pairs;
  std::memcpy(&pairs, from, sizeof pairs);
  return pairs;
}

inline PairVec pairs_of(Vec low, Vec high) {
  return (__builtin_convertvector(low, PairVec) & 0xFFFF) | (__builtin_convertvector(high, PairVec) << 16);
}

// sum + low product + high product, lane by lane; exact, as every product of int8 numbers fits.
inline PairVec add_products(PairVec a, PairVec b, PairVec sum) {
#if defined(__AVX512BW__)
  return sum + PairVec(_mm512_madd_epi16(__m512i(a), __m512i(b)));
#elif defined(__AVX2__)
  return sum + PairVec(_mm256_madd_epi16(__m256i(a), __m256i(b)));
#else
  return sum + ((a << 16) >> 16) * ((b << 16) >> 16) + (a >> 16) * (b >> 16);
#endif
}

// In place: [depth][keys] numbers become [depth / 2][keys] pairs.
inline void prepare_keys(HeadSum kind, float *keys) {
  if (kind != HeadSum::kHalfDots) return;
  for (int64_t d = 0; d < kDepth; d += 2)
    for (int64_t j = 0; j < kTile; j += kLanes) {
      const PairVec pairs = pairs_of(load(keys + d * kTile + j), load(keys + (d + 1) * kTile + j));
      std::memcpy(keys + d / 2 * kTile + j, &pairs, sizeof pairs);
    }
}

// In place: [heads][depth] numbers become [heads][depth / 2] pairs; 16-bit neighbours are pairs where the low half is first.
inline void prepare_query(HeadSum kind, float *query, int64_t heads) {
  typedef int16_t Halves __attribute__((vector_size(2 * kLanes)));
  if (kind != HeadSum::kHalfDots) return;
  auto *pairs = reinterpret_cast<char *>(query);
  for (int64_t i = 0; i < heads * kDepth; i += kLanes, pairs += sizeof(Halves)) {
    const Halves halves = __builtin_convertvector(load(query + i), Halves);
    std::memcpy(pairs, &halves, sizeof halves);
  }
}

template <int Heads>
inline void integer_dots_block(const float *query, const float *keys, float *dots) {
  PairVec total[Heads][2] = {};
#pragma GCC unroll 2
  for (int64_t d = 0; d < kDepth / 2; ++d) {
    const PairVec key[2] = {load_pairs(keys + d * kTile), load_pairs(keys + d * kTile + kLanes)};
    for (int h = 0; h < Heads; ++h) {
      int32_t pair;
      std::memcpy(&pair, query + h * kDepth / 2 + d, sizeof pair);
      const PairVec element = pair - PairVec{};
      for (int v = 0; v < 2; ++v) total[h][v] = add_products(key[v], element, total[h][v]);
    }
  }
  for (int h = 0; h < Heads; ++h)
    for (int v = 0; v < 2; ++v) store(dots + h * kTile + v * kLanes, __builtin_convertvector(total[h][v], Vec));
}

// As dots_tile, of prepared operands: a dot product of int8 numbers is an integer that fp32 holds.
inline void integer_dots_tile(const float *query, int64_t heads, const float *keys, float *dots) {
  for (int64_t first = 0; first < kTile; first += kTogether) {
    if (heads == kHeadBlock)
      integer_dots_block<kHeadBlock>(query, keys + first, dots + first);
    else
      for (int64_t h = 0; h < heads; ++h) integer_dots_block<1>(query + h * kDepth / 2, keys + first, dots + h * kTile + first);
  }
}

// ---- heads ---------------------------------------------------------------------------------------------------------

inline float relu(float value) { return value < 0 ? 0.0f : value; }

// Multiples of 2^-10 below 65504: zero or normal fp16 numbers, so rounding is a matter of the 13 low bits.
inline float round_half_dot(float value) {
  const uint32_t bits = float_bits(value);
  return bits_float((bits + 0xFFFu + ((bits >> 13) & 1u)) & ~0x1FFFu);
}

// a + b rounded once to bf16. The double sum is first rounded to odd (when inexact, its last bit is set), which makes the
// second rounding harmless.
inline float add_to_bf16(double a, double b) {
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

inline void add_head(HeadSum kind, float weight, const float *dots, float *total) {
  switch (kind) {
    case HeadSum::kFloat:
    case HeadSum::kExact:
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

inline void score_tile(HeadSum kind, bool round_to_bf16, const float *query, const float *weights, int64_t heads, const float *keys,
                       const float *key_scale, float *scores) {
  float dots[kHeadBlock * kTile], total[kTile] = {};
  for (int64_t first = 0; first < heads; first += kHeadBlock) {
    const int64_t count = heads - first < kHeadBlock ? heads - first : kHeadBlock;
    if (kind == HeadSum::kHalfDots)
      integer_dots_tile(query + first * kDepth / 2, count, keys, dots);
    else if (kind == HeadSum::kExact)
      dots_tile<true>(query + first * kDepth, count, keys, dots);
    else
      dots_tile<false>(query + first * kDepth, count, keys, dots);
    for (int64_t h = 0; h < count; ++h) add_head(kind, weights[first + h], dots + h * kTile, total);
  }
  const bool scaled = kind == HeadSum::kFloat || kind == HeadSum::kExact || kind == HeadSum::kHalfDots;
  for (int64_t j = 0; j < kTile; ++j) {
    const float score = scaled ? total[j] * key_scale[j] : total[j];
    scores[j] = round_to_bf16 ? round_bf16(score) : score;
  }
}

}  // namespace sa::meaning::SA_ISA
