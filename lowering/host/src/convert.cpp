#include <vector>

#include "core/core.h"

namespace sa {
namespace {

// A tensor seen as rows along its last axis.
struct Rows {
  const sa_tensor &tensor;
  int64_t length, stride;

  explicit Rows(const sa_tensor &t)
      : tensor(t), length(t.rank ? t.size[t.rank - 1] : 1), stride(t.rank ? t.stride[t.rank - 1] : 1) {}
  int64_t values() const { return tensor.dtype == SA_FP4X2 ? 2 * length : length; }
  int64_t count() const {
    int64_t rows = 1;
    for (int axis = 0; axis + 1 < tensor.rank; ++axis) rows *= tensor.size[axis];
    return rows;
  }
  int64_t offset(int64_t row) const {
    int64_t sum = 0;
    for (int axis = tensor.rank - 2; axis >= 0; row /= tensor.size[axis--]) sum += row % tensor.size[axis] * tensor.stride[axis];
    return sum;
  }
};

void encode_row(const Rows &target, int64_t offset, const float *values, bool saturate) {
  if (target.tensor.dtype == SA_HIF8) {
    auto *codes = static_cast<hif8 *>(target.tensor.data) + offset;
    for (int64_t i = 0; i < target.length; ++i) codes[i * target.stride] = float_to_hif8(values[i], saturate);
  } else {
    write_row(target.tensor, offset, target.stride, target.length, values);
  }
}

void check_shapes(const Rows &source, const Rows &target) {
  bool same = source.tensor.rank == target.tensor.rank && source.values() == target.values();
  for (int axis = 0; same && axis + 1 < source.tensor.rank; ++axis)
    same = source.tensor.size[axis] == target.tensor.size[axis];
  if (!same)
    fail("tensor result has shape %s, must hold the values of source, shape %s",
         shape_text(target.tensor.size, target.tensor.rank).c_str(),
         shape_text(source.tensor.size, source.tensor.rank).c_str());
}

}  // namespace
}  // namespace sa

extern "C" int sa_convert(const sa_tensor *source, int64_t saturate, sa_tensor *result, int32_t num_threads,
                          sa_error *error) {
  return sa::guarded(error, [&] {
    sa::require_dtype(source, "source",
                      {SA_FP32, SA_BF16, SA_FP16, SA_FP64, SA_INT8, SA_UINT8, SA_FP8_E4M3, SA_FP8_E5M2, SA_FP8_E8M0,
                       SA_FP4X2, SA_HIF8});
    sa::require_dtype(result, "result", {SA_FP32, SA_BF16, SA_FP16, SA_FP64, SA_FP8_E4M3, SA_FP8_E5M2, SA_FP4X2, SA_HIF8});
    const sa::Rows from(*source), to(*result);
    sa::check_shapes(from, to);
    sa::parallel_for(from.count(), num_threads, [&](int64_t row) {
      std::vector<float> values(static_cast<size_t>(from.values()));
      sa::read_row(*source, from.offset(row), from.stride, from.length, values.data());
      sa::encode_row(to, to.offset(row), values.data(), saturate != 0);
    });
  });
}
