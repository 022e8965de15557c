// quant_sparse_flash_mla: HIFLOAT8 queries and keys with one scale each, probabilities times 16 rounded to HIFLOAT8.
// Facts: ops-transformer, quant_sparse_flash_mla document and its CPU reference.
#include "attention/mla.h"

namespace {

float scalar(const sa_tensor *tensor, const char *name) { return sa::view<const float, 1>(tensor, name, {1})(0); }

}  // namespace

extern "C" int sa_quant_sparse_flash_mla(
    const sa_tensor *q, const sa_tensor *ori_kv, const sa_tensor *cmp_kv, const sa_tensor *q_descale,
    const sa_tensor *ori_kv_descale, const sa_tensor *cmp_kv_descale, const sa_tensor *ori_sparse_indices,
    const sa_tensor *cmp_sparse_indices, const sa_tensor *ori_block_table, const sa_tensor *cmp_block_table,
    const sa_tensor *cu_seqlens_q, const sa_tensor *cu_seqlens_ori_kv, const sa_tensor *cu_seqlens_cmp_kv,
    const sa_tensor *seqused_q, const sa_tensor *seqused_ori_kv, const sa_tensor *seqused_cmp_kv,
    const sa_tensor *cmp_residual_kv, const sa_tensor *ori_topk_length, const sa_tensor *cmp_topk_length,
    const sa_tensor *sinks, const sa_tensor *metadata, int64_t quant_mode, double softmax_scale, int64_t cmp_ratio,
    int64_t ori_mask_mode, int64_t cmp_mask_mode, int64_t ori_win_left, int64_t ori_win_right, const char *layout_q,
    const char *layout_kv, int64_t topk_value_mode, int64_t return_softmax_lse, sa_tensor *attn_out, sa_tensor *softmax_lse,
    int32_t num_threads, sa_error *error) {
  return sa::guarded(error, [&] {
    sa::require_choice(quant_mode, "quant_mode", {1});
    sa::require_choice(topk_value_mode, "topk_value_mode", {1});
    sa::require_dtype(q, "q", {SA_HIF8, SA_UINT8});
    sa::require_dtype(ori_kv, "ori_kv", {SA_HIF8, SA_UINT8});
    if (cmp_kv) sa::require_dtype(cmp_kv, "cmp_kv", {SA_HIF8, SA_UINT8});
    sa::require_dtype(attn_out, "attn_out", {SA_BF16});
    const float ori_scale = scalar(ori_kv_descale, "ori_kv_descale"), q_scale = scalar(q_descale, "q_descale");
    const float cmp_scale = cmp_kv ? scalar(cmp_kv_descale, "cmp_kv_descale") : 1.0f;
    const sa::MlaProblem problem({q,
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
                                  layout_kv});
    const double scale = softmax_scale * double(q_scale);
    sa::run_mla<sa::PlainRow<sa::hif8>, sa::RoundHif8>(
        problem, {float(scale * double(ori_scale)), float(scale * double(cmp_scale)), ori_scale, cmp_scale}, attn_out,
        return_softmax_lse ? &sa::require(softmax_lse, "softmax_lse") : nullptr, num_threads);
  });
}
