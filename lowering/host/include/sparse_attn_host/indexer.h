/* Lightning indexers: score every key for every query row, keep the best. Prototypes for sparse_attn_host.h.
 *
 * Common to all: head dimension 128, one key head. sparse_indices is int32, [B,S,1,k] or [T,1,k]: visible keys in descending
 * order of their score (ties: lower index first), then -1. sparse_values has the same shape in fp32, bf16 or fp16, filled
 * with -inf; it is only looked at when return_value is 1. Rows behind the used query length are all fill.
 */
#ifndef SPARSE_ATTN_HOST_INDEXER_H
#define SPARSE_ATTN_HOST_INDEXER_H

#ifdef __cplusplus
extern "C" {
#endif

/* quant_mode 1 e4m3, 2 int8, 3 microscaled e4m3, 4 HiFloat8, 5 microscaled FP4. Key lengths count compressed rows. */
SA_API int sa_quant_lightning_indexer(
    const sa_tensor *query, const sa_tensor *key, const sa_tensor *weights, const sa_tensor *query_dequant_scale,
    const sa_tensor *key_dequant_scale, int64_t topk, int64_t quant_mode, const sa_tensor *cu_seqlens_q,
    const sa_tensor *cu_seqlens_k, const sa_tensor *seqused_q, const sa_tensor *seqused_k, const sa_tensor *cmp_residual_k,
    const sa_tensor *block_table, const sa_tensor *output_idx_offset, const sa_tensor *metadata, int64_t max_seqlen_q,
    const char *layout_q, const char *layout_k, int64_t mask_mode, int64_t cmp_ratio, int64_t return_value,
    sa_tensor *sparse_indices, sa_tensor *sparse_values, int32_t num_threads, sa_error *error);

/* bf16, fp16 or fp32 operands; scores and their ranking are fp32. */
SA_API int sa_lightning_indexer(
    const sa_tensor *q, const sa_tensor *k, const sa_tensor *w, int64_t topk, const sa_tensor *cu_seqlens_q,
    const sa_tensor *cu_seqlens_k, const sa_tensor *seqused_q, const sa_tensor *seqused_k, const sa_tensor *cmp_residual_k,
    const sa_tensor *block_table, const sa_tensor *output_idx_offset, const sa_tensor *metadata, int64_t max_seqlen_q,
    const char *layout_q, const char *layout_k, int64_t mask_mode, int64_t cmp_ratio, int64_t return_value,
    sa_tensor *sparse_indices, sa_tensor *sparse_values, int32_t num_threads, sa_error *error);

/* The older operators. actual_seq_lengths_*: with TND prefix sums of length B without a leading 0, else plain lengths. */
SA_API int sa_npu_lightning_indexer(const sa_tensor *query, const sa_tensor *key, const sa_tensor *weights,
                                    const sa_tensor *actual_seq_lengths_query, const sa_tensor *actual_seq_lengths_key,
                                    const sa_tensor *block_table, const char *layout_query, const char *layout_key,
                                    int64_t sparse_count, int64_t sparse_mode, int64_t pre_tokens, int64_t next_tokens,
                                    int64_t return_value, sa_tensor *sparse_indices, sa_tensor *sparse_values,
                                    int32_t num_threads, sa_error *error);

/* int8 with fp16 scales, or e4m3 / HiFloat8 (also as uint8) with fp32 scales; quant modes 0: one scale per token and head. */
SA_API int sa_npu_quant_lightning_indexer(
    const sa_tensor *query, const sa_tensor *key, const sa_tensor *weights, const sa_tensor *query_dequant_scale,
    const sa_tensor *key_dequant_scale, int64_t query_quant_mode, int64_t key_quant_mode,
    const sa_tensor *actual_seq_lengths_query, const sa_tensor *actual_seq_lengths_key, const sa_tensor *block_table,
    const char *layout_query, const char *layout_key, int64_t sparse_count, int64_t sparse_mode, int64_t pre_tokens,
    int64_t next_tokens, int64_t query_dtype, int64_t key_dtype, sa_tensor *sparse_indices, int32_t num_threads,
    sa_error *error);

/* Compressed keys: actual_seq_lengths_key counts uncompressed tokens, cmp_ratio of which make one stored key. */
SA_API int sa_npu_vllm_quant_lightning_indexer(
    const sa_tensor *query, const sa_tensor *key, const sa_tensor *weights, const sa_tensor *query_dequant_scale,
    const sa_tensor *key_dequant_scale, int64_t query_quant_mode, int64_t key_quant_mode,
    const sa_tensor *actual_seq_lengths_query, const sa_tensor *actual_seq_lengths_key, const sa_tensor *block_table,
    const sa_tensor *metadata, const char *layout_query, const char *layout_key, int64_t sparse_count, int64_t sparse_mode,
    int64_t pre_tokens, int64_t next_tokens, int64_t cmp_ratio, int64_t return_value, sa_tensor *sparse_indices,
    sa_tensor *sparse_values, int32_t num_threads, sa_error *error);

#ifdef __cplusplus
}
#endif

#endif
