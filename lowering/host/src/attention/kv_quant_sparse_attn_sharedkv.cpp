// kv_quant_sparse_attn_sharedkv: bf16 queries, paged keys of 640 packed bytes, one uncompressed length for both segments.
// Facts: the operator's document, vllm-ascend's host check. No CPU reference is published.
#include "attention/mla.h"

extern "C" int sa_kv_quant_sparse_attn_sharedkv(
    const sa_tensor *q, int64_t kv_quant_mode, const sa_tensor *ori_kv, const sa_tensor *cmp_kv,
    const sa_tensor * /*ori_sparse_indices*/, const sa_tensor *cmp_sparse_indices, const sa_tensor *ori_block_table,
    const sa_tensor *cmp_block_table, const sa_tensor *cu_seqlens_q, const sa_tensor * /*cu_seqlens_ori_kv*/,
    const sa_tensor * /*cu_seqlens_cmp_kv*/, const sa_tensor * /*seqused_q*/, const sa_tensor *seqused_kv,
    const sa_tensor *sinks, const sa_tensor *metadata, int64_t tile_size, int64_t rope_head_dim, double softmax_scale,
    int64_t cmp_ratio, int64_t ori_mask_mode, int64_t cmp_mask_mode, int64_t ori_win_left, int64_t ori_win_right,
    const char *layout_q, const char *layout_kv, int64_t return_softmax_lse, sa_tensor *attn_out, sa_tensor *softmax_lse,
    int32_t num_threads, sa_error *error) {
  return sa::guarded(error, [&] {
    sa::require_choice(kv_quant_mode, "kv_quant_mode", {1});
    sa::require_choice(tile_size, "tile_size", {64});
    sa::require_choice(rope_head_dim, "rope_head_dim", {64});
    sa::require_dtype(q, "q", {SA_BF16});
    sa::require_dtype(ori_kv, "ori_kv", {SA_FP8_E4M3, SA_UINT8});
    if (cmp_kv) sa::require_dtype(cmp_kv, "cmp_kv", {SA_FP8_E4M3, SA_UINT8});
    sa::require_dtype(attn_out, "attn_out", {SA_BF16});
    sa::MlaArguments arguments = sa::sharedkv_arguments(
        q, ori_kv, cmp_kv, cmp_sparse_indices, ori_block_table, cmp_block_table, cu_seqlens_q, seqused_kv, sinks, metadata,
        softmax_scale, cmp_ratio, ori_mask_mode, cmp_mask_mode, ori_win_left, ori_win_right, layout_q, layout_kv);
    arguments.row_elements = sa::PackedRow640::kBytes;
    const float scale = float(softmax_scale);
    sa::run_mla<sa::PackedRow640, sa::RoundTo<sa::bf16>>(
        sa::MlaProblem(arguments), {scale, scale}, attn_out,
        return_softmax_lse ? &sa::require(softmax_lse, "softmax_lse") : nullptr, num_threads);
  });
}
