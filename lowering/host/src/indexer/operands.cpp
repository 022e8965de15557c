#include "indexer/operands.h"

namespace sa {

void check_operands(const IndexerGeometry &geometry, const IndexerFormat &format, const IndexerNames &names,
                    const sa_tensor *query, const sa_tensor *key, const sa_tensor *weights) {
  require_dtype(query, names.query, format.elements);
  require_dtype(key, names.key, format.elements);
  if (query->dtype != key->dtype)
    fail("tensor %s is %s and tensor %s is %s, must be the same", names.query, dtype_name(query->dtype), names.key,
         dtype_name(key->dtype));
  require_dtype(weights, names.weights, format.weights);
  geometry.require_row_shape(query, names.query, {geometry.heads(), format.width});
  geometry.require_key_shape(key, names.key, {format.width});
  geometry.require_row_shape(weights, names.weights, {geometry.heads()});
}

void read_heads(const sa_tensor &query, int64_t offset, int64_t heads, const IndexerFormat &format, float *out) {
  for (int64_t h = 0; h < heads; ++h)
    read_row(query, offset + h * query.stride[query.rank - 2], query.stride[query.rank - 1], format.width,
             out + h * kIndexerDepth, format.as);
}

void scale_groups(const sa_tensor &scales, int64_t offset, float *values) {
  constexpr int64_t group = 32;
  for (int64_t g = 0; g < kIndexerDepth / group; ++g) {
    float factor;
    read_row(scales, offset + g / 2 * scales.stride[scales.rank - 2] + g % 2 * scales.stride[scales.rank - 1], 1, 1, &factor,
             SA_FP8_E8M0);
    for (int64_t i = 0; i < group; ++i) values[g * group + i] *= factor;
  }
}

void read_numbers(const sa_tensor &tensor, int64_t offset, int64_t count, float *out) {
  read_row(tensor, offset, tensor.stride[tensor.rank - 1], count, out);
}

std::vector<int64_t> read_residual(const sa_tensor *residual, const char *name, int64_t batches, int64_t mask, int64_t ratio) {
  if (ratio == 1 || mask != 3) {
    require_absent(residual, name, "the ratio is 1 or the mask mode is 0");
    return {};
  }
  if (!residual) fail("tensor %s is missing: mask mode 3 with ratio %lld needs it", name, static_cast<long long>(ratio));
  return read_bounded(residual, name, batches, 0, ratio - 1);
}

const IndexerNames kOlderNames = {"query",
                                  "key",
                                  "weights",
                                  "layout_query",
                                  "layout_key",
                                  "PA_BSND",
                                  "actual_seq_lengths_query",
                                  "actual_seq_lengths_key",
                                  "actual_seq_lengths_query",
                                  "actual_seq_lengths_key",
                                  "block_table"};

IndexerLengths older_lengths(const sa_tensor *query_lengths, const sa_tensor *key_lengths, const sa_tensor *block_table) {
  IndexerLengths lengths = {query_lengths, key_lengths, nullptr, nullptr, block_table};
  lengths.leading_zero = false;
  lengths.lengths_in_sums = true;
  return lengths;
}

void check_older_scalars(int64_t sparse_count, int64_t sparse_mode, int64_t pre_tokens, int64_t next_tokens) {
  require_range(sparse_count, "sparse_count", 1, INT32_MAX);
  require_choice(sparse_mode, "sparse_mode", {0, 3});
  require_choice(pre_tokens, "pre_tokens", {INT64_MAX});
  require_choice(next_tokens, "next_tokens", {INT64_MAX});
}

}  // namespace sa
