#include "indexer/ranking.h"

#include <algorithm>
#include <functional>

#include "core/numbers.h"

namespace sa {
namespace {

// Grows with the score; 0 for NaN.
uint32_t order_of(float score) {
  if (score != score) return 0;
  const uint32_t bits = float_bits(score + 0.0f);  // -0 + 0 is +0
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

}  // namespace

int64_t rank_scores(const float *scores, int64_t count, int64_t k, int32_t *places, std::vector<uint64_t> &scratch) {
  const int64_t kept = std::min(count, k);
  scratch.resize(static_cast<size_t>(count));
  // One key per score, all distinct: the score above, the inverted place below.
  for (int64_t i = 0; i < count; ++i)
    scratch[size_t(i)] = uint64_t(order_of(scores[i])) << 32 | uint32_t(~uint32_t(i));
  if (kept < count) std::nth_element(scratch.begin(), scratch.begin() + kept, scratch.end(), std::greater<uint64_t>());
  std::sort(scratch.begin(), scratch.begin() + kept, std::greater<uint64_t>());
  for (int64_t i = 0; i < kept; ++i) places[i] = int32_t(~uint32_t(scratch[size_t(i)]));
  return kept;
}

}  // namespace sa
