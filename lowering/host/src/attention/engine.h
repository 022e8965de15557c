// The tile engine: attention of query rows over chosen key rows, for any row format and any rounding of probabilities.
//
// Two passes over the rows. The first resolves every key address, which checks every index and block id; the second
// computes, writes results and cannot fail. One unit of work is (row, range of heads); a unit owns its results and its
// sums run in key order, so the number of threads changes no bit.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "attention/formats.h"
#include "attention/products.h"
#include "core/parallel.h"

namespace sa {

// One query row: row `index` of the `used` ones of its batch; `flat` numbers it in the query tensor, padding included.
struct QueryRow {
  int64_t flat, batch, index, used;
  bool live() const { return index < used; }
  // How many of `length` original tokens precede or equal this row when the last rows are aligned.
  int64_t position(int64_t length) const { return length - used + index + 1; }
};

constexpr int kSegments = 2;

// The key rows of one query row: original keys, then compressed keys. A tile never spans the two.
struct RowKeys {
  std::vector<KeyAddress> segment[kSegments];
  bool empty() const { return segment[0].empty() && segment[1].empty(); }
  void clear() {
    for (auto &keys : segment) keys.clear();
  }
};

struct AttentionCall {
  const std::vector<QueryRow> *rows;
  int64_t heads;
  const float *sinks;                                             // [heads] or null
  float score_scale[kSegments];                                   // of a raw product
  float value_scale[kSegments];                                   // of a weighted sum
  std::function<void(const QueryRow &, RowKeys &)> keys;          // appends to cleared lists; fails on bad indices
  std::function<void(const QueryRow &, int64_t, float *)> query;  // one head, kWidth numbers
  // One head: the weighted values before the division, the maximum and the sum. `out` is null for a row with no keys.
  std::function<void(const QueryRow &, int64_t, float *out, float peak, float total)> store;
};

// Buffers of one thread, grown once.
struct TileScratch {
  std::vector<float> query, tile, scores, out, shrink, peak, total;
  template <class Decoder>
  void reserve(int64_t heads) {
    query.resize(size_t(heads * Decoder::kWidth));
    tile.resize(size_t(kTileKeys * (Decoder::kWidth + kTilePad)));
    scores.resize(size_t(heads * kTileKeys));
    out.assign(size_t(heads * Decoder::kValues), 0.0f);
    shrink.assign(size_t(heads), 1.0f);
    peak.assign(size_t(heads), -std::numeric_limits<float>::infinity());
    total.assign(size_t(heads), 1.0f);
  }
};

// Decodes keys into the tile; an odd count gets a row of zeros behind it.
template <class Decoder>
void load_tile(const KeyAddress *keys, int64_t count, float *tile) {
  constexpr int64_t stride = Decoder::kWidth + kTilePad;
  for (int64_t j = 0; j < count; ++j) Decoder::decode(keys[j], tile + j * stride);
  if (count % 2) std::fill_n(tile + count * stride, Decoder::kWidth, 0.0f);
}

// One head of one tile: scores become rounded probabilities, maximum and sum move on.
template <class Rounding>
void soften(float *scores, int64_t count, float scale, float &peak, float &total, float &shrink) {
  float higher = peak;
  for (int64_t j = 0; j < count; ++j) {
    scores[j] *= scale;
    higher = std::max(higher, scores[j]);
  }
  float sum = 0;
  for (int64_t j = 0; j < count; ++j) {
    const float probability = std::exp(scores[j] - higher);
    sum += probability;
    scores[j] = Rounding::round(probability);
  }
  shrink = std::exp(peak - higher);
  total = total * shrink + sum;
  peak = higher;
}

// The running softmax of heads [first, last) of one row over all its tiles.
template <class Decoder, class Rounding>
void attend_heads(const AttentionCall &call, const QueryRow &row, const RowKeys &keys, int64_t first, int64_t last,
                  TileScratch &scratch) {
  const int64_t heads = last - first;
  scratch.reserve<Decoder>(heads);
  for (int64_t h = 0; h < heads; ++h) {
    call.query(row, first + h, scratch.query.data() + h * Decoder::kWidth);
    if (call.sinks) scratch.peak[size_t(h)] = call.sinks[first + h];
  }
  for (int s = 0; s < kSegments; ++s) {
    const int64_t total_keys = int64_t(keys.segment[s].size());
    for (int64_t start = 0; start < total_keys; start += kTileKeys) {
      const int64_t count = std::min(kTileKeys, total_keys - start);
      load_tile<Decoder>(keys.segment[s].data() + start, count, scratch.tile.data());
      tile_scores(scratch.query.data(), heads, scratch.tile.data(), count, Decoder::kWidth, scratch.scores.data());
      for (int64_t h = 0; h < heads; ++h)
        soften<Rounding>(scratch.scores.data() + h * kTileKeys, count, call.score_scale[s], scratch.peak[size_t(h)],
                         scratch.total[size_t(h)], scratch.shrink[size_t(h)]);
      tile_accumulate(scratch.scores.data(), heads, scratch.tile.data(), Decoder::kWidth + kTilePad, count, Decoder::kValues,
                      scratch.shrink.data(), call.value_scale[s], scratch.out.data());
    }
  }
  for (int64_t h = 0; h < heads; ++h)
    call.store(row, first + h, scratch.out.data() + h * Decoder::kValues, scratch.peak[size_t(h)], scratch.total[size_t(h)]);
}

// Heads per unit of work: whole rows when there are rows enough, else the heads are shared out.
inline int64_t heads_per_unit(int64_t rows, int64_t heads, int threads) {
  const int64_t all = std::max<int64_t>(heads, 1);
  if (threads <= 1 || rows >= 4 * threads) return all;
  return std::min(all, std::max<int64_t>(4, (heads + threads - 1) / threads));
}

// The whole call. `heads_body(call, row, keys, first, last, scratch)` computes and stores a range of heads of a row with
// keys.
template <class HeadsBody>
void for_each_row(const AttentionCall &call, int32_t num_threads, HeadsBody &&heads_body) {
  const std::vector<QueryRow> &rows = *call.rows;
  const int64_t row_count = int64_t(rows.size());
  parallel_for(row_count, num_threads, [&](int64_t i) {
    thread_local RowKeys keys;
    keys.clear();
    if (rows[size_t(i)].live()) call.keys(rows[size_t(i)], keys);
  });
  const int64_t step = heads_per_unit(row_count, call.heads, thread_count(num_threads));
  const int64_t units = (call.heads + step - 1) / step;
  parallel_for(row_count * units, num_threads, [&](int64_t unit) {
    thread_local RowKeys keys;
    thread_local TileScratch scratch;
    const QueryRow &row = rows[size_t(unit / units)];
    const int64_t first = unit % units * step, last = std::min(call.heads, first + step);
    keys.clear();
    if (row.live()) call.keys(row, keys);
    if (keys.empty())
      for (int64_t h = first; h < last; ++h) call.store(row, h, nullptr, 0, 0);
    else
      heads_body(call, row, keys, first, last, scratch);
  });
}

// Running softmax: the arithmetic of every operator but one.
template <class Decoder, class Rounding>
void attend(const AttentionCall &call, int32_t num_threads) {
  for_each_row(call, num_threads, attend_heads<Decoder, Rounding>);
}

}  // namespace sa
