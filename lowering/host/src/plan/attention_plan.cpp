#include "plan/attention_plan.h"

namespace sa {
namespace {

void check(const AttentionPlan &plan) {
  require_choice(plan.num_heads_kv, "num_heads_kv", {1});
  require_choice(plan.ori_mask_mode, "ori_mask_mode", {0, 3, 4});
  require_choice(plan.cmp_mask_mode, "cmp_mask_mode", {0, 3});
  require_range(plan.ori_topk, "ori_topk", 0, INT32_MAX);
  require_range(plan.cmp_topk, "cmp_topk", 0, INT32_MAX);
  require_range(plan.ori_win_left, "ori_win_left", -1, INT64_MAX);
  require_range(plan.ori_win_right, "ori_win_right", -1, INT64_MAX);
  if (plan.has_cmp_kv) require_range(plan.cmp_ratio, "cmp_ratio", 1, 128);
}

SegmentWork original_work(const AttentionPlan &plan, int64_t batches) {
  SegmentWork work;
  work.length = planned_lengths(plan.original, batches);
  work.restored = work.length;
  work.mask = plan.ori_mask_mode, work.left = plan.ori_win_left, work.right = plan.ori_win_right;
  work.listed = plan.ori_topk;
  return work;
}

SegmentWork compressed_work(const AttentionPlan &plan, int64_t batches, const std::vector<int64_t> &original) {
  SegmentWork work;
  work.mask = plan.cmp_mask_mode, work.ratio = plan.cmp_ratio, work.listed = plan.cmp_topk;
  if (plan.original_only)
    for (int64_t length : original) work.length.push_back(length / plan.cmp_ratio);
  else
    work.length = planned_lengths(plan.compressed, batches);
  std::vector<int64_t> residual(static_cast<size_t>(batches), 0);
  if (plan.cmp_residual_kv) residual = read_bounded(plan.cmp_residual_kv, "cmp_residual_kv", batches, 0, plan.cmp_ratio - 1);
  const bool from_original = plan.original_only || (plan.original_without_residual && !plan.cmp_residual_kv);
  for (size_t b = 0; b < residual.size(); ++b)
    work.restored.push_back(from_original ? original[b] : work.length[b] * plan.cmp_ratio + residual[b]);
  return work;
}

}  // namespace

void plan_attention(const AttentionPlan &plan, const sa_tensor *metadata) {
  require_plan(metadata);
  check(plan);
  const auto queries = planned_queries(plan.queries, plan.batch_size);
  const int64_t batches = int64_t(queries.size());
  std::vector<SegmentWork> segments;
  const SegmentWork original = original_work(plan, batches);
  if (plan.has_ori_kv) segments.push_back(original);
  if (plan.has_cmp_kv) segments.push_back(compressed_work(plan, batches, original.length));
  PlanShape shape{batches, plan.num_heads_q};
  shape.core_ints = 9;
  write_plan(plan_record(planned_rows(queries, segments), shape), metadata);
}

AttentionPlan mla_plan(int64_t num_heads_q, int64_t num_heads_kv, int64_t head_dim, const sa_tensor *cu_seqlens_q,
                       const sa_tensor *cu_seqlens_ori_kv, const sa_tensor *cu_seqlens_cmp_kv, const sa_tensor *seqused_q,
                       const sa_tensor *seqused_ori_kv, const sa_tensor *seqused_cmp_kv, const sa_tensor *cmp_residual_kv,
                       int64_t batch_size, int64_t max_seqlen_q, int64_t max_seqlen_ori_kv, int64_t max_seqlen_cmp_kv,
                       int64_t ori_topk, int64_t cmp_topk, int64_t cmp_ratio, int64_t ori_mask_mode, int64_t cmp_mask_mode,
                       int64_t ori_win_left, int64_t ori_win_right, const char *layout_q, const char *layout_kv,
                       int64_t has_ori_kv, int64_t has_cmp_kv) {
  require_word(or_default(layout_q, "BSND"), "layout_q", {"BSND", "TND"});
  require_word(or_default(layout_kv, "BSND"), "layout_kv", {"BSND", "TND", "PA_BBND"});
  return {num_heads_q,
          num_heads_kv,
          head_dim,
          {cu_seqlens_q, "cu_seqlens_q", seqused_q, "seqused_q", or_default(max_seqlen_q, 0), "max_seqlen_q"},
          {cu_seqlens_ori_kv, "cu_seqlens_ori_kv", seqused_ori_kv, "seqused_ori_kv", or_default(max_seqlen_ori_kv, 0),
           "max_seqlen_ori_kv"},
          {cu_seqlens_cmp_kv, "cu_seqlens_cmp_kv", seqused_cmp_kv, "seqused_cmp_kv", or_default(max_seqlen_cmp_kv, 0),
           "max_seqlen_cmp_kv"},
          or_default(batch_size, 0),
          or_default(ori_topk, 0),
          or_default(cmp_topk, 0),
          or_default(cmp_ratio, 1),
          or_default(ori_mask_mode, 0),
          or_default(cmp_mask_mode, 0),
          or_default(ori_win_left, -1),
          or_default(ori_win_right, -1),
          or_default(has_ori_kv, 1) != 0,
          or_default(has_cmp_kv, 1) != 0,
          cmp_residual_kv};
}

AttentionPlan sharedkv_plan(int64_t num_heads_q, int64_t num_heads_kv, int64_t head_dim, const sa_tensor *cu_seqlens_q,
                            const sa_tensor *seqused_kv, int64_t batch_size, int64_t max_seqlen_q, int64_t max_seqlen_kv,
                            int64_t cmp_topk, int64_t cmp_ratio, int64_t ori_mask_mode, int64_t cmp_mask_mode,
                            int64_t ori_win_left, int64_t ori_win_right, const char *layout_q, const char *layout_kv,
                            int64_t has_ori_kv, int64_t has_cmp_kv) {
  require_word(layout_q, "layout_q", {"BSND", "TND"});
  require_word(layout_kv, "layout_kv", {"PA_ND"});
  AttentionPlan plan{num_heads_q,
                     num_heads_kv,
                     head_dim,
                     {cu_seqlens_q, "cu_seqlens_q", nullptr, "seqused_q", max_seqlen_q, "max_seqlen_q"},
                     {nullptr, "cu_seqlens_ori_kv", seqused_kv, "seqused_kv", max_seqlen_kv, "max_seqlen_kv"},
                     {},
                     batch_size,
                     0,
                     cmp_topk,
                     cmp_ratio,
                     ori_mask_mode,
                     cmp_mask_mode,
                     ori_win_left,
                     ori_win_right,
                     has_ori_kv != 0,
                     has_cmp_kv != 0};
  plan.original_only = true;
  return plan;
}

}  // namespace sa
