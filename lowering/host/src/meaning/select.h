// The k best scores of a row, in the order torch.topk gives them on a CPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sa::meaning {

// Room for one row's selection; one per thread, made once per call.
class Selector {
 public:
  // Rows of at most `candidates` scores.
  explicit Selector(int64_t candidates)
      : keys_(std::size_t(candidates)), spare_(std::size_t(candidates)), pairs_(std::size_t(candidates)) {}

  // Writes the `width` <= total best of scores[0, total) to indices and values, best first. Scores from `visible` on are
  // -inf without being read. Equal scores come out as torch.topk orders them; a -inf pick has index -1.
  void best(const float *scores, int64_t visible, int64_t total, int64_t width, int32_t *indices, float *values);

 private:
  bool best_distinct(const float *scores, int64_t visible, int64_t width, int32_t *indices, float *values);
  void best_as_torch(const float *scores, int64_t visible, int64_t total, int64_t width, int32_t *indices, float *values);
  int64_t rank_candidates(const float *scores, int64_t visible);
  void sort_keys(int64_t count);

  std::vector<uint64_t> keys_, spare_;
  std::vector<std::pair<float, int64_t>> pairs_;
};

}  // namespace sa::meaning
