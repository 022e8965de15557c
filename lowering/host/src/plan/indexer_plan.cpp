#include "plan/indexer_plan.h"

namespace sa {

namespace {

void write(const std::vector<int64_t> &queries, const SegmentWork &keys, int64_t heads, const sa_tensor *metadata) {
  PlanShape shape{int64_t(queries.size()), heads};
  shape.split_keys = true;
  write_plan(plan_record(planned_rows(queries, {keys}), shape), metadata);
}

SegmentWork checked_work(int64_t key_heads, int64_t topk, int64_t mask, int64_t ratio) {
  require_choice(key_heads, "num_heads_k", {1});
  require_range(topk, "topk", 1, INT32_MAX);
  SegmentWork keys;
  keys.mask = or_default(mask, 0);
  keys.ratio = or_default(ratio, 1);
  require_choice(keys.mask, "mask_mode", {0, 3});
  require_range(keys.ratio, "cmp_ratio", 1, 128);
  return keys;
}

}  // namespace

void plan_indexer(const IndexerPlan &plan, const sa_tensor *metadata) {
  require_plan(metadata);
  require_word(or_default(plan.layout_q, "BSND"), "layout_q", {"BSND", "TND"});
  require_word(or_default(plan.layout_k, "BSND"), "layout_k", {"BSND", "TND", "PA_BBND"});
  SegmentWork keys = checked_work(plan.num_heads_k, plan.topk, plan.mask_mode, plan.cmp_ratio);
  const LengthSource query_source{
      plan.cu_seqlens_q, "cu_seqlens_q", plan.seqused_q, "seqused_q", or_default(plan.max_seqlen_q, -1), "max_seqlen_q"};
  const LengthSource key_source{
      plan.cu_seqlens_k, "cu_seqlens_k", plan.seqused_k, "seqused_k", or_default(plan.max_seqlen_k, -1), "max_seqlen_k"};
  const auto queries = planned_queries(query_source, or_default(plan.batch_size, 0));
  const int64_t batches = int64_t(queries.size());
  keys.length = planned_lengths(key_source, batches);
  std::vector<int64_t> residual(static_cast<size_t>(batches), 0);
  if (plan.cmp_residual_k) residual = read_bounded(plan.cmp_residual_k, "cmp_residual_k", batches, 0, keys.ratio - 1);
  for (size_t b = 0; b < residual.size(); ++b) keys.restored.push_back(keys.length[b] * keys.ratio + residual[b]);
  write(queries, keys, plan.num_heads_q, metadata);
}

void plan_uncompressed_indexer(const UncompressedIndexerPlan &plan, const sa_tensor *metadata) {
  require_plan(metadata);
  require_word(plan.layout_q, "layout_query", {"BSND", "TND"});
  require_word(plan.layout_k, "layout_key", {"BSND", "TND", "PA_BSND"});
  SegmentWork keys = checked_work(plan.num_heads_k, plan.topk, plan.mask_mode, plan.cmp_ratio);
  const char *query_name = "actual_seq_lengths_query", *key_name = "actual_seq_lengths_key";
  const LengthSource query_source{nullptr, query_name, plan.query_lengths, query_name, plan.max_seqlen_q, "max_seqlen_q"};
  const LengthSource key_source{nullptr, key_name, plan.key_lengths, key_name, plan.max_seqlen_k, "max_seqlen_k"};
  const bool packed_queries = is_word(plan.layout_q, "TND") && plan.query_lengths;
  const bool packed_keys = is_word(plan.layout_k, "TND") && plan.key_lengths;
  const auto queries = packed_queries ? planned_packed_queries(plan.query_lengths, query_name)
                                      : planned_queries(query_source, plan.batch_size);
  keys.restored =
      packed_keys ? packed_lengths(plan.key_lengths, key_name) : planned_lengths(key_source, int64_t(queries.size()));
  if (keys.restored.size() != queries.size())
    fail("tensor %s has %zu lengths, must be %zu like %s", key_name, keys.restored.size(), queries.size(), query_name);
  for (int64_t tokens : keys.restored) keys.length.push_back(tokens / keys.ratio);
  write(queries, keys, plan.num_heads_q, metadata);
}

}  // namespace sa
