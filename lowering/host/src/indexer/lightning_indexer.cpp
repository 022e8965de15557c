// lightning_indexer and its older relative npu_lightning_indexer: bf16, fp16 or fp32 operands, fp32 scores.
#include "indexer/operands.h"
#include "sparse_attn_host/indexer.h"

namespace sa {
namespace {

const IndexerNames kNames = {"q",            "k",            "w",         "layout_q",  "layout_k",   "PA_BBND",
                             "cu_seqlens_q", "cu_seqlens_k", "seqused_q", "seqused_k", "block_table"};

IndexerCall float_call(const IndexerGeometry &geometry, const IndexerNames &names, const sa_tensor *query, const sa_tensor *key,
                       const sa_tensor *weights) {
  const IndexerFormat format = {SA_UINT8, {SA_BF16, SA_FP16, SA_FP32}, {}, {SA_FP32, SA_BF16, SA_FP16}, 128, HeadSum::kFloat, false};
  check_operands(geometry, format, names, query, key, weights);
  IndexerCall call = {};
  call.geometry = &geometry;
  call.head_sum = format.head_sum;
  call.round_to_bf16 = format.round_to_bf16;
  call.load_row = [&geometry, format, query, weights](const IndexerRow &row, float *q, float *w) {
    read_heads(*query, geometry.row_offset(*query, row), geometry.heads(), format, q);
    read_numbers(*weights, geometry.row_offset(*weights, row), geometry.heads(), w);
  };
  call.load_key = [&geometry, format, key](int64_t batch, int64_t token, float *k) {
    read_key(*key, geometry.key_offset(*key, batch, token), format, k);
    return 1.0f;
  };
  return call;
}

}  // namespace
}  // namespace sa

extern "C" int sa_lightning_indexer(
    const sa_tensor *q, const sa_tensor *k, const sa_tensor *w, int64_t topk, const sa_tensor *cu_seqlens_q,
    const sa_tensor *cu_seqlens_k, const sa_tensor *seqused_q, const sa_tensor *seqused_k, const sa_tensor *cmp_residual_k,
    const sa_tensor *block_table, const sa_tensor *output_idx_offset, const sa_tensor * /*metadata*/, int64_t max_seqlen_q,
    const char *layout_q, const char *layout_k, int64_t mask_mode, int64_t cmp_ratio, int64_t return_value,
    sa_tensor *sparse_indices, sa_tensor *sparse_values, int32_t num_threads, sa_error *error) {
  return sa::guarded(error, [&] {
    sa::require_choice(mask_mode, "mask_mode", {0, 3});
    sa::require_choice(return_value, "return_value", {0, 1});
    sa::require_range(cmp_ratio, "cmp_ratio", 1, 128);
    sa::require_range(topk, "topk", 1, INT32_MAX);
    sa::require_range(max_seqlen_q, "max_seqlen_q", -1, INT32_MAX);
    const sa::IndexerGeometry geometry(q, k, layout_q, layout_k,
                                       {cu_seqlens_q, cu_seqlens_k, seqused_q, seqused_k, block_table}, sa::kNames);
    sa::IndexerCall call = sa::float_call(geometry, sa::kNames, q, k, w);
    call.rows = geometry.rows(
        mask_mode, cmp_ratio, sa::read_residual(cmp_residual_k, "cmp_residual_k", geometry.batches(), mask_mode, cmp_ratio));
    call.topk = topk;
    call.offset = output_idx_offset;
    call.indices = sparse_indices;
    if (return_value) sa::require(call.values = sparse_values, "sparse_values");
    sa::check_outputs(call);
    sa::select_keys(call, num_threads);
  });
}

extern "C" int sa_npu_lightning_indexer(const sa_tensor *query, const sa_tensor *key, const sa_tensor *weights,
                                        const sa_tensor *actual_seq_lengths_query, const sa_tensor *actual_seq_lengths_key,
                                        const sa_tensor *block_table, const char *layout_query, const char *layout_key,
                                        int64_t sparse_count, int64_t sparse_mode, int64_t pre_tokens, int64_t next_tokens,
                                        int64_t return_value, sa_tensor *sparse_indices, sa_tensor *sparse_values,
                                        int32_t num_threads, sa_error *error) {
  return sa::guarded(error, [&] {
    sa::check_older_scalars(sparse_count, sparse_mode, pre_tokens, next_tokens);
    sa::require_choice(return_value, "return_value", {0, 1});
    const sa::IndexerGeometry geometry(query, key, layout_query, layout_key,
                                       sa::older_lengths(actual_seq_lengths_query, actual_seq_lengths_key, block_table),
                                       sa::kOlderNames);
    sa::IndexerCall call = sa::float_call(geometry, sa::kOlderNames, query, key, weights);
    call.rows = geometry.rows(sparse_mode, 1, {});
    call.topk = sparse_count;
    call.indices = sparse_indices;
    if (return_value) sa::require(call.values = sparse_values, "sparse_values");
    sa::check_outputs(call);
    sa::select_keys(call, num_threads);
  });
}
