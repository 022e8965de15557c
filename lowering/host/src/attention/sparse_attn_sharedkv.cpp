// sparse_attn_sharedkv: bf16 or fp16, paged keys, one uncompressed length for both segments.
// Facts: cann-recipes-infer and vllm-ascend, the operator's documents and host checks.
#include "attention/mla.h"

extern "C" int sa_sparse_attn_sharedkv(const sa_tensor *q, const sa_tensor *ori_kv, const sa_tensor *cmp_kv,
                                       const sa_tensor * /*ori_sparse_indices*/, const sa_tensor *cmp_sparse_indices,
                                       const sa_tensor *ori_block_table, const sa_tensor *cmp_block_table,
                                       const sa_tensor *cu_seqlens_q, const sa_tensor * /*cu_seqlens_ori_kv*/,
                                       const sa_tensor * /*cu_seqlens_cmp_kv*/, const sa_tensor * /*seqused_q*/,
                                       const sa_tensor *seqused_kv, const sa_tensor *sinks, const sa_tensor *metadata,
                                       double softmax_scale, int64_t cmp_ratio, int64_t ori_mask_mode, int64_t cmp_mask_mode,
                                       int64_t ori_win_left, int64_t ori_win_right, const char *layout_q,
                                       const char *layout_kv, int64_t return_softmax_lse, sa_tensor *attn_out,
                                       sa_tensor *softmax_lse, int32_t num_threads, sa_error *error) {
  return sa::guarded(error, [&] {
    sa::run_mla_16bit(sa::sharedkv_arguments(q, ori_kv, cmp_kv, cmp_sparse_indices, ori_block_table, cmp_block_table,
                                             cu_seqlens_q, seqused_kv, sinks, metadata, softmax_scale, cmp_ratio,
                                             ori_mask_mode, cmp_mask_mode, ori_win_left, ori_win_right, layout_q, layout_kv),
                      attn_out, return_softmax_lse ? &sa::require(softmax_lse, "softmax_lse") : nullptr, num_threads);
  });
}
