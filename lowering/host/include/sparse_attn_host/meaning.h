/* The meaning-level operators torch.ops.sparse_attn.*, with the shapes, dtypes and errors of their documentation. Optional
 * tensors may be null. Indices are checked before anything is written. Prototypes for sparse_attn_host.h. */
#ifndef SPARSE_ATTN_HOST_MEANING_H
#define SPARSE_ATTN_HOST_MEANING_H

#ifdef __cplusplus
extern "C" {
#endif

SA_API int sa_meaning_index_scores(const sa_tensor *query, const sa_tensor *key, const sa_tensor *weights, const
    sa_tensor *query_scale, const sa_tensor *key_scale, double scale, const char *activation, const char *reduce,
    sa_tensor *result, int32_t num_threads, sa_error *error);

SA_API int sa_meaning_topk(const sa_tensor *scores, const sa_tensor *visible, const sa_tensor *mask, int64_t k, const
    char *mask_mode, int64_t ratio, int64_t block, int64_t local_blocks, int64_t sorted, sa_tensor *indices, sa_tensor
    *values, int32_t num_threads, sa_error *error);

SA_API int sa_meaning_lightning_indexer(const sa_tensor *query, const sa_tensor *key, const sa_tensor *weights, const
    sa_tensor *query_scale, const sa_tensor *key_scale, const sa_tensor *visible, const sa_tensor *mask, int64_t k,
    double scale, const char *activation, const char *reduce, const char *mask_mode, int64_t ratio, int64_t sorted,
    sa_tensor *indices, sa_tensor *values, int32_t num_threads, sa_error *error);

SA_API int sa_meaning_selection(const sa_tensor *indices, int64_t extent, const char *form, sa_tensor *result, int32_t
    num_threads, sa_error *error);

SA_API int sa_meaning_attention(const sa_tensor *query, const sa_tensor *ori_kv, const sa_tensor *ori_value, const
    sa_tensor *cmp_kv, const sa_tensor *ori_indices, const sa_tensor *cmp_indices, const sa_tensor *sinks, const
    sa_tensor *visible, const sa_tensor *cmp_visible, const sa_tensor *mask, double scale, int64_t value_width, const
    char *ori_mask, int64_t ori_left, int64_t ori_right, const char *cmp_mask, int64_t cmp_ratio, const char
    *empty_rows, int64_t return_lse, sa_tensor *out, sa_tensor *lse, int32_t num_threads, sa_error *error);

SA_API int sa_meaning_compress(const sa_tensor *kv, const sa_tensor *gate, const sa_tensor *bias, int64_t ratio,
    int64_t overlap, sa_tensor *result, int32_t num_threads, sa_error *error);

SA_API int sa_meaning_paged_write(const sa_tensor *cache, const sa_tensor *rows, const sa_tensor *slots, sa_tensor
    *result, int32_t num_threads, sa_error *error);

/* The instruction sets this machine has code for, the fastest first, separated by commas. The environment variable
 * SPARSE_ATTN_ISA chooses another than the first. */
SA_API const char *sa_meaning_instruction_sets(void);

#ifdef __cplusplus
}
#endif

#endif
