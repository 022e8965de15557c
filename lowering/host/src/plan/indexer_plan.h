// The plan of the lightning indexers: rows by visible keys. Rows may be divided along keys, for the best entries of the
// parts of a row hold the best entries of the row.
#pragma once

#include "plan/work.h"

namespace sa {

struct IndexerPlan {
  int64_t num_heads_q, num_heads_k, head_dim, topk;
  const sa_tensor *cu_seqlens_q, *cu_seqlens_k, *seqused_q, *seqused_k, *cmp_residual_k;
  int64_t batch_size, max_seqlen_q, max_seqlen_k;  // SA_NONE when absent, like the next four
  const char *layout_q, *layout_k;
  int64_t mask_mode, cmp_ratio;
};

// With key lengths that count original tokens, and older length conventions: [B] rows, or for TND prefix sums without the 0.
struct UncompressedIndexerPlan {
  int64_t num_heads_q, num_heads_k, topk;
  const sa_tensor *query_lengths, *key_lengths;
  int64_t batch_size, max_seqlen_q, max_seqlen_k;
  const char *layout_q, *layout_k;
  int64_t mask_mode, cmp_ratio;
};

void plan_uncompressed_indexer(const UncompressedIndexerPlan &plan, const sa_tensor *metadata);
void plan_indexer(const IndexerPlan &plan, const sa_tensor *metadata);

}  // namespace sa
