#include <algorithm>
#include <cstring>
#include <vector>

#include "meaning/scores.h"

namespace sa::meaning {
namespace {

// Rows are written to `out` [B, S, T] or [B, S, H, T], which is contiguous.
void all_scores(const Scores &scores, bool by_head, float *out, int32_t num_threads) {
  const int64_t together = by_head ? 1 : scores.rows_together(), keys = scores.keys(), stride = scores.row_stride();
  const int64_t lines = by_head ? scores.heads() : together;  // of scores that one item makes
  const int64_t blocks = (scores.rows() + together - 1) / together;
  const std::vector<int64_t> limits(size_t(together), keys);
  const Workspace workspace(thread_count(num_threads), scores.scratch() + lines * stride);
  parallel_for(scores.batches() * blocks, num_threads, [&](int64_t item) {
    const int64_t batch = item / blocks, row = item % blocks * together, count = std::min(together, scores.rows() - row);
    float *scratch = workspace.of_thread(), *found = scratch + scores.scratch();
    if (by_head)
      scores.each_head(batch, row, scratch, found);
    else
      scores.block(batch, row, count, 0, keys, limits.data(), scratch, found);
    float *to = out + (batch * scores.rows() + row) * (by_head ? lines : 1) * keys;
    for (int64_t line = 0; line < (by_head ? lines : count); ++line)
      std::memcpy(to + line * keys, found + line * stride, size_t(keys) * sizeof(float));
  });
}

}  // namespace
}  // namespace sa::meaning

extern "C" int sa_meaning_index_scores(const sa_tensor *query, const sa_tensor *key, const sa_tensor *weights,
                                       const sa_tensor *query_scale, const sa_tensor *key_scale, double scale,
                                       const char *activation, const char *reduce, sa_tensor *result, int32_t num_threads,
                                       sa_error *error) {
  return sa::guarded(error, [&] {
    const sa::meaning::Scores scores({query, key, weights, query_scale, key_scale, scale, activation, reduce}, sa::meaning::tiles());
    const bool by_head = sa::meaning::is_word(reduce, "none");
    sa::require_dtype(result, "result", {SA_FP32});
    if (by_head)
      sa::require_shape(result, "result", {scores.batches(), scores.rows(), scores.heads(), scores.keys()});
    else
      sa::require_shape(result, "result", {scores.batches(), scores.rows(), scores.keys()});
    sa::meaning::require_dense(result, "result");
    if (scores.keys() > 0) sa::meaning::all_scores(scores, by_head, static_cast<float *>(result->data), num_threads);
  });
}
