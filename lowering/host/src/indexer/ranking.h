// The best k of a row of scores.
#pragma once

#include <cstdint>
#include <vector>

namespace sa {

// Places of the min(k, count) largest scores, in descending order; equal scores (and +0 and -0) keep the lower place first,
// NaN comes last. `places` needs room for that many entries; `scratch` is reused between calls.
int64_t rank_scores(const float *scores, int64_t count, int64_t k, int32_t *places, std::vector<uint64_t> &scratch);

}  // namespace sa
