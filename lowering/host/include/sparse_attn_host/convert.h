/* Conversion between number formats. Prototypes for sparse_attn_host.h. */
#ifndef SPARSE_ATTN_HOST_CONVERT_H
#define SPARSE_ATTN_HOST_CONVERT_H

#ifdef __cplusplus
extern "C" {
#endif

/* source: any numeric dtype; fp4x2 holds two values per byte of its last axis. result: fp32, bf16, fp16, fp64,
 * fp8_e4m3, fp8_e5m2, hif8 or fp4x2, of the same logical shape. Rounds to nearest even (hif8: ties away from zero).
 * saturate: hif8 overflow gives +-32768 instead of an infinity and NaN gives 0. */
SA_API int sa_convert(const sa_tensor *source, int64_t saturate, sa_tensor *result, int32_t num_threads, sa_error *error);

#ifdef __cplusplus
}
#endif

#endif
