#include <algorithm>

#include "meaning/picks.h"
#include "meaning/scores.h"

namespace sa::meaning {
namespace {

// With fewer items than this the keys are split as well: a few rows over a long context have to fill every thread.
constexpr int64_t kFewItems = 16, kKeysTogether = 1024;

struct Indexer {
  const Scores &scores;
  const Candidates &candidates;
  const Picks &picks;
  int32_t num_threads;
  std::vector<Selector> selectors;
  int64_t together = scores.rows_together();
  int64_t blocks = (scores.rows() + together - 1) / together;

  void limits(int64_t batch, int64_t row, int64_t count, int64_t *to) const {
    for (int64_t r = 0; r < count; ++r) to[r] = candidates.limit(batch, row + r);
  }

  void pick(int64_t batch, int64_t row, float *mask, float *found) {
    const int64_t limit = candidates.limit(batch, row), at = (batch * scores.rows() + row) * picks.width;
    if (candidates.masked()) candidates.apply_mask(batch, row, limit, mask, found);
    selectors[size_t(this_thread())].best(found, limit, scores.keys(), picks.width, picks.indices + at, picks.values + at);
  }

  // Many rows: scores of a few rows live in a thread's own memory until their picks are made.
  void fused() {
    const int64_t stride = scores.row_stride();
    const Workspace workspace(thread_count(num_threads), scores.scratch() + (together + 1) * stride);
    parallel_for(scores.batches() * blocks, num_threads, [&](int64_t item) {
      const int64_t batch = item / blocks, row = item % blocks * together, count = std::min(together, scores.rows() - row);
      float *scratch = workspace.of_thread(), *mask = scratch + scores.scratch(), *found = mask + stride;
      int64_t limit[kMaxRowsTogether];
      limits(batch, row, count, limit);
      scores.block(batch, row, count, 0, scores.keys(), limit, scratch, found);
      for (int64_t r = 0; r < count; ++r) pick(batch, row + r, mask, found + r * stride);
    });
  }

  // Few rows: first all scores, the keys in parts, then the picks.
  void split() {
    const int64_t stride = scores.row_stride(), parts = (scores.keys() + kKeysTogether - 1) / kKeysTogether;
    const Workspace workspace(thread_count(num_threads), std::max(scores.scratch(), stride));
    const Workspace found(scores.batches() * scores.rows(), stride);
    parallel_for(scores.batches() * blocks * parts, num_threads, [&](int64_t item) {
      const int64_t part = item % parts * kKeysTogether, block = item / parts;
      const int64_t batch = block / blocks, row = block % blocks * together, count = std::min(together, scores.rows() - row);
      int64_t limit[kMaxRowsTogether];
      limits(batch, row, count, limit);
      scores.block(batch, row, count, part, std::min(scores.keys(), part + kKeysTogether), limit, workspace.of_thread(),
                   found.data() + (batch * scores.rows() + row) * stride);
    });
    parallel_for(scores.batches() * scores.rows(), num_threads, [&](int64_t row) {
      pick(row / scores.rows(), row % scores.rows(), workspace.of_thread(), found.data() + row * stride);
    });
  }
};

}  // namespace
}  // namespace sa::meaning

extern "C" int sa_meaning_lightning_indexer(const sa_tensor *query, const sa_tensor *key, const sa_tensor *weights,
                                            const sa_tensor *query_scale, const sa_tensor *key_scale, const sa_tensor *visible,
                                            const sa_tensor *mask, int64_t k, double scale, const char *activation,
                                            const char *reduce, const char *mask_mode, int64_t ratio, int64_t sorted,
                                            sa_tensor *indices, sa_tensor *values, int32_t num_threads, sa_error *error) {
  (void)ratio, (void)sorted;  // ratio records where `visible` comes from; sorted picks serve both
  return sa::guarded(error, [&] {
    sa::meaning::require_one_of(reduce, "reduce", {"weighted", "sum"});
    if (k < 1) sa::fail("k is %lld, must be at least 1", static_cast<long long>(k));
    const sa::meaning::Scores scores({query, key, weights, query_scale, key_scale, scale, activation, reduce}, sa::meaning::tiles());
    const sa::meaning::Candidates candidates(visible, mask, mask_mode, scores.batches(), scores.rows(), scores.keys());
    const sa::meaning::Picks picks(indices, values, scores.batches(), scores.rows(), std::min(k, scores.keys()));
    sa::meaning::Indexer indexer{scores, candidates, picks, num_threads, sa::meaning::make_selectors(num_threads, scores.keys())};
    if (scores.batches() * indexer.blocks >= sa::meaning::kFewItems)
      indexer.fused();
    else
      indexer.split();
  });
}
