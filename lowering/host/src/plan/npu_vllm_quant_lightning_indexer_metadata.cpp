// npu_vllm_quant_lightning_indexer_metadata: like lightning_indexer_metadata with uncompressed key lengths and, for packed
// queries, prefix sums without the leading 0. Facts: cann-recipes-infer and vllm-ascend, torch bindings.
#include "plan/indexer_plan.h"

extern "C" int sa_npu_vllm_quant_lightning_indexer_metadata(
    int64_t num_heads_q, int64_t num_heads_k, int64_t /*head_dim*/, int64_t query_quant_mode, int64_t key_quant_mode,
    const sa_tensor *actual_seq_lengths_query, const sa_tensor *actual_seq_lengths_key, int64_t batch_size,
    int64_t max_seqlen_q, int64_t max_seqlen_k, const char *layout_query, const char *layout_key, int64_t sparse_count,
    int64_t sparse_mode, int64_t /*pre_tokens*/, int64_t /*next_tokens*/, int64_t cmp_ratio, const char * /*device*/,
    sa_tensor *metadata, int32_t, sa_error *error) {
  return sa::guarded(error, [&] {
    sa::require_choice(query_quant_mode, "query_quant_mode", {0});
    sa::require_choice(key_quant_mode, "key_quant_mode", {0});
    sa::plan_uncompressed_indexer({num_heads_q, num_heads_k, sparse_count, actual_seq_lengths_query, actual_seq_lengths_key,
                                   batch_size, max_seqlen_q, max_seqlen_k, layout_query, layout_key, sparse_mode, cmp_ratio},
                                  metadata);
  });
}
