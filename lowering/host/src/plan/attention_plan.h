// The plan of the attention operators: rows by the keys of their window and of their compressed segment. Rows stay whole:
// probabilities are rounded against the maximum of what was seen before, so dividing a row would change its result.
#pragma once

#include "plan/work.h"

namespace sa {

struct AttentionPlan {
  int64_t num_heads_q, num_heads_kv, head_dim;
  LengthSource queries, original, compressed;
  int64_t batch_size, ori_topk, cmp_topk, cmp_ratio, ori_mask_mode, cmp_mask_mode, ori_win_left, ori_win_right;
  bool has_ori_kv, has_cmp_kv;
  const sa_tensor *cmp_residual_kv = nullptr;
  // Compressed length = original length / cmp_ratio, and the original length says which groups show.
  bool original_only = false;
  // The original length says which groups show unless a residual is given.
  bool original_without_residual = false;
};

void plan_attention(const AttentionPlan &plan, const sa_tensor *metadata);

// The argument list quant_sparse_flash_mla_metadata and sparse_flash_mla_metadata share, absent ones as SA_NONE or null.
AttentionPlan mla_plan(int64_t num_heads_q, int64_t num_heads_kv, int64_t head_dim, const sa_tensor *cu_seqlens_q,
                       const sa_tensor *cu_seqlens_ori_kv, const sa_tensor *cu_seqlens_cmp_kv, const sa_tensor *seqused_q,
                       const sa_tensor *seqused_ori_kv, const sa_tensor *seqused_cmp_kv, const sa_tensor *cmp_residual_kv,
                       int64_t batch_size, int64_t max_seqlen_q, int64_t max_seqlen_ori_kv, int64_t max_seqlen_cmp_kv,
                       int64_t ori_topk, int64_t cmp_topk, int64_t cmp_ratio, int64_t ori_mask_mode, int64_t cmp_mask_mode,
                       int64_t ori_win_left, int64_t ori_win_right, const char *layout_q, const char *layout_kv,
                       int64_t has_ori_kv, int64_t has_cmp_kv);

// The same of the two sharedkv plans; nothing is optional there.
AttentionPlan sharedkv_plan(int64_t num_heads_q, int64_t num_heads_kv, int64_t head_dim, const sa_tensor *cu_seqlens_q,
                            const sa_tensor *seqused_kv, int64_t batch_size, int64_t max_seqlen_q, int64_t max_seqlen_kv,
                            int64_t cmp_topk, int64_t cmp_ratio, int64_t ori_mask_mode, int64_t cmp_mask_mode,
                            int64_t ori_win_left, int64_t ori_win_right, const char *layout_q, const char *layout_kv,
                            int64_t has_ori_kv, int64_t has_cmp_kv);

}  // namespace sa
