// One softmax over all keys of a row: probabilities are divided by their sum before they are rounded, the sink takes part
// in the sum but not in the maximum. The arithmetic of sparse_compress_flash_attention.
#pragma once

#include "attention/engine.h"

namespace sa {

// Scores of all keys become rounded weights; returns nothing else, for the weighted sum needs no further division.
template <class Rounding>
void soften_whole(float *scores, int64_t tiles, const int64_t *counts, float scale, const float *sink) {
  float peak = -std::numeric_limits<float>::infinity(), total = 0;
  for (int64_t t = 0; t < tiles; ++t)
    for (int64_t j = 0; j < counts[t]; ++j) peak = std::max(peak, scores[t * kTileKeys + j] *= scale);
  for (int64_t t = 0; t < tiles; ++t)
    for (int64_t j = 0; j < counts[t]; ++j) {
      float &score = scores[t * kTileKeys + j];
      score = std::exp(score - peak);
      total += score;
    }
  if (sink) total += std::exp(*sink - peak);
  for (int64_t t = 0; t < tiles; ++t)
    for (int64_t j = 0; j < counts[t]; ++j) scores[t * kTileKeys + j] = Rounding::round(scores[t * kTileKeys + j] / total);
}

// Both segments share call.score_scale[0]. `store` receives finished values.
template <class Decoder, class Rounding>
void attend_heads_whole(const AttentionCall &call, const QueryRow &row, const RowKeys &keys, int64_t first, int64_t last,
                        TileScratch &scratch) {
  thread_local std::vector<KeyAddress> all;
  thread_local std::vector<int64_t> counts;
  thread_local std::vector<float> scores;
  all = keys.segment[0];
  all.insert(all.end(), keys.segment[1].begin(), keys.segment[1].end());
  counts.clear();
  for (int64_t start = 0; start < int64_t(all.size()); start += kTileKeys)
    counts.push_back(std::min(kTileKeys, int64_t(all.size()) - start));
  const int64_t heads = last - first, tiles = int64_t(counts.size());
  scratch.reserve<Decoder>(heads);
  scores.resize(size_t(heads * tiles * kTileKeys));
  for (int64_t h = 0; h < heads; ++h) call.query(row, first + h, scratch.query.data() + h * Decoder::kWidth);
  for (int64_t t = 0; t < tiles; ++t) {
    load_tile<Decoder>(all.data() + t * kTileKeys, counts[size_t(t)], scratch.tile.data());
    tile_scores(scratch.query.data(), heads, scratch.tile.data(), counts[size_t(t)], Decoder::kWidth, scratch.scores.data());
    for (int64_t h = 0; h < heads; ++h)
      std::copy_n(scratch.scores.data() + h * kTileKeys, kTileKeys, scores.data() + (h * tiles + t) * kTileKeys);
  }
  for (int64_t h = 0; h < heads; ++h)
    soften_whole<Rounding>(scores.data() + h * tiles * kTileKeys, tiles, counts.data(), call.score_scale[0],
                           call.sinks ? call.sinks + first + h : nullptr);
  for (int64_t t = 0; t < tiles; ++t) {
    load_tile<Decoder>(all.data() + t * kTileKeys, counts[size_t(t)], scratch.tile.data());
    for (int64_t h = 0; h < heads; ++h)
      std::copy_n(scores.data() + (h * tiles + t) * kTileKeys, kTileKeys, scratch.scores.data() + h * kTileKeys);
    tile_accumulate(scratch.scores.data(), heads, scratch.tile.data(), Decoder::kWidth + kTilePad, counts[size_t(t)],
                    Decoder::kValues, scratch.shrink.data(), 1.0f, scratch.out.data());
  }
  for (int64_t h = 0; h < heads; ++h) call.store(row, first + h, scratch.out.data() + h * Decoder::kValues, 0, 1);
}

}  // namespace sa
