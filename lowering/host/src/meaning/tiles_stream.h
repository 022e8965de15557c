// Rows of keys and values read once where they lie, in the format they are stored in: few heads share each of them.
#pragma once

#include "core/numbers.h"
#include "meaning/simd.h"

namespace sa::meaning::SA_ISA {

// Elements [d, d + kLanes) of a row as fp32.
template <int32_t Dtype>
inline Vec load_as(const void *row, int64_t d) {
  if constexpr (Dtype == SA_FP32) {
    return load(static_cast<const float *>(row) + d);
  } else {
    typedef uint16_t Halves __attribute__((vector_size(2 * kLanes)));
    typedef uint32_t Words __attribute__((vector_size(4 * kLanes)));
    const auto *from = static_cast<const uint16_t *>(row) + d;
    Halves halves;
    std::memcpy(&halves, from, sizeof halves);
    if constexpr (Dtype == SA_BF16) return Vec(__builtin_convertvector(halves, Words) << 16);
#if defined(__AVX512F__)
    return Vec(_mm512_maskz_cvtph_ps(0xFFFF, __m256i(halves)));
#elif defined(__AVX2__)
    return Vec(_mm256_cvtph_ps(__m128i(halves)));
#elif defined(__ARM_NEON)
    return Vec(vcvt_f32_f16(vreinterpret_f16_u16(uint16x4_t(halves))));
#else
    Vec value;
    for (int i = 0; i < kLanes; ++i) value[i] = fp16_bits_to_float(halves[i]);
    return value;
#endif
  }
}

template <int32_t Dtype>
inline float element_as(const void *row, int64_t d) {
  if constexpr (Dtype == SA_FP32) return static_cast<const float *>(row)[d];
  const uint16_t bits = static_cast<const uint16_t *>(row)[d];
  return Dtype == SA_BF16 ? bits_float(uint32_t(bits) << 16) : fp16_bits_to_float(bits);
}

// The sums over the lanes of four vectors at once: one transposition instead of four times as many steps.
inline Quad sums_of(const Vec (&values)[kStreamRows]) {
  const Quad a = fold(values[0]), b = fold(values[1]), c = fold(values[2]), d = fold(values[3]);
  const Quad ab = __builtin_shufflevector(a, b, 0, 4, 1, 5) + __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Quad cd = __builtin_shufflevector(c, d, 0, 4, 1, 5) + __builtin_shufflevector(c, d, 2, 6, 3, 7);
  return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

template <int32_t Dtype, int Keys>
struct Dots {
  const void *const *rows;
  int64_t width;
  const float *queries;
  int64_t stride;
  float *out;
  int64_t out_stride;

  template <int Heads>
  void run(int64_t first) {
    Vec sums[Heads][kStreamRows] = {};
    const float *query = queries + first * stride;
    int64_t d = 0;
    for (; d + kLanes <= width; d += kLanes) {
      Vec key[Keys];
      for (int j = 0; j < Keys; ++j) key[j] = load_as<Dtype>(rows[j], d);
      for (int h = 0; h < Heads; ++h) {
        const Vec column = load(query + h * stride + d);
        for (int j = 0; j < Keys; ++j) sums[h][j] = fma(key[j], column, sums[h][j]);
      }
    }
    Quad all[Heads];
#pragma GCC unroll 4
    for (int h = 0; h < Heads; ++h) all[h] = sums_of(sums[h]);
    for (; d < width; ++d)
      for (int h = 0; h < Heads; ++h)
        for (int j = 0; j < Keys; ++j) all[h][j] += element_as<Dtype>(rows[j], d) * query[h * stride + d];
#pragma GCC unroll 4
    for (int h = 0; h < Heads; ++h)
#pragma GCC unroll 4
      for (int j = 0; j < Keys; ++j) out[j * out_stride + first + h] = all[h][j];
  }
};

template <int32_t Dtype, int Keys>
struct AddRows {
  const void *const *rows;
  int64_t columns;
  const float *weights;
  int64_t weight_stride;
  float *out;
  int64_t out_stride;

  template <int Heads>
  void run(int64_t first) {
    float *target = out + first * out_stride;
    const float *weight = weights + first;
    Vec factor[Heads][Keys];
    for (int h = 0; h < Heads; ++h)
      for (int j = 0; j < Keys; ++j) factor[h][j] = splat(weight[j * weight_stride + h]);
    int64_t d = 0;
    for (; d + kLanes <= columns; d += kLanes) {
      Vec value[Keys];
      for (int j = 0; j < Keys; ++j) value[j] = load_as<Dtype>(rows[j], d);
      for (int h = 0; h < Heads; ++h) {
        Vec sum = load(target + h * out_stride + d);
        for (int j = 0; j < Keys; ++j) sum = fma(factor[h][j], value[j], sum);
        store(target + h * out_stride + d, sum);
      }
    }
    for (; d < columns; ++d)
      for (int h = 0; h < Heads; ++h)
        for (int j = 0; j < Keys; ++j)
          target[h * out_stride + d] += weight[j * weight_stride + h] * element_as<Dtype>(rows[j], d);
  }
};

// Makes Step<dtype, number of rows> of `step`'s arguments and runs it over the heads, kStreamHeads at a time.
template <template <int32_t, int> class Step, int32_t Dtype, class... Arguments>
inline void with_rows(int64_t count, int64_t heads, const void *const *rows, Arguments... arguments) {
  constexpr int kStreamHeads = 2;
  if (count == kStreamRows)
    in_pieces<kStreamHeads>(0, heads, Step<Dtype, kStreamRows>{rows, arguments...});
  else if (count == 3)
    in_pieces<kStreamHeads>(0, heads, Step<Dtype, 3>{rows, arguments...});
  else if (count == 2)
    in_pieces<kStreamHeads>(0, heads, Step<Dtype, 2>{rows, arguments...});
  else if (count == 1)
    in_pieces<kStreamHeads>(0, heads, Step<Dtype, 1>{rows, arguments...});
}

inline void dots(const void *const *rows, int64_t count, int32_t dtype, int64_t width, const float *queries, int64_t stride,
                 int64_t heads, float *out, int64_t out_stride) {
  if (dtype == SA_FP32) return with_rows<Dots, SA_FP32>(count, heads, rows, width, queries, stride, out, out_stride);
  if (dtype == SA_BF16) return with_rows<Dots, SA_BF16>(count, heads, rows, width, queries, stride, out, out_stride);
  with_rows<Dots, SA_FP16>(count, heads, rows, width, queries, stride, out, out_stride);
}

inline void add_rows(const void *const *rows, int64_t count, int32_t dtype, int64_t columns, const float *weights,
                     int64_t weight_stride, int64_t heads, float *out, int64_t out_stride) {
  if (dtype == SA_FP32) return with_rows<AddRows, SA_FP32>(count, heads, rows, columns, weights, weight_stride, out, out_stride);
  if (dtype == SA_BF16) return with_rows<AddRows, SA_BF16>(count, heads, rows, columns, weights, weight_stride, out, out_stride);
  with_rows<AddRows, SA_FP16>(count, heads, rows, columns, weights, weight_stride, out, out_stride);
}

}  // namespace sa::meaning::SA_ISA
