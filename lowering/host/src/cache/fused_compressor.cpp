// fused_compressor: the compressor with RMS norm over a row and a rotary embedding of its last columns.
#include <cmath>

#include "cache/compressor.h"
#include "sparse_attn_host/cache.h"

namespace sa {
namespace {

constexpr int64_t kHalf = 1, kInterleave = 2;

struct Rotation {
  const sa_tensor *sin, *cos;
  int64_t width, mode;
};

int64_t row_offset(const sa_tensor &table, int64_t row) {
  return table.rank == 2 ? row * table.stride[0]
                         : row / table.size[1] * table.stride[0] + row % table.size[1] * table.stride[1];
}

// A pair (a, b) of columns i, j becomes (a cos_i - b sin_i, b cos_j + a sin_j).
void rotate(const Rotation &rotation, int64_t row, float *values) {
  const int64_t width = rotation.width, half = width / 2;
  std::vector<float> sin(static_cast<size_t>(width)), cos(static_cast<size_t>(width));
  const int last = rotation.sin->rank - 1;
  read_row(*rotation.sin, row_offset(*rotation.sin, row), rotation.sin->stride[last], width, sin.data());
  read_row(*rotation.cos, row_offset(*rotation.cos, row), rotation.cos->stride[last], width, cos.data());
  for (int64_t pair = 0; pair < half; ++pair) {
    const size_t i = size_t(rotation.mode == kInterleave ? 2 * pair : pair);
    const size_t j = size_t(rotation.mode == kInterleave ? 2 * pair + 1 : pair + half);
    const float a = values[i], b = values[j];
    values[i] = a * cos[i] - b * sin[i];
    values[j] = b * cos[j] + a * sin[j];
  }
}

void normalise(const float *weight, double eps, int64_t width, float *values) {
  double squares = 0;
  for (int64_t d = 0; d < width; ++d) squares += double(values[d]) * values[d];
  const float factor = float(1.0 / std::sqrt(squares / double(width) + eps));
  for (int64_t d = 0; d < width; ++d) values[d] *= factor * weight[d];
}

void check_table(const sa_tensor *table, const char *name, const sa_tensor &cmp_kv, int64_t width, int32_t dtype) {
  require_dtype(table, name, {dtype});
  std::vector<int64_t> shape(cmp_kv.size, cmp_kv.size + cmp_kv.rank - 1);
  shape.push_back(width);
  if (table->rank != cmp_kv.rank || !std::equal(shape.begin(), shape.end(), table->size))
    fail("tensor %s has shape %s, must be %s: a row for each compressed row", name,
         shape_text(table->size, table->rank).c_str(), shape_text(shape.data(), int(shape.size())).c_str());
}

}  // namespace
}  // namespace sa

extern "C" int sa_fused_compressor(const sa_tensor *x, const sa_tensor *wkv, const sa_tensor *wgate,
                                   const sa_tensor *state_cache, const sa_tensor *ape, const sa_tensor *norm_weight,
                                   const sa_tensor *rope_sin, const sa_tensor *rope_cos, int64_t rope_head_dim,
                                   int64_t cmp_ratio, const sa_tensor *state_block_table, const sa_tensor *cu_seqlens,
                                   const sa_tensor *seqused, const sa_tensor *start_pos, int64_t coff, double norm_eps,
                                   int64_t rotary_mode, int64_t cache_mode, sa_tensor *cmp_kv, int32_t num_threads,
                                   sa_error *error) {
  return sa::guarded(error, [&] {
    const int64_t width = cmp_kv->size[cmp_kv->rank - 1];
    sa::require_dtype(x, "x", {SA_BF16, SA_FP16});
    sa::require_dtype(norm_weight, "norm_weight", {x->dtype});
    sa::require_shape(norm_weight, "norm_weight", {width});
    sa::require_choice(rotary_mode, "rotary_mode", {sa::kHalf, sa::kInterleave});
    if (rope_head_dim < 2 || rope_head_dim % 2 || rope_head_dim > width)
      sa::fail("rope_head_dim is %lld, must be even and in 2..%lld", (long long)rope_head_dim, (long long)width);
    sa::check_table(rope_sin, "rope_sin", *cmp_kv, rope_head_dim, x->dtype);
    sa::check_table(rope_cos, "rope_cos", *cmp_kv, rope_head_dim, x->dtype);
    std::vector<float> weight(static_cast<size_t>(width));
    sa::read_row(*norm_weight, 0, norm_weight->stride[0], width, weight.data());
    const sa::Rotation rotation = {rope_sin, rope_cos, rope_head_dim, rotary_mode};
    const auto finish = [&](int64_t row, float *values) {
      sa::normalise(weight.data(), norm_eps, width, values);
      sa::rotate(rotation, row, values + width - rope_head_dim);
    };
    sa::compress({x, wkv, wgate, state_cache, ape, state_block_table, cu_seqlens, seqused, start_pos, cmp_ratio, coff,
                  cache_mode, cmp_kv}, finish, num_threads);
  });
}
