// quant_lightning_indexer: e4m3, int8, HiFloat8 and the two microscaled formats.
#include "indexer/operands.h"
#include "sparse_attn_host/indexer.h"

namespace sa {
namespace {

const IndexerNames kNames = {"query",        "key",          "weights",   "layout_q",  "layout_k",   "PA_BBND",
                             "cu_seqlens_q", "cu_seqlens_k", "seqused_q", "seqused_k", "block_table"};

IndexerFormat format_of(int64_t mode) {
  switch (mode) {
    case 1: return {SA_FP8_E4M3, {SA_FP8_E4M3, SA_UINT8}, {SA_FP32}, {SA_FP32}, 128, HeadSum::kExact, true};
    case 2: return {SA_INT8, {SA_INT8}, {SA_FP16}, {SA_FP16}, 128, HeadSum::kHalfDots, false};
    case 3: return {SA_FP8_E4M3, {SA_FP8_E4M3, SA_UINT8}, {SA_FP8_E8M0, SA_UINT8}, {SA_FP32}, 128, HeadSum::kFused, true};
    case 4: return {SA_HIF8, {SA_HIF8, SA_UINT8}, {SA_FP32}, {SA_FP32}, 128, HeadSum::kExact, true};
    default: return {SA_FP4X2, {SA_FP4X2, SA_UINT8}, {SA_FP8_E8M0, SA_UINT8}, {SA_FP32}, 64, HeadSum::kFusedBf16, true};
  }
}

struct Scales { const sa_tensor *query, *key; };

void check_scales(const IndexerGeometry &geometry, int64_t mode, const IndexerFormat &format, Scales scales) {
  require_dtype(scales.query, "query_dequant_scale", format.scales);
  require_dtype(scales.key, "key_dequant_scale", format.scales);
  if (mode == 4) {
    require_shape(scales.query, "query_dequant_scale", {1});
    require_shape(scales.key, "key_dequant_scale", {1});
  } else if (mode == 3 || mode == 5) {
    geometry.require_row_shape(scales.query, "query_dequant_scale", {geometry.heads(), 2, 2});
    geometry.require_key_shape(scales.key, "key_dequant_scale", {2, 2});
  } else {
    geometry.require_row_shape(scales.query, "query_dequant_scale", {geometry.heads()});
    geometry.require_key_shape(scales.key, "key_dequant_scale", {});
  }
}

// Microscaled: scales fold into the elements. Otherwise the query scale joins the weight and the key scale stays apart.
void set_loaders(IndexerCall &call, int64_t mode, const IndexerFormat &format, const sa_tensor *query, const sa_tensor *key,
                 const sa_tensor *weights, Scales scales) {
  const IndexerGeometry &geometry = *call.geometry;
  const bool microscaled = mode == 3 || mode == 5;
  call.load_row = [&geometry, mode, format, microscaled, query, weights, scales](const IndexerRow &row, float *q, float *w) {
    const int64_t heads = geometry.heads(), at = geometry.row_offset(*scales.query, row);
    read_heads(*query, geometry.row_offset(*query, row), heads, format, q);
    read_numbers(*weights, geometry.row_offset(*weights, row), heads, w);
    for (int64_t h = 0; h < heads; ++h) {
      if (microscaled) {
        scale_groups(*scales.query, at + h * scales.query->stride[scales.query->rank - 3], q + h * kIndexerDepth);
        if (mode == 5) w[h] = round_bf16(w[h]);
        continue;
      }
      float scale;
      read_numbers(*scales.query, mode == 4 ? 0 : at + h * scales.query->stride[scales.query->rank - 1], 1, &scale);
      w[h] = mode == 2 ? round_fp16(w[h] * scale) : w[h] * scale;
    }
  };
  call.load_key = [&geometry, mode, format, microscaled, key, scales](int64_t batch, int64_t token, float *k) {
    read_key(*key, geometry.key_offset(*key, batch, token), format, k);
    const int64_t at = mode == 4 ? 0 : geometry.key_offset(*scales.key, batch, token);
    float scale = 1;
    if (microscaled)
      scale_groups(*scales.key, at, k);
    else
      read_numbers(*scales.key, at, 1, &scale);
    return scale;
  };
}

}  // namespace
}  // namespace sa

extern "C" int sa_quant_lightning_indexer(
    const sa_tensor *query, const sa_tensor *key, const sa_tensor *weights, const sa_tensor *query_dequant_scale,
    const sa_tensor *key_dequant_scale, int64_t topk, int64_t quant_mode, const sa_tensor *cu_seqlens_q,
    const sa_tensor *cu_seqlens_k, const sa_tensor *seqused_q, const sa_tensor *seqused_k, const sa_tensor *cmp_residual_k,
    const sa_tensor *block_table, const sa_tensor *output_idx_offset, const sa_tensor * /*metadata*/, int64_t max_seqlen_q,
    const char *layout_q, const char *layout_k, int64_t mask_mode, int64_t cmp_ratio, int64_t return_value,
    sa_tensor *sparse_indices, sa_tensor *sparse_values, int32_t num_threads, sa_error *error) {
  return sa::guarded(error, [&] {
    sa::require_choice(quant_mode, "quant_mode", {1, 2, 3, 4, 5});
    sa::require_choice(mask_mode, "mask_mode", {0, 3});
    sa::require_choice(return_value, "return_value", {0, 1});
    sa::require_range(cmp_ratio, "cmp_ratio", 1, 128);
    sa::require_range(topk, "topk", 1, INT32_MAX);
    sa::require_range(max_seqlen_q, "max_seqlen_q", -1, INT32_MAX);
    const sa::IndexerFormat format = sa::format_of(quant_mode);
    const sa::IndexerGeometry geometry(query, key, layout_q, layout_k,
                                       {cu_seqlens_q, cu_seqlens_k, seqused_q, seqused_k, block_table}, sa::kNames);
    sa::check_operands(geometry, format, sa::kNames, query, key, weights);
    sa::check_scales(geometry, quant_mode, format, {query_dequant_scale, key_dequant_scale});
    sa::IndexerCall call = {};
    call.geometry = &geometry;
    call.rows = geometry.rows(
        mask_mode, cmp_ratio, sa::read_residual(cmp_residual_k, "cmp_residual_k", geometry.batches(), mask_mode, cmp_ratio));
    call.topk = topk;
    call.head_sum = format.head_sum;
    call.round_to_bf16 = format.round_to_bf16;
    call.offset = output_idx_offset;
    call.indices = sparse_indices;
    call.values = return_value ? sparse_values : nullptr;
    if (return_value) sa::require(sparse_values, "sparse_values");
    sa::set_loaders(call, quant_mode, format, query, key, weights, {query_dequant_scale, key_dequant_scale});
    sa::check_outputs(call);
    sa::select_keys(call, num_threads);
  });
}
