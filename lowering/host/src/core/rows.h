// Runs of elements of any numeric dtype to and from fp32.
#pragma once

#include "core/tensor.h"

namespace sa {

// Decodes `count` stored elements that start at element `offset` and lie `stride` apart.
// fp4x2: two floats per element, so `out` takes 2 * count. uint8 decodes as `as` (a one-byte format), else as a number.
void read_row(const sa_tensor &tensor, int64_t offset, int64_t stride, int64_t count, float *out, int32_t as = SA_UINT8);

// Encodes fp32 values into fp32, bf16, fp16, fp64, e4m3, e5m2 (ties to even), hif8 (ties away) or fp4x2 elements
// (`count` bytes from 2 * count values).
void write_row(const sa_tensor &tensor, int64_t offset, int64_t stride, int64_t count, const float *values);

}  // namespace sa
