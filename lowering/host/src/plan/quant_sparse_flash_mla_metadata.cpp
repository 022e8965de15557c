// quant_sparse_flash_mla_metadata. Facts: ops-transformer, quant_sparse_flash_mla document and torch binding.
// The lengths of lists are reserved: a plan counts a list by its width.
#include "plan/attention_plan.h"

extern "C" int sa_quant_sparse_flash_mla_metadata(
    int64_t num_heads_q, int64_t num_heads_kv, int64_t head_dim, int64_t quant_mode, const sa_tensor *cu_seqlens_q,
    const sa_tensor *cu_seqlens_ori_kv, const sa_tensor *cu_seqlens_cmp_kv, const sa_tensor *seqused_q,
    const sa_tensor *seqused_ori_kv, const sa_tensor *seqused_cmp_kv, const sa_tensor *cmp_residual_kv,
    const sa_tensor * /*ori_topk_length*/, const sa_tensor * /*cmp_topk_length*/, int64_t batch_size, int64_t max_seqlen_q,
    int64_t max_seqlen_ori_kv, int64_t max_seqlen_cmp_kv, int64_t ori_topk, int64_t cmp_topk, int64_t cmp_ratio,
    int64_t ori_mask_mode, int64_t cmp_mask_mode, int64_t ori_win_left, int64_t ori_win_right, const char *layout_q,
    const char *layout_kv, int64_t has_ori_kv, int64_t has_cmp_kv, sa_tensor *metadata, int32_t, sa_error *error) {
  return sa::guarded(error, [&] {
    sa::require_choice(quant_mode, "quant_mode", {1});
    sa::AttentionPlan plan = sa::mla_plan(
        num_heads_q, num_heads_kv, head_dim, cu_seqlens_q, cu_seqlens_ori_kv, cu_seqlens_cmp_kv, seqused_q, seqused_ori_kv,
        seqused_cmp_kv, cmp_residual_kv, batch_size, max_seqlen_q, max_seqlen_ori_kv, max_seqlen_cmp_kv, ori_topk, cmp_topk,
        cmp_ratio, ori_mask_mode, cmp_mask_mode, ori_win_left, ori_win_right, layout_q, layout_kv, has_ori_kv, has_cmp_kv);
    sa::plan_attention(plan, metadata);
  });
}
