/* Attention over chosen key rows. Prototypes for sparse_attn_host.h. */
#ifndef SPARSE_ATTN_HOST_ATTENTION_H
#define SPARSE_ATTN_HOST_ATTENTION_H

#ifdef __cplusplus
extern "C" {
#endif

/* q, ori_kv, cmp_kv: HIFLOAT8 (uint8 storage allowed), rows of 512. attn_out: bf16 like q. softmax_lse: fp32 [B,1,S,N] or
 * [1,T,N], written when return_softmax_lse is not 0. metadata is checked for its shape and otherwise ignored. */
SA_API int sa_quant_sparse_flash_mla(
    const sa_tensor *q, const sa_tensor *ori_kv, const sa_tensor *cmp_kv, const sa_tensor *q_descale,
    const sa_tensor *ori_kv_descale, const sa_tensor *cmp_kv_descale, const sa_tensor *ori_sparse_indices,
    const sa_tensor *cmp_sparse_indices, const sa_tensor *ori_block_table, const sa_tensor *cmp_block_table,
    const sa_tensor *cu_seqlens_q, const sa_tensor *cu_seqlens_ori_kv, const sa_tensor *cu_seqlens_cmp_kv,
    const sa_tensor *seqused_q, const sa_tensor *seqused_ori_kv, const sa_tensor *seqused_cmp_kv,
    const sa_tensor *cmp_residual_kv, const sa_tensor *ori_topk_length, const sa_tensor *cmp_topk_length,
    const sa_tensor *sinks, const sa_tensor *metadata, int64_t quant_mode, double softmax_scale, int64_t cmp_ratio,
    int64_t ori_mask_mode, int64_t cmp_mask_mode, int64_t ori_win_left, int64_t ori_win_right, const char *layout_q,
    const char *layout_kv, int64_t topk_value_mode, int64_t return_softmax_lse, sa_tensor *attn_out, sa_tensor *softmax_lse,
    int32_t num_threads, sa_error *error);

#ifdef __cplusplus
}
#endif

#endif
