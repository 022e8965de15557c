#include "indexer/selection.h"

#include <algorithm>
#include <limits>

#include "indexer/ranking.h"
#include "meaning/tiles.h"

namespace sa {
namespace {

constexpr int64_t kWaveRows = 256;                 // query rows decoded at a time
constexpr int64_t kWaveScores = int64_t(1) << 24;  // scores held at a time (one row may exceed it)
constexpr int64_t kBlockRows = 16;                 // query rows that share one decoded key tile

// Rows [first, last) of the call, and where each row's scores begin in the score buffer.
struct Wave {
  int64_t first, last;
  std::vector<int64_t> score_start;  // one more than rows: the last is the total
};

// Rows [first, last) of one batch against keys [key, key + kIndexerTile).
struct TileTask { int64_t first, last, key; };

std::vector<Wave> cut_into_waves(const std::vector<IndexerRow> &rows) {
  std::vector<Wave> waves;
  for (int64_t i = 0; i < int64_t(rows.size()); ++i) {
    const int64_t scores = rows[size_t(i)].visible;
    const bool full = !waves.empty() && (i - waves.back().first == kWaveRows ||
                                         waves.back().score_start.back() + scores > kWaveScores);
    if (waves.empty() || full) waves.push_back({i, i, {0}});
    Wave &wave = waves.back();
    wave.last = i + 1;
    wave.score_start.push_back(wave.score_start.back() + scores);
  }
  return waves;
}

std::vector<TileTask> cut_into_tiles(const std::vector<IndexerRow> &rows, const Wave &wave) {
  std::vector<TileTask> tasks;
  for (int64_t first = wave.first; first < wave.last;) {
    int64_t last = first, visible = 0;
    for (; last < wave.last && last - first < kBlockRows && rows[size_t(last)].batch == rows[size_t(first)].batch; ++last)
      visible = std::max(visible, rows[size_t(last)].visible);
    for (int64_t key = 0; key < visible; key += kIndexerTile) tasks.push_back({first, last, key});
    first = last;
  }
  return tasks;
}

// Buffers of the whole call, allocated before anything is written.
struct Buffers {
  std::vector<float> queries, weights, scores;

  Buffers(const std::vector<Wave> &waves, int64_t heads) {
    int64_t rows = 0, total = 0;
    for (const Wave &wave : waves) {
      rows = std::max(rows, wave.last - wave.first);
      total = std::max(total, wave.score_start.back());
    }
    queries.resize(size_t(rows * heads * kIndexerDepth));
    weights.resize(size_t(rows * heads));
    scores.resize(size_t(total));
  }
};

void run_tile(const IndexerCall &call, const TileScorer &scorer, const Wave &wave, const TileTask &task, Buffers &buffers) {
  const int64_t heads = call.geometry->heads(), batch = call.rows[size_t(task.first)].batch;
  int64_t visible = 0;
  for (int64_t i = task.first; i < task.last; ++i) visible = std::max(visible, call.rows[size_t(i)].visible);
  float keys[kIndexerDepth * kIndexerTile] = {}, key[kIndexerDepth], scale[kIndexerTile] = {}, scores[kIndexerTile];
  for (int64_t j = 0; j < std::min(kIndexerTile, visible - task.key); ++j) {
    scale[j] = call.load_key(batch, task.key + j, key);
    for (int64_t d = 0; d < kIndexerDepth; ++d) keys[d * kIndexerTile + j] = key[d];
  }
  scorer.prepare_keys(call.head_sum, keys);
  for (int64_t i = task.first; i < task.last; ++i) {
    const int64_t count = std::min(kIndexerTile, call.rows[size_t(i)].visible - task.key), slot = i - wave.first;
    if (count <= 0) continue;
    scorer.score(call.head_sum, call.round_to_bf16, buffers.queries.data() + slot * heads * kIndexerDepth,
                 buffers.weights.data() + slot * heads, heads, keys, scale, scores);
    std::copy_n(scores, count, buffers.scores.data() + wave.score_start[size_t(slot)] + task.key);
  }
}

void write_list(const IndexerCall &call, const IndexerRow &row, const float *scores, std::vector<int32_t> &places,
                std::vector<uint64_t> &scratch) {
  const int64_t count = rank_scores(scores, row.visible, call.topk, places.data(), scratch);
  const IndexerGeometry &geometry = *call.geometry;
  auto *list = static_cast<int32_t *>(call.indices->data) + geometry.row_offset(*call.indices, row);
  const int64_t step = call.indices->stride[call.indices->rank - 1];
  const int64_t offset = call.offset ? read_int(*call.offset, geometry.row_offset(*call.offset, row)) : 0;
  for (int64_t i = 0; i < call.topk; ++i) list[i * step] = i < count ? int32_t(places[size_t(i)] + offset) : -1;
  if (!call.values) return;
  const int64_t start = geometry.row_offset(*call.values, row), value_step = call.values->stride[call.values->rank - 1];
  for (int64_t i = 0; i < call.topk; ++i) {
    const float value = i < count ? scores[places[size_t(i)]] : -std::numeric_limits<float>::infinity();
    write_row(*call.values, start + i * value_step, 1, 1, &value);
  }
}

}  // namespace

void check_outputs(const IndexerCall &call) {
  const IndexerGeometry &geometry = *call.geometry;
  require_dtype(call.indices, "sparse_indices", {SA_INT32});
  geometry.require_row_shape(call.indices, "sparse_indices", {1, call.topk});
  if (call.values) {
    require_dtype(call.values, "sparse_values", {SA_FP32, SA_BF16, SA_FP16});
    geometry.require_row_shape(call.values, "sparse_values", {1, call.topk});
  }
  if (!call.offset) return;
  require_dtype(call.offset, "output_idx_offset", {SA_INT32});
  geometry.require_row_shape(call.offset, "output_idx_offset", {1});
  for (const IndexerRow &row : call.rows) {
    const int64_t value = read_int(*call.offset, geometry.row_offset(*call.offset, row));
    const int64_t high = INT32_MAX - std::max<int64_t>(row.visible - 1, 0);
    if (value > 0 && value <= high) continue;
    const std::string rule = "in 1.." + std::to_string(high) + " so that every index stays an int32";
    if (geometry.packed()) fail_value("output_idx_offset", {row.flat, 0}, value, rule);
    fail_value("output_idx_offset", {row.batch, row.index, 0}, value, rule);
  }
}

void select_keys(const IndexerCall &call, int32_t num_threads) {
  const int64_t heads = call.geometry->heads();
  const TileScorer &scorer = meaning::tiles().scorer;
  const std::vector<Wave> waves = cut_into_waves(call.rows);
  Buffers buffers(waves, heads);
  for (const Wave &wave : waves) {
    parallel_for(wave.last - wave.first, num_threads, [&](int64_t slot) {
      const IndexerRow &row = call.rows[size_t(wave.first + slot)];
      if (row.visible <= 0) return;
      float *query = buffers.queries.data() + slot * heads * kIndexerDepth;
      call.load_row(row, query, buffers.weights.data() + slot * heads);
      scorer.prepare_query(call.head_sum, query, heads);
    });
    const std::vector<TileTask> tasks = cut_into_tiles(call.rows, wave);
    parallel_for(int64_t(tasks.size()), num_threads,
                 [&](int64_t t) { run_tile(call, scorer, wave, tasks[size_t(t)], buffers); });
    parallel_for(wave.last - wave.first, num_threads, [&](int64_t slot) {
      thread_local std::vector<int32_t> places;
      thread_local std::vector<uint64_t> scratch;
      places.resize(size_t(call.topk));
      write_list(call, call.rows[size_t(wave.first + slot)], buffers.scores.data() + wave.score_start[size_t(slot)], places,
                 scratch);
    });
  }
}

}  // namespace sa
