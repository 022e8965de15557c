// Key caches in their three layouts: where the row of a token lies.
#pragma once

#include "attention/queries.h"

namespace sa {

struct CacheNames {
  const char *data, *table, *starts, *used;
};

enum class CacheLayout { kDense, kPacked, kPaged };

// [B,S,1,D] dense, [T,1,D] packed, or [blocks,size,1,D] paged; the last axis is contiguous, the others may have any stride.
class KeyCache {
 public:
  KeyCache() = default;
  // `starts` (prefix sums with the leading 0) belongs to kPacked, `table` to kPaged. `lengths`: token count of each batch,
  // already within the cache; use cache_lengths() to read and check it.
  KeyCache(const sa_tensor *data, CacheLayout layout, const sa_tensor *table, const std::vector<int64_t> &starts,
           const std::vector<int64_t> &lengths, const CacheNames &names);

  bool present() const { return data_.data != nullptr || data_.rank != 0; }
  int64_t length(int64_t batch) const { return lengths_[size_t(batch)]; }
  // Address of a token's row; token < length. Fails on a block id that is not in the cache.
  const uint8_t *row(int64_t batch, int64_t token) const;

 private:
  sa_tensor data_ = {}, table_ = {};
  CacheLayout layout_ = CacheLayout::kDense;
  std::vector<int64_t> starts_, lengths_;
  CacheNames names_ = {};
  int64_t bytes_[2] = {};  // distance of neighbours along the two token axes
};

CacheLayout cache_layout(const char *word, const char *name, const char *paged_word);

// Checks shape [*,*,1,width] or [*,1,width] and that rows are contiguous.
void require_cache(const sa_tensor *data, CacheLayout layout, int64_t batches, int64_t width, const char *name);

// Prefix sums of a packed cache; empty for the other layouts, where the tensor has to be absent.
std::vector<int64_t> cache_starts(const sa_tensor *data, CacheLayout layout, const sa_tensor *sums, int64_t batches,
                                  const CacheNames &names);

// Tokens per batch: `used` where given (within the cache), else the slots; a paged cache without `used` holds what its table
// names when `table_bounds`, else it is an error.
std::vector<int64_t> cache_lengths(const sa_tensor *data, CacheLayout layout, const sa_tensor *table,
                                   const std::vector<int64_t> &starts, const sa_tensor *used, int64_t batches,
                                   const CacheNames &names, bool table_bounds);

}  // namespace sa
