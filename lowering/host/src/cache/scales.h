// Scales of quantised groups.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/numbers.h"

namespace sa {

// NaN when one of the values is.
inline float largest_magnitude(const float *values, int64_t count) {
  float largest = 0;
  for (int64_t i = 0; i < count; ++i) {
    if (std::isnan(values[i])) return std::fabs(values[i]);
    largest = std::max(largest, std::fabs(values[i]));
  }
  return largest;
}

// The smallest power of two that is not below a positive scale; infinity and NaN stay.
inline float round_scale_up(float scale) {
  const uint32_t bits = float_bits(scale);
  return (bits & 0x7FFFFFu) && bits < 0x7F800000u ? bits_float((bits & 0x7F800000u) + 0x800000u) : scale;
}

// The E8M0 code with the exponent of a scale (255 for infinity and NaN).
inline uint8_t exponent_code(float scale) { return static_cast<uint8_t>(float_bits(scale) >> 23); }

// Largest finite values of the fp8 formats.
constexpr float kE4m3Largest = 448.0f, kE5m2Largest = 57344.0f;

// amax / largest with amax at least 1e-4, so that a group of zeros has a scale.
inline float fp8_scale(const float *values, int64_t count, float largest = kE4m3Largest) {
  return std::max(largest_magnitude(values, count), 1e-4f) * (1.0f / largest);
}

}  // namespace sa
