// The tables' functions, written once over simd.h. Each tiles_<isa>.cpp includes this with SA_ISA defined.
#pragma once

#include "core/numbers.h"
#include "indexer/scoring_impl.h"
#include "meaning/simd.h"
#include "meaning/tiles_stream.h"

namespace sa::meaning::SA_ISA {

// ---- conversions -----------------------------------------------------------------------------------------------------

inline void widen(const void *from, int32_t dtype, int64_t count, float *to) {
  if (dtype == SA_FP32) {
    if (count > 0) std::memcpy(to, from, size_t(count) * sizeof(float));
    return;
  }
  const auto *bits = static_cast<const uint16_t *>(from);
  int64_t i = 0;
  if (dtype == SA_BF16) {
    for (; i < count; ++i) {
      const uint32_t word = uint32_t(bits[i]) << 16;
      std::memcpy(to + i, &word, sizeof word);
    }
    return;
  }
#if defined(__F16C__)
  for (; i + 8 <= count; i += 8)
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i *>(bits + i))));
#endif
  for (; i < count; ++i) to[i] = fp16_bits_to_float(bits[i]);
}

inline void narrow(const float *from, int64_t count, void *to, int32_t dtype) {
  if (dtype == SA_FP32) {
    if (count > 0) std::memcpy(to, from, size_t(count) * sizeof(float));
    return;
  }
  auto *bits = static_cast<uint16_t *>(to);
  int64_t i = 0;
  if (dtype == SA_BF16) {
    for (; i < count; ++i) {
      uint32_t word;
      std::memcpy(&word, from + i, sizeof word);
      const uint32_t rounded = (word + 0x7FFFu + ((word >> 16) & 1u)) >> 16;
      bits[i] = uint16_t((word & 0x7FFFFFFFu) > 0x7F800000u ? (word >> 16) | 0x40u : rounded);
    }
    return;
  }
#if defined(__F16C__)
  for (; i + 8 <= count; i += 8)
    _mm_storeu_si128(reinterpret_cast<__m128i *>(bits + i), _mm256_cvtps_ph(_mm256_loadu_ps(from + i), 0));
#endif
  for (; i < count; ++i) bits[i] = float_to_fp16_bits(from[i]);
}

// ---- packing ---------------------------------------------------------------------------------------------------------

// The 4 x 4 block at rows, transposed into the panel.
inline void transpose_quad(const float *rows, int64_t stride, float *panel) {
  const Quad a = load_quad(rows), b = load_quad(rows + stride);
  const Quad c = load_quad(rows + 2 * stride), d = load_quad(rows + 3 * stride);
  const Quad ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
  const Quad cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  const Quad columns[4] = {__builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5), __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7),
                           __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5),
                           __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7)};
  for (int i = 0; i < 4; ++i) std::memcpy(panel + i * kPanel, &columns[i], sizeof(Quad));
}

inline void pack(const float *rows, int64_t stride, int64_t count, int64_t width, float *panel) {
  int64_t r = 0;
  for (; r + 4 <= count; r += 4) {
    int64_t d = 0;
    for (; d + 4 <= width; d += 4) transpose_quad(rows + r * stride + d, stride, panel + d * kPanel + r);
    for (; d < width; ++d)
      for (int64_t i = r; i < r + 4; ++i) panel[d * kPanel + i] = rows[i * stride + d];
  }
  for (; r < kPanel; ++r)
    for (int64_t d = 0; d < width; ++d) panel[d * kPanel + r] = r < count ? rows[r * stride + d] : 0.0f;
}

// ---- rows times a panel ----------------------------------------------------------------------------------------------

// sums[r][v] += rows[r * stride + d] * panel[d], for d in [0, width).
template <int Rows>
inline void multiply(const float *panel, int64_t width, const float *rows, int64_t stride, Vec (&sums)[Rows][kVecs]) {
  for (int64_t d = 0; d < width; ++d) {
    Vec columns[kVecs];
    for (int v = 0; v < kVecs; ++v) hold(columns[v] = load(panel + d * kPanel + v * kLanes));
    for (int r = 0; r < Rows; ++r) {
      const Vec value = splat(rows[r * stride + d]);
      for (int v = 0; v < kVecs; ++v) sums[r][v] = fma(value, columns[v], sums[r][v]);
    }
  }
}

struct Products {
  const float *panel, *rows;
  int64_t width, stride;
  bool resume;
  float *out;
  int64_t out_stride;

  template <int Rows>
  void run(int64_t first) {
    Vec sums[Rows][kVecs] = {};
    float *target = out + first * out_stride;
    if (resume)
      for (int r = 0; r < Rows; ++r)
        for (int v = 0; v < kVecs; ++v) sums[r][v] = load(target + r * out_stride + v * kLanes);
    multiply<Rows>(panel, width, rows + first * stride, stride, sums);
    for (int r = 0; r < Rows; ++r)
      for (int v = 0; v < kVecs; ++v) store(target + r * out_stride + v * kLanes, sums[r][v]);
  }
};

// A longer panel is taken in parts, so that one part stays in the first-level cache.
constexpr int64_t kPanelPart = 256;

inline void products(const float *panel, int64_t width, const float *rows, int64_t stride, int64_t count, float *out,
                     int64_t out_stride) {
  int64_t done = 0;
  do {
    const int64_t part = width - done < kPanelPart ? width - done : kPanelPart;
    Products step{panel + done * kPanel, rows + done, part, stride, done > 0, out, out_stride};
    in_pieces<kRows>(0, count, step);
    done += part;
  } while (done < width);
}

struct IndexHeads {
  const float *panel, *queries;
  int64_t width;
  const float *factors;
  float scale;
  bool relu;
  Vec total[kVecs];

  template <int Rows>
  void run(int64_t first) {
    Vec sums[Rows][kVecs] = {};
    multiply<Rows>(panel, width, queries + first * width, width, sums);
    for (int r = 0; r < Rows; ++r)
      for (int v = 0; v < kVecs; ++v) {
        Vec score = sums[r][v] * scale;
        if (relu) score = score < Vec{} ? Vec{} : score;
        total[v] = fma(score, splat(factors[first + r]), total[v]);
      }
  }
};

inline void index_heads(const float *panel, int64_t width, const float *queries, int64_t heads, const float *factors,
                        float scale, bool relu, float *out) {
  IndexHeads step{panel, queries, width, factors, scale, relu, {}};
  in_pieces<kRows>(0, heads, step);
  for (int v = 0; v < kVecs; ++v) store(out + v * kLanes, step.total[v]);
}

// ---- softmax ---------------------------------------------------------------------------------------------------------

inline void softmax_step(float *scores, int64_t lanes, int64_t keys, float *peak, float *total, float *shrink) {
  const Vec none = splat(-__builtin_inff());
  for (int64_t m = 0; m < lanes; m += kLanes) {
    const Vec before = load(peak + m);
    Vec top = before;
    for (int64_t j = 0; j < keys; ++j) top = larger(load(scores + j * lanes + m), top);
    const Vec base = top == none ? Vec{} : top;  // nothing seen yet: every weight is exp(-inf) = 0
    const Vec factor = exp_negative(before - base);
    Vec sum = load(total + m) * factor;
    for (int64_t j = 0; j < keys; ++j) {
      const Vec weight = exp_negative(load(scores + j * lanes + m) - base);
      store(scores + j * lanes + m, weight);
      sum += weight;
    }
    store(peak + m, top);
    store(total + m, sum);
    store(shrink + m, factor);
  }
}

// ---- weighted sum of values ------------------------------------------------------------------------------------------

struct Accumulate {
  const float *weights, *values;
  int64_t lanes, stride, keys;
  const float *shrink;
  float *out;
  int64_t out_stride;

  template <int Rows>
  void run(int64_t first) {
    Vec sums[Rows][kVecs];
    float *target = out + first * out_stride;
    for (int r = 0; r < Rows; ++r)
      for (int v = 0; v < kVecs; ++v) sums[r][v] = load(target + r * out_stride + v * kLanes) * shrink[first + r];
    const float *weight = weights + first;
    for (int64_t j = 0; j < keys; ++j, weight += lanes) {
      Vec value[kVecs];
      for (int v = 0; v < kVecs; ++v) hold(value[v] = load(values + j * stride + v * kLanes));
      for (int r = 0; r < Rows; ++r)
        for (int v = 0; v < kVecs; ++v) sums[r][v] = fma(splat(weight[r]), value[v], sums[r][v]);
    }
    for (int r = 0; r < Rows; ++r)
      for (int v = 0; v < kVecs; ++v) store(target + r * out_stride + v * kLanes, sums[r][v]);
  }
};

inline void accumulate(const float *weights, int64_t lanes, int64_t rows, const float *values, int64_t stride, int64_t keys,
                       int64_t columns, const float *shrink, float *out, int64_t out_stride) {
  for (int64_t d = 0; d < columns; d += kPanel) {
    Accumulate step{weights, values + d, lanes, stride, keys, shrink, out + d, out_stride};
    in_pieces<kRows>(0, rows, step);
  }
}

inline const Tiles *table(const char *name) {
  static const Tiles functions = {name, widen, narrow, pack, products, index_heads, softmax_step, accumulate, dots, add_rows,
                                  {prepare_keys, prepare_query, score_tile}};
  return &functions;
}

}  // namespace sa::meaning::SA_ISA
