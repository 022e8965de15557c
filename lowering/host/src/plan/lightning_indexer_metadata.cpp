// lightning_indexer_metadata. Facts: ops-transformer, lightning_indexer torch binding.
#include "plan/indexer_plan.h"

extern "C" int sa_lightning_indexer_metadata(int64_t num_heads_q, int64_t num_heads_k, int64_t head_dim, int64_t topk,
                                             const sa_tensor *cu_seqlens_q, const sa_tensor *cu_seqlens_k,
                                             const sa_tensor *seqused_q, const sa_tensor *seqused_k,
                                             const sa_tensor *cmp_residual_k, int64_t batch_size, int64_t max_seqlen_q,
                                             int64_t max_seqlen_k, const char *layout_q, const char *layout_k,
                                             int64_t mask_mode, int64_t cmp_ratio, sa_tensor *metadata, int32_t,
                                             sa_error *error) {
  return sa::guarded(error, [&] {
    sa::plan_indexer({num_heads_q, num_heads_k, head_dim, topk, cu_seqlens_q, cu_seqlens_k, seqused_q, seqused_k,
                      cmp_residual_k, batch_size, max_seqlen_q, max_seqlen_k, layout_q, layout_k, mask_mode, cmp_ratio},
                     metadata);
  });
}
