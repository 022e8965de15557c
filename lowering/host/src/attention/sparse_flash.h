// What the operators share whose keys come from one list of keys or of blocks of keys (the first lightning indexer's users).
#pragma once

#include <cmath>

#include "attention/keys.h"

namespace sa {

struct SparseFlashArguments {
  const sa_tensor *query, *key, *value, *sparse_indices, *block_table, *actual_seq_lengths_query, *actual_seq_lengths_kv;
  double scale_value;
  int64_t sparse_block_size, sparse_mode, attention_mode, pre_tokens, next_tokens;
  const char *layout_query, *layout_kv;
  int64_t query_width, key_elements;  // of the tensors query and key
};

class SparseFlashProblem {
 public:
  explicit SparseFlashProblem(const SparseFlashArguments &arguments);
  const Queries &queries() const { return queries_; }
  // The second part of the keys, laid out like the first: [.., 64].
  void add_key_rope(const sa_tensor *key_rope);
  void keys(const QueryRow &row, RowKeys &out) const;

 private:
  KeyCache cache(const sa_tensor *data, int64_t elements, const char *name) const;
  void append(const QueryRow &row, int64_t token, std::vector<KeyAddress> &out) const;

  SparseFlashArguments arguments_;
  Queries queries_;
  CacheLayout layout_;
  std::vector<int64_t> starts_, lengths_;
  KeyCache key_, rope_;
  KeyCache value_;  // only when it is not the memory of the keys
};

}  // namespace sa
