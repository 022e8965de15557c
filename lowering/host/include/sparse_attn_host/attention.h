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

/* bf16 or fp16 throughout, else as above. Without cmp_residual_kv the original length says which compressed keys show. */
SA_API int sa_sparse_flash_mla(
    const sa_tensor *q, const sa_tensor *ori_kv, const sa_tensor *cmp_kv, const sa_tensor *ori_sparse_indices,
    const sa_tensor *cmp_sparse_indices, const sa_tensor *ori_block_table, const sa_tensor *cmp_block_table,
    const sa_tensor *cu_seqlens_q, const sa_tensor *cu_seqlens_ori_kv, const sa_tensor *cu_seqlens_cmp_kv,
    const sa_tensor *seqused_q, const sa_tensor *seqused_ori_kv, const sa_tensor *seqused_cmp_kv,
    const sa_tensor *cmp_residual_kv, const sa_tensor *ori_topk_length, const sa_tensor *cmp_topk_length,
    const sa_tensor *sinks, const sa_tensor *metadata, double softmax_scale, int64_t cmp_ratio, int64_t ori_mask_mode,
    int64_t cmp_mask_mode, int64_t ori_win_left, int64_t ori_win_right, const char *layout_q, const char *layout_kv,
    int64_t topk_value_mode, int64_t return_softmax_lse, sa_tensor *attn_out, sa_tensor *softmax_lse, int32_t num_threads,
    sa_error *error);

/* bf16 or fp16, keys [blocks,size,1,512] (PA_ND). seqused_kv counts original tokens; compressed length = it / cmp_ratio. */
SA_API int sa_sparse_attn_sharedkv(
    const sa_tensor *q, const sa_tensor *ori_kv, const sa_tensor *cmp_kv, const sa_tensor *ori_sparse_indices,
    const sa_tensor *cmp_sparse_indices, const sa_tensor *ori_block_table, const sa_tensor *cmp_block_table,
    const sa_tensor *cu_seqlens_q, const sa_tensor *cu_seqlens_ori_kv, const sa_tensor *cu_seqlens_cmp_kv,
    const sa_tensor *seqused_q, const sa_tensor *seqused_kv, const sa_tensor *sinks, const sa_tensor *metadata,
    double softmax_scale, int64_t cmp_ratio, int64_t ori_mask_mode, int64_t cmp_mask_mode, int64_t ori_win_left,
    int64_t ori_win_right, const char *layout_q, const char *layout_kv, int64_t return_softmax_lse, sa_tensor *attn_out,
    sa_tensor *softmax_lse, int32_t num_threads, sa_error *error);

/* The same with bf16 queries and key rows of 640 packed bytes (fp8_e4m3 or uint8). */
SA_API int sa_kv_quant_sparse_attn_sharedkv(
    const sa_tensor *q, int64_t kv_quant_mode, const sa_tensor *ori_kv, const sa_tensor *cmp_kv,
    const sa_tensor *ori_sparse_indices, const sa_tensor *cmp_sparse_indices, const sa_tensor *ori_block_table,
    const sa_tensor *cmp_block_table, const sa_tensor *cu_seqlens_q, const sa_tensor *cu_seqlens_ori_kv,
    const sa_tensor *cu_seqlens_cmp_kv, const sa_tensor *seqused_q, const sa_tensor *seqused_kv, const sa_tensor *sinks,
    const sa_tensor *metadata, int64_t tile_size, int64_t rope_head_dim, double softmax_scale, int64_t cmp_ratio,
    int64_t ori_mask_mode, int64_t cmp_mask_mode, int64_t ori_win_left, int64_t ori_win_right, const char *layout_q,
    const char *layout_kv, int64_t return_softmax_lse, sa_tensor *attn_out, sa_tensor *softmax_lse, int32_t num_threads,
    sa_error *error);

/* bf16 [T*N,512] queries, flat caches [blocks*128,512]; N is the size of the sinks. */
SA_API int sa_sparse_compress_flash_attention(
    const sa_tensor *query, const sa_tensor *q_act_seqs, const sa_tensor *ori_kv, const sa_tensor *cmp_kv,
    const sa_tensor *ori_block_table, const sa_tensor *cmp_block_table, const sa_tensor *atten_sink,
    const sa_tensor *seqused_kv, const sa_tensor *cmp_sparse_indices, double softmax_scale, int64_t win_size,
    int64_t cmp_ratio, sa_tensor *out, int32_t num_threads, sa_error *error);

/* query 512 + query_rope 64, keys alike; sparse_indices lists blocks of sparse_block_size keys. softmax_max and softmax_sum
 * are fp32 [B,1,S,N] or [1,T,N], written when return_softmax_lse is not 0. value has to hold the data of key. */
SA_API int sa_npu_sparse_flash_attention(
    const sa_tensor *query, const sa_tensor *key, const sa_tensor *value, const sa_tensor *sparse_indices, double scale_value,
    const sa_tensor *block_table, const sa_tensor *actual_seq_lengths_query, const sa_tensor *actual_seq_lengths_kv,
    const sa_tensor *query_rope, const sa_tensor *key_rope, int64_t sparse_block_size, const char *layout_query,
    const char *layout_kv, int64_t sparse_mode, int64_t pre_tokens, int64_t next_tokens, int64_t attention_mode,
    int64_t return_softmax_lse, const sa_tensor *sinks, sa_tensor *attention_out, sa_tensor *softmax_max,
    sa_tensor *softmax_sum, int32_t num_threads, sa_error *error);

/* query 576, key rows of 656 packed bytes: 512 elements, 64 rotary of the query's type, 4 fp32 scales. Elements are int8,
 * fp8_e4m3 or HIFLOAT8; uint8 is HIFLOAT8 and wants key_dtype and value_dtype (any code, SA_NONE when absent) set. */
SA_API int sa_npu_kv_quant_sparse_flash_attention(
    const sa_tensor *query, const sa_tensor *key, const sa_tensor *value, const sa_tensor *sparse_indices, double scale_value,
    int64_t key_quant_mode, int64_t value_quant_mode, const sa_tensor *key_dequant_scale, const sa_tensor *value_dequant_scale,
    const sa_tensor *block_table, const sa_tensor *actual_seq_lengths_query, const sa_tensor *actual_seq_lengths_kv,
    int64_t sparse_block_size, const char *layout_query, const char *layout_kv, int64_t sparse_mode, int64_t pre_tokens,
    int64_t next_tokens, int64_t attention_mode, int64_t quant_scale_repo_mode, int64_t tile_size, int64_t rope_head_dim,
    int64_t key_dtype, int64_t value_dtype, sa_tensor *attention_out, int32_t num_threads, sa_error *error);

#ifdef __cplusplus
}
#endif

#endif
