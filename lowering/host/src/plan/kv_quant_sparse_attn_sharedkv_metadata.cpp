// kv_quant_sparse_attn_sharedkv_metadata. Facts: cann-recipes-infer and vllm-ascend, torch bindings.
// The unnamed arguments do not matter to a plan or are reserved.
#include "plan/attention_plan.h"

extern "C" int sa_kv_quant_sparse_attn_sharedkv_metadata(
    int64_t num_heads_q, int64_t num_heads_kv, int64_t head_dim, int64_t kv_quant_mode, const sa_tensor *cu_seqlens_q,
    const sa_tensor * /*cu_seqlens_ori_kv*/, const sa_tensor * /*cu_seqlens_cmp_kv*/, const sa_tensor * /*seqused_q*/,
    const sa_tensor *seqused_kv, int64_t batch_size, int64_t max_seqlen_q, int64_t max_seqlen_kv, int64_t /*ori_topk*/,
    int64_t cmp_topk, int64_t /*tile_size*/, int64_t /*rope_head_dim*/, int64_t cmp_ratio, int64_t ori_mask_mode,
    int64_t cmp_mask_mode, int64_t ori_win_left, int64_t ori_win_right, const char *layout_q, const char *layout_kv,
    int64_t has_ori_kv, int64_t has_cmp_kv, const char * /*device*/, sa_tensor *metadata, int32_t, sa_error *error) {
  return sa::guarded(error, [&] {
    sa::require_choice(kv_quant_mode, "kv_quant_mode", {1});
    sa::plan_attention(sa::sharedkv_plan(num_heads_q, num_heads_kv, head_dim, cu_seqlens_q, seqused_kv, batch_size,
                                         max_seqlen_q, max_seqlen_kv, cmp_topk, cmp_ratio, ori_mask_mode, cmp_mask_mode,
                                         ori_win_left, ori_win_right, layout_q, layout_kv, has_ori_kv, has_cmp_kv),
                       metadata);
  });
}
