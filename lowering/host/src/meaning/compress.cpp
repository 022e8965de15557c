#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "meaning/visibility.h"

namespace sa::meaning {
namespace {

struct Windows {
  const sa_tensor &kv, &gate;
  const float *bias;  // [ratio, width], null when there is none
  int64_t ratio, width, columns;
  bool overlap;

  // The weighted mean of one window's rows. `values` and `gates` hold a row each, `peak`, `total` and `sum` a result row each.
  void pool(const Tiles &tiles, int64_t batch, int64_t window, float *memory, float *sum) const {
    float *values = memory, *gates = values + columns, *peak = gates + columns, *total = peak + columns;
    std::fill_n(peak, columns, -std::numeric_limits<float>::infinity());
    std::fill_n(total, columns, 0.0f);
    std::fill_n(sum, columns, 0.0f);
    const auto visit = [&](int64_t first_row, int64_t first_column, bool weigh) {
      for (int64_t r = 0; r < ratio; ++r) {
        read_floats(tiles, gate, at(gate, batch, first_row + r, first_column), gate.stride[2], columns, gates);
        if (bias)
          for (int64_t d = 0; d < columns; ++d) gates[d] += bias[r * width + first_column + d];
        if (!weigh) {
          for (int64_t d = 0; d < columns; ++d) peak[d] = std::max(peak[d], gates[d]);
          continue;
        }
        read_floats(tiles, kv, at(kv, batch, first_row + r, first_column), kv.stride[2], columns, values);
        for (int64_t d = 0; d < columns; ++d) {
          const float weight = std::exp(gates[d] - peak[d]);
          total[d] += weight;
          sum[d] += weight * values[d];
        }
      }
    };
    for (const bool weigh : {false, true}) {
      if (overlap && window > 0) visit((window - 1) * ratio, 0, weigh);
      visit(window * ratio, overlap ? columns : 0, weigh);
    }
    for (int64_t d = 0; d < columns; ++d) sum[d] /= total[d];
  }

  static int64_t at(const sa_tensor &tensor, int64_t batch, int64_t row, int64_t column) {
    return batch * tensor.stride[0] + row * tensor.stride[1] + column * tensor.stride[2];
  }
};

std::vector<float> read_bias(const sa_tensor *bias, int64_t ratio, int64_t width) {
  if (!bias) return {};
  require_dtype(bias, "bias", {SA_FP32, SA_BF16, SA_FP16});
  require_shape(bias, "bias", {ratio, width});
  std::vector<float> values(static_cast<size_t>(ratio * width));
  for (int64_t r = 0; r < ratio; ++r) read_row(*bias, r * bias->stride[0], bias->stride[1], width, values.data() + r * width);
  return values;
}

}  // namespace
}  // namespace sa::meaning

extern "C" int sa_meaning_compress(const sa_tensor *kv, const sa_tensor *gate, const sa_tensor *bias, int64_t ratio,
                                   int64_t overlap, sa_tensor *result, int32_t num_threads, sa_error *error) {
  return sa::guarded(error, [&] {
    sa::require_dtype(kv, "kv", {SA_FP32, SA_BF16, SA_FP16});
    sa::require_shape(kv, "kv", {-1, -1, -1});
    const int64_t batches = kv->size[0], width = kv->size[2];
    sa::require_dtype(gate, "gate", {SA_FP32, SA_BF16, SA_FP16});
    sa::require_shape(gate, "gate", {batches, kv->size[1], width});
    if (ratio < 1) sa::fail("ratio is %lld, must be at least 1", static_cast<long long>(ratio));
    if (overlap && width % 2) sa::fail("tensor kv is %lld wide, overlap needs an even width", static_cast<long long>(width));
    const int64_t windows = kv->size[1] / ratio, columns = overlap ? width / 2 : width;
    const std::vector<float> biases = sa::meaning::read_bias(bias, ratio, width);
    sa::require_dtype(result, "result", {kv->dtype});
    sa::require_shape(result, "result", {batches, windows, columns});
    sa::meaning::require_dense(result, "result");
    const sa::meaning::Windows problem{*kv, *gate, bias ? biases.data() : nullptr, ratio, width, columns, overlap != 0};
    const sa::meaning::Tiles &tiles = sa::meaning::tiles();
    sa::parallel_for(batches * windows, num_threads, [&](int64_t item) {
      std::vector<float> memory(static_cast<size_t>(5 * columns));
      float *sum = memory.data() + 4 * columns;
      problem.pool(tiles, item / windows, item % windows, memory.data(), sum);
      tiles.narrow(sum, columns, static_cast<char *>(result->data) + item * columns * sa::dtype_bytes(kv->dtype), kv->dtype);
    });
  });
}
