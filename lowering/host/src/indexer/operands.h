// Operands of the indexers: which storage a quantisation mode takes, and how a row of it becomes fp32.
#pragma once

#include "indexer/selection.h"

namespace sa {

// Storage and arithmetic of one way to quantise. `as` is what plain uint8 storage means.
struct IndexerFormat {
  int32_t as;
  std::vector<int32_t> elements, scales, weights;
  int64_t width;  // stored elements per row of depth 128
  HeadSum head_sum;
  bool round_to_bf16;
};

// dtype and shape of query, key and weights.
void check_operands(const IndexerGeometry &geometry, const IndexerFormat &format, const IndexerNames &names,
                    const sa_tensor *query, const sa_tensor *key, const sa_tensor *weights);

// [heads, width] at an element offset -> [heads, depth].
void read_heads(const sa_tensor &query, int64_t offset, int64_t heads, const IndexerFormat &format, float *out);
// One [width] row of keys at an element offset.
inline void read_key(const sa_tensor &key, int64_t offset, const IndexerFormat &format, float *out) {
  read_row(key, offset, key.stride[key.rank - 1], format.width, out, format.as);
}
// Multiplies `depth` values by their E8M0 group scales, [depth / 64, 2] at an element offset.
void scale_groups(const sa_tensor &scales, int64_t offset, float *values);
// One number along the last axis of a scale or weight tensor.
void read_numbers(const sa_tensor &tensor, int64_t offset, int64_t count, float *out);

// cmp_residual: needed exactly when ratio != 1 and mask 3, each in [0, ratio); empty otherwise.
std::vector<int64_t> read_residual(const sa_tensor *residual, const char *name, int64_t batches, int64_t mask, int64_t ratio);

// What the two older operators (actual_seq_lengths_*) share: names, the meaning of their lengths, their scalars.
extern const IndexerNames kOlderNames;
IndexerLengths older_lengths(const sa_tensor *query_lengths, const sa_tensor *key_lengths, const sa_tensor *block_table);
void check_older_scalars(int64_t sparse_count, int64_t sparse_mode, int64_t pre_tokens, int64_t next_tokens);

}  // namespace sa
