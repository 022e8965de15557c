// The flow of every indexer: decode rows and keys, score tiles, rank rows, write the lists.
#pragma once

#include <functional>

#include "indexer/geometry.h"
#include "indexer/scoring.h"

namespace sa {

struct IndexerCall {
  const IndexerGeometry *geometry;
  std::vector<IndexerRow> rows;
  int64_t topk;
  HeadSum head_sum;
  bool round_to_bf16;  // scores, before they are ranked
  // Decodes one query row: [heads, depth] and [heads].
  std::function<void(const IndexerRow &, float *query, float *weights)> load_row;
  // Decodes one key into `depth` floats and returns its scale (1 when there is none).
  std::function<float(int64_t batch, int64_t token, float *key)> load_key;
  const sa_tensor *offset = nullptr;   // [rows..., 1] int32, added to valid entries
  sa_tensor *indices = nullptr;        // [rows..., 1, topk] int32
  sa_tensor *values = nullptr;         // the same shape, fp32, bf16 or fp16; null when not wanted
};

// Shapes and dtypes of offset, indices and values. Offsets must be positive and leave every index an int32.
void check_outputs(const IndexerCall &call);

// Fills indices (-1 behind the last visible key) and values (-inf there). Cannot fail after it starts writing.
void select_keys(const IndexerCall &call, int32_t num_threads);

}  // namespace sa
