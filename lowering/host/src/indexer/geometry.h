// Where the query rows and the keys of an indexer call lie, and how many of them count. Everything is checked here.
#pragma once

#include <string>
#include <vector>

#include "core/core.h"

namespace sa {

// One query row and how many keys (a prefix of its batch's) it may see.
struct IndexerRow {
  int64_t batch, index;  // index: inside the batch
  int64_t flat;          // packed rows: place along the packed axis
  int64_t visible;
};

// The names one operator gives to its arguments, for error texts.
struct IndexerNames {
  const char *query, *key, *weights, *layout_query, *layout_key, *paged, *cu_query, *cu_key, *used_query, *used_key, *block_table;
};

// The lengths of a call as its operator passes them; absent tensors are null.
struct IndexerLengths {
  const sa_tensor *cu_query, *cu_key, *used_query, *used_key, *block_table;
  bool leading_zero = true;       // prefix sums are [batch + 1] with a leading 0, not [batch]
  bool lengths_in_sums = false;   // the older operators: for BSND, cu_* hold plain lengths; for a paged key, cu_key does
};

class IndexerGeometry {
 public:
  // query [B,S,N,*] or [T,N,*]; key [B,S,1,*], [T,1,*] or [blocks,size,1,*].
  IndexerGeometry(const sa_tensor *query, const sa_tensor *key, const char *layout_query, const char *layout_key,
                  IndexerLengths lengths, const IndexerNames &names, int64_t ratio_of_key_lengths = 1);

  int64_t batches() const { return batches_; }
  int64_t heads() const { return heads_; }
  bool packed() const { return packed_; }
  const std::vector<int64_t> &key_lengths() const { return key_used_; }     // in stored (compressed) rows
  const std::vector<int64_t> &key_remainders() const { return remainder_; }  // what is left of uncompressed lengths
  // The rows in memory order, padding rows included; mask 0: all keys; mask 3: right-down causal over restored lengths
  // (stored rows * ratio + residual).
  std::vector<IndexerRow> rows(int64_t mask, int64_t ratio, const std::vector<int64_t> &residual) const;

  // [B,S,...rest] or [T,...rest], as the query.
  void require_row_shape(const sa_tensor *tensor, const char *name, std::initializer_list<int64_t> rest) const;
  // [B,S,1,...rest], [T,1,...rest] or [blocks,size,1,...rest], as the key.
  void require_key_shape(const sa_tensor *tensor, const char *name, std::initializer_list<int64_t> rest) const;
  // Element offset of a row of a tensor shaped like the query, or of a key token of one shaped like the key.
  int64_t row_offset(const sa_tensor &tensor, const IndexerRow &row) const {
    return packed_ ? row.flat * tensor.stride[0] : row.batch * tensor.stride[0] + row.index * tensor.stride[1];
  }
  int64_t key_offset(const sa_tensor &tensor, int64_t batch, int64_t token) const;

 private:
  enum class Keys { kDense, kPacked, kPaged };
  void read_queries(const sa_tensor *query, const IndexerLengths &lengths, const IndexerNames &names);
  void read_keys(const sa_tensor *key, const IndexerLengths &lengths, const IndexerNames &names, int64_t ratio);

  bool packed_ = false;
  Keys keys_ = Keys::kDense;
  int64_t batches_ = 0, heads_ = 0;
  std::vector<int64_t> query_axes_, key_axes_;      // sizes of the leading axes
  std::vector<int64_t> query_start_, query_slot_, query_used_;
  std::vector<int64_t> key_start_, key_used_, remainder_;
  BlockTable blocks_;
};

}  // namespace sa
