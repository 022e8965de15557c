/* Lightning indexers: score every key for every query row, keep the best. Prototypes for sparse_attn_host.h. */
#ifndef SPARSE_ATTN_HOST_INDEXER_H
#define SPARSE_ATTN_HOST_INDEXER_H

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
}
#endif

#endif
