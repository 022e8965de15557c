// The two matrix products of a tile, over fp32 rows. Sums run in an order that does not depend on how many heads or
// keys are done at once, so splitting heads over threads changes no bit.
#pragma once

#include <cstdint>

namespace sa {

constexpr int64_t kTileKeys = 128;
// Rows of a tile lie this much further apart than they are wide: power-of-two distances would share few cache sets.
constexpr int64_t kTilePad = 16;

// scores[h * kTileKeys + j] = <query row h, key row j>. `width` is a multiple of 8; query rows are `width` apart and key
// rows `width + kTilePad`. An odd `keys` reads one more row, which has to exist.
void tile_scores(const float *query, int64_t heads, const float *keys, int64_t key_count, int64_t width, float *scores);

// out[h * columns + d] = out[h * columns + d] * shrink[h] + scale * sum_j weights[h * kTileKeys + j] * values[j * stride +
// d]. `columns` is a multiple of 16.
void tile_accumulate(const float *weights, int64_t heads, const float *values, int64_t stride, int64_t key_count,
                     int64_t columns, const float *shrink, float scale, float *out);

}  // namespace sa
