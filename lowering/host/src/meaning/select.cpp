#include "meaning/select.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/numbers.h"

namespace sa::meaning {
namespace {

constexpr float kNone = -std::numeric_limits<float>::infinity();

// Larger floats have smaller ranks; both zeros have the same one.
uint32_t rank_of(float score) {
  const uint32_t bits = float_bits(score + 0.0f);
  return bits & 0x80000000u ? bits : ~(bits | 0x80000000u);
}

}  // namespace

// Keys of the visible scores above -inf, (rank, index); -1 when there is a NaN, which has no rank here.
int64_t Selector::rank_candidates(const float *scores, int64_t visible) {
  int64_t count = 0;
  bool ordered = true;
  for (int64_t i = 0; i < visible; ++i) {
    keys_[size_t(count)] = uint64_t(rank_of(scores[i])) << 32 | uint64_t(i);
    count += scores[i] != kNone;
    ordered &= scores[i] == scores[i];
  }
  return ordered ? count : -1;
}

// Sorts the first `count` keys: by their upper halves, eight bits at a time from the lowest; small counts by comparison.
void Selector::sort_keys(int64_t count) {
  if (count < 128) {
    std::sort(keys_.begin(), keys_.begin() + count);
    return;
  }
  uint32_t starts[4][256] = {};
  for (int64_t i = 0; i < count; ++i)
    for (int digit = 0; digit < 4; ++digit) ++starts[digit][keys_[size_t(i)] >> (32 + 8 * digit) & 255];
  for (int digit = 0; digit < 4; ++digit) {
    uint32_t sum = 0;
    for (uint32_t &start : starts[digit]) sum += std::exchange(start, sum);
    for (int64_t i = 0; i < count; ++i) {
      const uint64_t key = keys_[size_t(i)];
      spare_[starts[digit][key >> (32 + 8 * digit) & 255]++] = key;
    }
    keys_.swap(spare_);
  }
}

// The answer when it does not depend on how ties are broken; false when it does.
bool Selector::best_distinct(const float *scores, int64_t visible, int64_t width, int32_t *indices, float *values) {
  const int64_t count = rank_candidates(scores, visible);
  if (count < 0) return false;
  const int64_t found = std::min(count, width);
  if (count > width) {
    std::nth_element(keys_.begin(), keys_.begin() + width, keys_.begin() + count);
    const uint64_t worst = *std::max_element(keys_.begin(), keys_.begin() + width);
    for (int64_t i = width; i < count; ++i)
      if (keys_[size_t(i)] >> 32 == worst >> 32) return false;
  }
  sort_keys(found);
  for (int64_t i = 1; i < found; ++i)
    if (keys_[size_t(i)] >> 32 == keys_[size_t(i - 1)] >> 32) return false;
  for (int64_t i = 0; i < width; ++i) {
    indices[i] = i < found ? int32_t(keys_[size_t(i)] & 0xFFFFFFFFu) : -1;
    values[i] = i < found ? scores[indices[i]] : kNone;
  }
  return true;
}

// The algorithm and the comparison of torch.topk on CPU, so that equal scores end in the same places: a partial sort when
// few of many are wanted, else a partition around the last wanted and a sort of those before it.
void Selector::best_as_torch(const float *scores, int64_t visible, int64_t total, int64_t width, int32_t *indices, float *values) {
  for (int64_t i = 0; i < total; ++i) pairs_[size_t(i)] = {i < visible ? scores[i] : kNone, i};
  const auto better = [](const std::pair<float, int64_t> &a, const std::pair<float, int64_t> &b) {
    return (std::isnan(a.first) && !std::isnan(b.first)) || a.first > b.first;
  };
  const auto first = pairs_.begin(), end = pairs_.begin() + total;
  if (width * 64 <= total) {
    std::partial_sort(first, first + width, end, better);
  } else if (width > 0) {
    std::nth_element(first, first + width - 1, end, better);
    std::sort(first, first + width - 1, better);
  }
  for (int64_t i = 0; i < width; ++i) {
    values[i] = pairs_[size_t(i)].first;
    indices[i] = values[i] == kNone ? -1 : int32_t(pairs_[size_t(i)].second);
  }
}

void Selector::best(const float *scores, int64_t visible, int64_t total, int64_t width, int32_t *indices, float *values) {
  if (!best_distinct(scores, visible, width, indices, values))
    best_as_torch(scores, visible, total, width, indices, values);
}

}  // namespace sa::meaning
