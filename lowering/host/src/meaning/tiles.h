// The inner loops of the meaning-level kernels and the indexers, one table of functions per instruction set.
//
// A panel holds kPanel columns (heads or keys) interleaved: panel[d * kPanel + column]. The order of every sum is that of
// the index summed over, so a result does not depend on where its row or column lies in a tile.
#pragma once

#include <cstdint>

#include "indexer/scoring.h"

namespace sa::meaning {

constexpr int64_t kPanel = 16;
// Rows of a tile lie this much further apart than they are wide: power-of-two distances would share few cache sets.
constexpr int64_t kTilePad = 16;
// Rows that are streamed at once: enough to hide the time of one sum, few enough for the machine's own prefetching.
constexpr int64_t kStreamRows = 4;

struct Tiles {
  const char *name;

  // `count` contiguous fp32, bf16 or fp16 values to fp32, and back (rounding to nearest even).
  void (*widen)(const void *from, int32_t dtype, int64_t count, float *to);
  void (*narrow)(const float *from, int64_t count, void *to, int32_t dtype);

  // panel[d * kPanel + r] = rows[r * stride + d] for r < count <= kPanel; the other columns are 0.
  void (*pack)(const float *rows, int64_t stride, int64_t count, int64_t width, float *panel);

  // out[j * out_stride + c] = <row j, column c of the panel>.
  void (*products)(const float *panel, int64_t width, const float *rows, int64_t stride, int64_t count, float *out,
                   int64_t out_stride);

  // out[c] = sum over heads of factors[h] * act(scale * <query h, column c>); relu says which act. Queries lie `width` apart.
  void (*index_heads)(const float *panel, int64_t width, const float *queries, int64_t heads, const float *factors,
                      float scale, bool relu, float *out);

  // One step of a softmax over scores[j * lanes + m], lane by lane: scores become weights relative to the new peak,
  // peak and total are brought up to date, shrink is the factor of what was summed before. lanes % kPanel == 0.
  void (*softmax_step)(float *scores, int64_t lanes, int64_t keys, float *peak, float *total, float *shrink);

  // out[m * out_stride + d] = shrink[m] * out[...] + sum_j weights[j * lanes + m] * values[j * stride + d], m < rows.
  // `columns` is a multiple of kPanel.
  void (*accumulate)(const float *weights, int64_t lanes, int64_t rows, const float *values, int64_t stride, int64_t keys,
                     int64_t columns, const float *shrink, float *out, int64_t out_stride);

  // Few heads and `count` <= kStreamRows rows of fp32, bf16 or fp16, each contiguous, anywhere in memory.
  // out[j * out_stride + h] = <query h, row j>; queries lie `stride` apart.
  void (*dots)(const void *const *rows, int64_t count, int32_t dtype, int64_t width, const float *queries, int64_t stride,
               int64_t heads, float *out, int64_t out_stride);
  // out[h * out_stride + d] += sum_j weights[j * weight_stride + h] * row j [d], d < columns.
  void (*add_rows)(const void *const *rows, int64_t count, int32_t dtype, int64_t columns, const float *weights,
                   int64_t weight_stride, int64_t heads, float *out, int64_t out_stride);

  // Of the kernel-level indexers.
  TileScorer scorer;
};

// The fastest table this machine runs, or the one the environment variable SPARSE_ATTN_ISA names; fails on another name.
const Tiles &tiles();

// Compiled for this architecture; null where the compiler could not.
const Tiles *tiles_portable();
const Tiles *tiles_avx2();
const Tiles *tiles_avx512();
const Tiles *tiles_neon();

}  // namespace sa::meaning
