#include "cache/projection.h"

#include <algorithm>

#include "attention/products.h"

namespace sa {
namespace {

constexpr int64_t kRowBlock = 16;

}  // namespace

std::vector<float> project(const sa_tensor &x, const std::vector<int64_t> &row_offsets, const sa_tensor &weight,
                           int32_t num_threads) {
  const int64_t rows = int64_t(row_offsets.size()), hidden = weight.size[1], outputs = weight.size[0];
  const int64_t width = (hidden + 7) / 8 * 8, stride = width + kTilePad;  // columns behind `hidden` are zero
  std::vector<float> decoded(size_t(rows * width)), result(size_t(rows * outputs));
  parallel_for(rows, num_threads, [&](int64_t row) {
    read_row(x, row_offsets[size_t(row)], x.stride[x.rank - 1], hidden, decoded.data() + row * width);
  });
  parallel_for((outputs + kTileKeys - 1) / kTileKeys, num_threads, [&](int64_t tile) {
    const int64_t first = tile * kTileKeys, count = std::min(kTileKeys, outputs - first);
    std::vector<float> keys(size_t((count + count % 2) * stride)), scores(size_t(kRowBlock * kTileKeys));
    for (int64_t j = 0; j < count; ++j)
      read_row(weight, (first + j) * weight.stride[0], weight.stride[1], hidden, keys.data() + j * stride);
    for (int64_t row = 0; row < rows; row += kRowBlock) {
      const int64_t block = std::min(kRowBlock, rows - row);
      tile_scores(decoded.data() + row * width, block, keys.data(), count, width, scores.data());
      for (int64_t i = 0; i < block; ++i)
        std::copy_n(scores.data() + i * kTileKeys, count, result.data() + (row + i) * outputs + first);
    }
  });
  return result;
}

}  // namespace sa
