// sparse_flash_mla: bf16 or fp16 queries and keys, probabilities rounded to the same type.
// Facts: ops-transformer, sparse_flash_mla document and its CPU reference.
#include "attention/mla.h"

extern "C" int sa_sparse_flash_mla(const sa_tensor *q, const sa_tensor *ori_kv, const sa_tensor *cmp_kv,
                                   const sa_tensor *ori_sparse_indices, const sa_tensor *cmp_sparse_indices,
                                   const sa_tensor *ori_block_table, const sa_tensor *cmp_block_table,
                                   const sa_tensor *cu_seqlens_q, const sa_tensor *cu_seqlens_ori_kv,
                                   const sa_tensor *cu_seqlens_cmp_kv, const sa_tensor *seqused_q,
                                   const sa_tensor *seqused_ori_kv, const sa_tensor *seqused_cmp_kv,
                                   const sa_tensor *cmp_residual_kv, const sa_tensor *ori_topk_length,
                                   const sa_tensor *cmp_topk_length, const sa_tensor *sinks, const sa_tensor *metadata,
                                   double softmax_scale, int64_t cmp_ratio, int64_t ori_mask_mode, int64_t cmp_mask_mode,
                                   int64_t ori_win_left, int64_t ori_win_right, const char *layout_q, const char *layout_kv,
                                   int64_t topk_value_mode, int64_t return_softmax_lse, sa_tensor *attn_out,
                                   sa_tensor *softmax_lse, int32_t num_threads, sa_error *error) {
  return sa::guarded(error, [&] {
    sa::require_choice(topk_value_mode, "topk_value_mode", {1});
    sa::MlaArguments arguments{q,
                               ori_kv,
                               cmp_kv,
                               ori_sparse_indices,
                               cmp_sparse_indices,
                               ori_block_table,
                               cmp_block_table,
                               cu_seqlens_q,
                               cu_seqlens_ori_kv,
                               cu_seqlens_cmp_kv,
                               seqused_q,
                               seqused_ori_kv,
                               seqused_cmp_kv,
                               cmp_residual_kv,
                               ori_topk_length,
                               cmp_topk_length,
                               sinks,
                               metadata,
                               softmax_scale,
                               cmp_ratio,
                               ori_mask_mode,
                               cmp_mask_mode,
                               ori_win_left,
                               ori_win_right,
                               layout_q,
                               layout_kv};
    arguments.restored = sa::Restored::kResidualOrOriginal;
    sa::run_mla_16bit(arguments, attn_out, return_softmax_lse ? &sa::require(softmax_lse, "softmax_lse") : nullptr,
                      num_threads);
  });
}
