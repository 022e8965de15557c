// x times a transposed weight, in fp32.
#pragma once

#include <vector>

#include "core/core.h"

namespace sa {

// Rows of x at the given element offsets, [hidden] each along its last axis, times every row of `weight` [E, hidden]:
// result [rows, E]. Sums run over lanes in a fixed order; the number of threads changes no bit.
std::vector<float> project(const sa_tensor &x, const std::vector<int64_t> &row_offsets, const sa_tensor &weight,
                           int32_t num_threads);

}  // namespace sa
