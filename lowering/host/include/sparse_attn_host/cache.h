/* Writers of quantised caches, and the compressor. Prototypes for sparse_attn_host.h.
 *
 * The caches are changed in place and there is no other result. A slot counts rows along all axes of a cache but the last;
 * slot -1 skips its row. When a slot occurs twice, the later row is kept.
 */
#ifndef SPARSE_ATTN_HOST_CACHE_H
#define SPARSE_ATTN_HOST_CACHE_H

#ifdef __cplusplus
extern "C" {
#endif

/* x bf16 [n, d], the last 64 columns are rotary. quant_mode fp8_e8m0, fp8_bf16 or hifloat8_fp4. */
SA_API int sa_kv_compress_epilog(const sa_tensor *cache, const sa_tensor *x, const sa_tensor *slot_mapping,
                                 int64_t quant_group_size, const char *quant_mode, int64_t round_scale, double x_scale,
                                 int32_t num_threads, sa_error *error);

/* x bf16 or fp16 [n, d]. The fp8 modes write e4m3 (also into uint8) or, into an fp8_e5m2 cache, e5m2. quant_mode mxfp8, fp8, hifloat8 (leaves cache_scale alone) or mxfp4. */
SA_API int sa_indexer_quant_cache(const sa_tensor *cache, const sa_tensor *cache_scale, const sa_tensor *x,
                                  const sa_tensor *slot_mapping, const char *quant_mode, int64_t round_scale, double x_scale,
                                  int32_t num_threads, sa_error *error);

/* The earlier form: quant_mode 0 mxfp8, 1 fp8, 2 hifloat8. */
SA_API int sa_indexer_compress_epilog(const sa_tensor *indexer_compress_cache, const sa_tensor *indexer_compress_scale,
                                      const sa_tensor *x, const sa_tensor *slot_mapping, int64_t quant_mode,
                                      int64_t round_scale, double scale, int32_t num_threads, sa_error *error);

/* Value and scales in one cache of bytes [blocks, size, 1, W]: a block holds size rows of d E4M3 elements, then size rows of
 * ceil(d / 128) fp32 scales, one for 128 elements. x bf16 or fp16 [n, d], d + 4 * ceil(d / 128) <= W. layout 2 only. */
SA_API int sa_indexer_compress_epilog_v2(const sa_tensor *indexer_compress_cache, const sa_tensor *x,
                                         const sa_tensor *slot_mapping, int64_t layout, int32_t num_threads,
                                         sa_error *error);

/* x bf16 or fp16 [B,S,H] or packed [T,H]; state_cache fp32 [blocks, size, 2 * coff * D], changed in place.
 * cmp_kv [B, ceil(S / ratio), D] or [min(T, T / ratio + B), D], rows that no group fills are zero. */
SA_API int sa_compressor(const sa_tensor *x, const sa_tensor *wkv, const sa_tensor *wgate, const sa_tensor *state_cache,
                         const sa_tensor *ape, int64_t cmp_ratio, const sa_tensor *state_block_table,
                         const sa_tensor *cu_seqlens, const sa_tensor *seqused, const sa_tensor *start_pos, int64_t coff,
                         int64_t cache_mode, sa_tensor *cmp_kv, int32_t num_threads, sa_error *error);

/* The compressor, then RMS norm of a row, then a rotary embedding of its last rope_head_dim columns (rotary_mode 1: halves,
 * 2: neighbours), rounded once. norm_weight [D]; rope_sin, rope_cos a row of rope_head_dim for each row of cmp_kv. */
SA_API int sa_fused_compressor(const sa_tensor *x, const sa_tensor *wkv, const sa_tensor *wgate, const sa_tensor *state_cache,
                               const sa_tensor *ape, const sa_tensor *norm_weight, const sa_tensor *rope_sin,
                               const sa_tensor *rope_cos, int64_t rope_head_dim, int64_t cmp_ratio,
                               const sa_tensor *state_block_table, const sa_tensor *cu_seqlens, const sa_tensor *seqused,
                               const sa_tensor *start_pos, int64_t coff, double norm_eps, int64_t rotary_mode,
                               int64_t cache_mode, sa_tensor *cmp_kv, int32_t num_threads, sa_error *error);

#ifdef __cplusplus
}
#endif

#endif
