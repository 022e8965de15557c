/* Plans: how cores share a call, as the int32[1024] record of the metadata operators. Prototypes for sparse_attn_host.h.
 *
 * A plan of the host is a valid division for 36 cores; the host kernels take it and do not need it. See plan/partition.h. */
#ifndef SPARSE_ATTN_HOST_PLAN_H
#define SPARSE_ATTN_HOST_PLAN_H

#ifdef __cplusplus
extern "C" {
#endif

/* The division itself. tiles int32 [B,S]: tiles of 128 keys of each row, -1 behind the last row of a batch. cores 1..36;
 * split_keys 0 keeps rows whole; record_ints 8 or 9 ints a core. */
SA_API int sa_partition_rows(const sa_tensor *tiles, int64_t heads, int64_t cores, int64_t split_keys, int64_t record_ints,
                             sa_tensor *metadata, int32_t num_threads, sa_error *error);

SA_API int sa_quant_lightning_indexer_metadata(
    int64_t num_heads_q, int64_t num_heads_k, int64_t head_dim, int64_t topk, int64_t quant_mode, const sa_tensor *cu_seqlens_q,
    const sa_tensor *cu_seqlens_k, const sa_tensor *seqused_q, const sa_tensor *seqused_k, const sa_tensor *cmp_residual_k,
    int64_t batch_size, int64_t max_seqlen_q, int64_t max_seqlen_k, const char *layout_q, const char *layout_k,
    int64_t mask_mode, int64_t cmp_ratio, sa_tensor *metadata, int32_t num_threads, sa_error *error);

SA_API int sa_lightning_indexer_metadata(
    int64_t num_heads_q, int64_t num_heads_k, int64_t head_dim, int64_t topk, const sa_tensor *cu_seqlens_q,
    const sa_tensor *cu_seqlens_k, const sa_tensor *seqused_q, const sa_tensor *seqused_k, const sa_tensor *cmp_residual_k,
    int64_t batch_size, int64_t max_seqlen_q, int64_t max_seqlen_k, const char *layout_q, const char *layout_k,
    int64_t mask_mode, int64_t cmp_ratio, sa_tensor *metadata, int32_t num_threads, sa_error *error);

SA_API int sa_npu_vllm_quant_lightning_indexer_metadata(
    int64_t num_heads_q, int64_t num_heads_k, int64_t head_dim, int64_t query_quant_mode, int64_t key_quant_mode,
    const sa_tensor *actual_seq_lengths_query, const sa_tensor *actual_seq_lengths_key, int64_t batch_size,
    int64_t max_seqlen_q, int64_t max_seqlen_k, const char *layout_query, const char *layout_key, int64_t sparse_count,
    int64_t sparse_mode, int64_t pre_tokens, int64_t next_tokens, int64_t cmp_ratio, const char *device,
    sa_tensor *metadata, int32_t num_threads, sa_error *error);

SA_API int sa_quant_sparse_flash_mla_metadata(
    int64_t num_heads_q, int64_t num_heads_kv, int64_t head_dim, int64_t quant_mode, const sa_tensor *cu_seqlens_q,
    const sa_tensor *cu_seqlens_ori_kv, const sa_tensor *cu_seqlens_cmp_kv, const sa_tensor *seqused_q,
    const sa_tensor *seqused_ori_kv, const sa_tensor *seqused_cmp_kv, const sa_tensor *cmp_residual_kv,
    const sa_tensor *ori_topk_length, const sa_tensor *cmp_topk_length, int64_t batch_size, int64_t max_seqlen_q,
    int64_t max_seqlen_ori_kv, int64_t max_seqlen_cmp_kv, int64_t ori_topk, int64_t cmp_topk, int64_t cmp_ratio,
    int64_t ori_mask_mode, int64_t cmp_mask_mode, int64_t ori_win_left, int64_t ori_win_right, const char *layout_q,
    const char *layout_kv, int64_t has_ori_kv, int64_t has_cmp_kv, sa_tensor *metadata, int32_t num_threads, sa_error *error);

SA_API int sa_sparse_flash_mla_metadata(
    int64_t num_heads_q, int64_t num_heads_kv, int64_t head_dim, const sa_tensor *cu_seqlens_q,
    const sa_tensor *cu_seqlens_ori_kv, const sa_tensor *cu_seqlens_cmp_kv, const sa_tensor *seqused_q,
    const sa_tensor *seqused_ori_kv, const sa_tensor *seqused_cmp_kv, const sa_tensor *cmp_residual_kv,
    const sa_tensor *ori_topk_length, const sa_tensor *cmp_topk_length, int64_t batch_size, int64_t max_seqlen_q,
    int64_t max_seqlen_ori_kv, int64_t max_seqlen_cmp_kv, int64_t ori_topk, int64_t cmp_topk, int64_t cmp_ratio,
    int64_t ori_mask_mode, int64_t cmp_mask_mode, int64_t ori_win_left, int64_t ori_win_right, const char *layout_q,
    const char *layout_kv, int64_t has_ori_kv, int64_t has_cmp_kv, sa_tensor *metadata, int32_t num_threads, sa_error *error);

SA_API int sa_kv_quant_sparse_attn_sharedkv_metadata(
    int64_t num_heads_q, int64_t num_heads_kv, int64_t head_dim, int64_t kv_quant_mode, const sa_tensor *cu_seqlens_q,
    const sa_tensor *cu_seqlens_ori_kv, const sa_tensor *cu_seqlens_cmp_kv, const sa_tensor *seqused_q,
    const sa_tensor *seqused_kv, int64_t batch_size, int64_t max_seqlen_q, int64_t max_seqlen_kv, int64_t ori_topk,
    int64_t cmp_topk, int64_t tile_size,
    int64_t rope_head_dim, int64_t cmp_ratio, int64_t ori_mask_mode, int64_t cmp_mask_mode, int64_t ori_win_left,
    int64_t ori_win_right, const char *layout_q, const char *layout_kv, int64_t has_ori_kv, int64_t has_cmp_kv,
    const char *device, sa_tensor *metadata, int32_t num_threads, sa_error *error);

SA_API int sa_sparse_attn_sharedkv_metadata(
    int64_t num_heads_q, int64_t num_heads_kv, int64_t head_dim, const sa_tensor *cu_seqlens_q,
    const sa_tensor *cu_seqlens_ori_kv, const sa_tensor *cu_seqlens_cmp_kv, const sa_tensor *seqused_q,
    const sa_tensor *seqused_kv, int64_t batch_size, int64_t max_seqlen_q, int64_t max_seqlen_kv, int64_t ori_topk,
    int64_t cmp_topk, int64_t cmp_ratio, int64_t ori_mask_mode, int64_t cmp_mask_mode, int64_t ori_win_left,
    int64_t ori_win_right, const char *layout_q, const char *layout_kv, int64_t has_ori_kv, int64_t has_cmp_kv,
    const char *device, sa_tensor *metadata, int32_t num_threads, sa_error *error);

#ifdef __cplusplus
}
#endif

#endif
