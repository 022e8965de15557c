// npu_quant_lightning_indexer and its relative for compressed keys, npu_vllm_quant_lightning_indexer: one scale per token
// (and per head, for queries); int8, e4m3 or HiFloat8 elements.
#include "indexer/operands.h"
#include "sparse_attn_host/indexer.h"

namespace sa {
namespace {

// The arithmetic of quant_lightning_indexer for the same storage; plain uint8 is HiFloat8. Weights may also be bf16.
IndexerFormat format_of(const sa_tensor *query) {
  require_dtype(query, "query", {SA_INT8, SA_FP8_E4M3, SA_HIF8, SA_UINT8});
  if (query->dtype == SA_INT8) return {SA_INT8, {SA_INT8}, {SA_FP16}, {SA_FP16, SA_BF16}, 128, HeadSum::kHalfDots, false};
  if (query->dtype == SA_FP8_E4M3)
    return {SA_FP8_E4M3, {SA_FP8_E4M3}, {SA_FP32}, {SA_FP32, SA_BF16, SA_FP16}, 128, HeadSum::kExact, true};
  return {SA_HIF8, {SA_HIF8, SA_UINT8}, {SA_FP32}, {SA_FP32, SA_BF16, SA_FP16}, 128, HeadSum::kExact, true};
}

struct Operands {
  const sa_tensor *query, *key, *weights, *query_scale, *key_scale;
};

IndexerCall scaled_call(const IndexerGeometry &geometry, const Operands &operands) {
  const IndexerFormat format = format_of(operands.query);
  check_operands(geometry, format, kOlderNames, operands.query, operands.key, operands.weights);
  require_dtype(operands.query_scale, "query_dequant_scale", format.scales);
  require_dtype(operands.key_scale, "key_dequant_scale", format.scales);
  geometry.require_row_shape(operands.query_scale, "query_dequant_scale", {geometry.heads()});
  geometry.require_key_shape(operands.key_scale, "key_dequant_scale", {});
  IndexerCall call = {};
  call.geometry = &geometry;
  call.head_sum = format.head_sum;
  call.round_to_bf16 = format.round_to_bf16;
  call.load_row = [&geometry, format, operands](const IndexerRow &row, float *q, float *w) {
    const int64_t heads = geometry.heads();
    read_heads(*operands.query, geometry.row_offset(*operands.query, row), heads, format, q);
    read_numbers(*operands.weights, geometry.row_offset(*operands.weights, row), heads, w);
    std::vector<float> scale(static_cast<size_t>(heads));
    read_numbers(*operands.query_scale, geometry.row_offset(*operands.query_scale, row), heads, scale.data());
    for (int64_t h = 0; h < heads; ++h) {
      w[h] *= scale[size_t(h)];
      if (format.head_sum == HeadSum::kHalfDots) w[h] = round_fp16(w[h]);
    }
  };
  call.load_key = [&geometry, format, operands](int64_t batch, int64_t token, float *k) {
    read_key(*operands.key, geometry.key_offset(*operands.key, batch, token), format, k);
    float scale;
    read_numbers(*operands.key_scale, geometry.key_offset(*operands.key_scale, batch, token), 1, &scale);
    return scale;
  };
  return call;
}

void select(const IndexerGeometry &geometry, const Operands &operands, std::vector<IndexerRow> rows, int64_t topk,
            sa_tensor *indices, sa_tensor *values, int32_t num_threads) {
  IndexerCall call = scaled_call(geometry, operands);
  call.rows = std::move(rows);
  call.topk = topk;
  call.indices = indices;
  call.values = values;
  check_outputs(call);
  select_keys(call, num_threads);
}

void check_quant_modes(int64_t query_quant_mode, int64_t key_quant_mode) {
  require_choice(query_quant_mode, "query_quant_mode", {0});
  require_choice(key_quant_mode, "key_quant_mode", {0});
}

}  // namespace
}  // namespace sa

extern "C" int sa_npu_quant_lightning_indexer(
    const sa_tensor *query, const sa_tensor *key, const sa_tensor *weights, const sa_tensor *query_dequant_scale,
    const sa_tensor *key_dequant_scale, int64_t query_quant_mode, int64_t key_quant_mode,
    const sa_tensor *actual_seq_lengths_query, const sa_tensor *actual_seq_lengths_key, const sa_tensor *block_table,
    const char *layout_query, const char *layout_key, int64_t sparse_count, int64_t sparse_mode, int64_t pre_tokens,
    int64_t next_tokens, int64_t /*query_dtype*/, int64_t /*key_dtype*/, sa_tensor *sparse_indices, int32_t num_threads,
    sa_error *error) {
  return sa::guarded(error, [&] {
    sa::check_quant_modes(query_quant_mode, key_quant_mode);
    sa::check_older_scalars(sparse_count, sparse_mode, pre_tokens, next_tokens);
    const sa::IndexerGeometry geometry(query, key, layout_query, layout_key,
                                       sa::older_lengths(actual_seq_lengths_query, actual_seq_lengths_key, block_table),
                                       sa::kOlderNames);
    sa::select(geometry, {query, key, weights, query_dequant_scale, key_dequant_scale}, geometry.rows(sparse_mode, 1, {}),
               sparse_count, sparse_indices, nullptr, num_threads);
  });
}

extern "C" int sa_npu_vllm_quant_lightning_indexer(
    const sa_tensor *query, const sa_tensor *key, const sa_tensor *weights, const sa_tensor *query_dequant_scale,
    const sa_tensor *key_dequant_scale, int64_t query_quant_mode, int64_t key_quant_mode,
    const sa_tensor *actual_seq_lengths_query, const sa_tensor *actual_seq_lengths_key, const sa_tensor *block_table,
    const sa_tensor * /*metadata*/, const char *layout_query, const char *layout_key, int64_t sparse_count,
    int64_t sparse_mode, int64_t pre_tokens, int64_t next_tokens, int64_t cmp_ratio, int64_t return_value,
    sa_tensor *sparse_indices, sa_tensor *sparse_values, int32_t num_threads, sa_error *error) {
  return sa::guarded(error, [&] {
    sa::check_quant_modes(query_quant_mode, key_quant_mode);
    sa::check_older_scalars(sparse_count, sparse_mode, pre_tokens, next_tokens);
    sa::require_range(cmp_ratio, "cmp_ratio", 1, 128);
    sa::require_choice(return_value, "return_value", {0, 1});
    const sa::IndexerGeometry geometry(query, key, layout_query, layout_key,
                                       sa::older_lengths(actual_seq_lengths_query, actual_seq_lengths_key, block_table),
                                       sa::kOlderNames, cmp_ratio);
    if (return_value) sa::require(sparse_values, "sparse_values");
    sa::select(geometry, {query, key, weights, query_dequant_scale, key_dequant_scale},
               geometry.rows(sparse_mode, cmp_ratio, geometry.key_remainders()), sparse_count, sparse_indices,
               return_value ? sparse_values : nullptr, num_threads);
  });
}
