#include <algorithm>
#include <limits>

#include "meaning/picks.h"
#include "meaning/workspace.h"

namespace sa::meaning {
namespace {

constexpr float kNone = -std::numeric_limits<float>::infinity();

// The best key of each block of visible keys; returns how many blocks have one. `pooled` may be `scores`.
int64_t pool(const float *scores, int64_t limit, int64_t block, float *pooled) {
  const int64_t blocks = (limit + block - 1) / block;
  for (int64_t i = 0; i < blocks; ++i) {
    float best = scores[i * block];
    for (int64_t j = i * block + 1; j < std::min(limit, (i + 1) * block); ++j)
      if (!(scores[j] <= best) && best == best) best = scores[j];  // a NaN wins and stays
    pooled[i] = best;
  }
  return blocks;
}

}  // namespace
}  // namespace sa::meaning

extern "C" int sa_meaning_topk(const sa_tensor *scores, const sa_tensor *visible, const sa_tensor *mask, int64_t k,
                               const char *mask_mode, int64_t ratio, int64_t block, int64_t local_blocks, int64_t sorted,
                               sa_tensor *indices, sa_tensor *values, int32_t num_threads, sa_error *error) {
  (void)ratio, (void)sorted;
  return sa::guarded(error, [&] {
    sa::require_dtype(scores, "scores", {SA_FP32, SA_BF16, SA_FP16});
    sa::require_shape(scores, "scores", {-1, -1, -1});
    if (k < 1 || block < 1 || local_blocks < 0) sa::fail("k and block must be at least 1, local_blocks at least 0");
    const int64_t batches = scores->size[0], rows = scores->size[1], keys = scores->size[2];
    if (keys > INT32_MAX) sa::fail("tensor scores has too many keys for an int32 index");
    const int64_t choices = (keys + block - 1) / block;
    const sa::meaning::Candidates candidates(visible, mask, mask_mode, batches, rows, keys);
    const sa::meaning::Picks picks(indices, values, batches, rows, std::min(k, choices));
    const sa::meaning::Tiles &tiles = sa::meaning::tiles();
    std::vector<sa::meaning::Selector> selectors = sa::meaning::make_selectors(num_threads, choices);
    const sa::meaning::Workspace workspace(sa::thread_count(num_threads), 2 * sa::meaning::round_up(keys, sa::meaning::kPanel));
    sa::parallel_for(batches * rows, num_threads, [&](int64_t item) {
      const int64_t batch = item / rows, row = item % rows, limit = candidates.limit(batch, row);
      float *line = workspace.of_thread(), *scratch = line + sa::meaning::round_up(keys, sa::meaning::kPanel);
      sa::meaning::read_floats(tiles, *scores, batch * scores->stride[0] + row * scores->stride[1], scores->stride[2], limit, line);
      if (candidates.masked()) candidates.apply_mask(batch, row, limit, scratch, line);
      const int64_t seen = sa::meaning::pool(line, limit, block, line);
      for (int64_t i = std::max<int64_t>(0, seen - local_blocks); i < seen; ++i) line[i] = -sa::meaning::kNone;
      selectors[size_t(sa::meaning::this_thread())].best(line, seen, choices, picks.width, picks.indices + item * picks.width,
                                                picks.values + item * picks.width);
    });
  });
}
