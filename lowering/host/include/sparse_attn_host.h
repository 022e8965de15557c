/* The plain C interface of the host kernels.
 *
 * Every kernel is one function whose arguments follow the torch schema of the operator it implements:
 *
 *   Tensor, Tensor?, Tensor(a!)   const sa_tensor *    NULL when an optional tensor is absent
 *   int, bool                     int64_t
 *   int?, bool?                   int64_t              SA_NONE when absent
 *   float                         double
 *   str, str?                     const char *         NULL when absent
 *   then one sa_tensor * per result, allocated by the caller,
 *   then int32_t num_threads (<= 0: as many as OpenMP offers) and sa_error *error.
 *
 * A function returns 0 when it is done. Otherwise error->text says what is wrong, where, and what would be right,
 * and no result has been written. The number of threads never changes a bit of a result.
 */
#ifndef SPARSE_ATTN_HOST_H
#define SPARSE_ATTN_HOST_H

#include <stdint.h>

#define SA_API __attribute__((visibility("default")))
#define SA_MAX_RANK 8
#define SA_NONE INT64_MIN

#ifdef __cplusplus
extern "C" {
#endif

enum sa_dtype {
  SA_FP32 = 1,
  SA_BF16 = 2,
  SA_FP16 = 3,
  SA_FP64 = 4,
  SA_INT8 = 5,
  SA_UINT8 = 6,
  SA_INT16 = 7,
  SA_INT32 = 8,
  SA_INT64 = 9,
  SA_BOOL = 10,
  SA_FP8_E4M3 = 11,
  SA_FP8_E8M0 = 12,
  SA_FP4X2 = 13, /* two e2m1 values per byte, the even element in the low nibble; sizes count bytes */
  SA_HIF8 = 14,
  SA_FP8_E5M2 = 15
};

typedef struct {
  void *data;
  int32_t dtype; /* enum sa_dtype */
  int32_t rank;
  int64_t size[SA_MAX_RANK];
  int64_t stride[SA_MAX_RANK]; /* in elements */
} sa_tensor;

typedef struct {
  char text[1024];
} sa_error;

/* Layout version of the structures and calling rules above; the loader refuses another one. */
#define SA_ABI_VERSION 1
SA_API int32_t sa_abi_version(void);

#ifdef __cplusplus
}
#endif

/* One header per family of kernels. */
#include "sparse_attn_host/cache.h"
#include "sparse_attn_host/convert.h"
#include "sparse_attn_host/attention.h"
#include "sparse_attn_host/indexer.h"
#include "sparse_attn_host/plan.h"
#include "sparse_attn_host/meaning.h"

#endif
