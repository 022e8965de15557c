// One vector type per instruction set, chosen by the flags of the including file, which names its own namespace with
// SA_ISA: code for different instruction sets must never share a symbol, or the linker may keep the one that traps.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__AVX512F__) || defined(__AVX2__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

#include "meaning/tiles.h"

namespace sa::meaning::SA_ISA {

// kRows x kPanel sums live in registers at once: 12 of 16, 14 of 32, 24 of 32 and 12 of 16 vector registers.
#if defined(__AVX512F__)
constexpr int kLanes = 16, kRows = 14;
#elif defined(__AVX2__)
constexpr int kLanes = 8, kRows = 6;
#elif defined(__ARM_NEON)
constexpr int kLanes = 4, kRows = 6;
#else
constexpr int kLanes = 4, kRows = 3;
#endif
constexpr int kVecs = kPanel / kLanes;

typedef float Vec __attribute__((vector_size(4 * kLanes)));
typedef int32_t IntVec __attribute__((vector_size(4 * kLanes)));

inline Vec load(const float *from) {
  Vec value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

inline void store(float *to, Vec value) { std::memcpy(to, &value, sizeof value); }

inline Vec splat(float value) { return value - Vec{}; }

typedef float Quad __attribute__((vector_size(16)));

inline Quad load_quad(const float *from) {
  Quad value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// The sums of the lanes whose numbers differ by a multiple of four.
inline Quad fold(Vec value) {
#if defined(__AVX512F__)
  const auto low = __builtin_shufflevector(value, value, 0, 1, 2, 3, 4, 5, 6, 7);
  const auto half = low + __builtin_shufflevector(value, value, 8, 9, 10, 11, 12, 13, 14, 15);
  return __builtin_shufflevector(half, half, 0, 1, 2, 3) + __builtin_shufflevector(half, half, 4, 5, 6, 7);
#elif defined(__AVX2__)
  return __builtin_shufflevector(value, value, 0, 1, 2, 3) + __builtin_shufflevector(value, value, 4, 5, 6, 7);
#else
  return value;
#endif
}

// a * b + c with one rounding where the machine has it.
inline Vec fma(Vec a, Vec b, Vec c) {
#if defined(__AVX512F__)
  return Vec(_mm512_fmadd_ps(__m512(a), __m512(b), __m512(c)));
#elif defined(__AVX2__)
  return Vec(_mm256_fmadd_ps(__m256(a), __m256(b), __m256(c)));
#elif defined(__ARM_NEON)
  return Vec(vfmaq_f32(float32x4_t(c), float32x4_t(a), float32x4_t(b)));
#else
  return a * b + c;
#endif
}

// Keeps a value in a register where the compiler would rather read it from memory again and again.
inline void hold(Vec &value) {
#if defined(__AVX512F__)
  asm("" : "+v"(value));
#elif defined(__AVX2__)
  asm("" : "+x"(value));
#else
  (void)value;
#endif
}

// The larger one; b where one is NaN.
inline Vec larger(Vec a, Vec b) { return a > b ? a : b; }

// e^x for x <= 0, within 2 units in the last place; below -87.3 the result is 0, NaN stays NaN.
inline Vec exp_negative(Vec x) {
  const Vec low = splat(-87.3f);
  const Vec clamped = x < low ? low : x;
  const Vec magic = splat(12582912.0f);  // 1.5 * 2^23: adding it leaves the rounded integer in the low bits
  const Vec shifted = fma(clamped, splat(1.44269504f), magic);
  const Vec whole = shifted - magic;
  const Vec rest = fma(whole, splat(2.12194440e-4f), fma(whole, splat(-0.693359375f), clamped));
  Vec sum = splat(1.9875691500e-4f);
  sum = fma(sum, rest, splat(1.3981999507e-3f));
  sum = fma(sum, rest, splat(8.3334519073e-3f));
  sum = fma(sum, rest, splat(4.1665795894e-2f));
  sum = fma(sum, rest, splat(1.6666665459e-1f));
  sum = fma(sum, rest, splat(5.0000001201e-1f));
  sum = fma(sum * rest, rest, rest) + 1.0f;
  const Vec scaled = Vec(IntVec(sum) + (IntVec(shifted) << 23));
  return x < low ? Vec{} : (x == x ? scaled : x);
}

// Calls step.run<n>(first row) over `count` rows: `Rows` at a time, then the rest at once.
template <int Rows, class Step>
inline void in_pieces(int64_t first, int64_t count, Step &&step) {
  for (; first + Rows <= count; first += Rows) step.template run<Rows>(first);
  if constexpr (Rows > 1) in_pieces<Rows - 1>(first, count, step);
}

}  // namespace sa::meaning::SA_ISA
