// Lengths, prefix sums, block tables and index lists: read once, checked before anything follows them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/tensor.h"

namespace sa {

// One integer of an int32 or int64 tensor at an element offset.
int64_t read_int(const sa_tensor &tensor, int64_t offset);
// A rank-1 int32/int64 tensor of `count` elements (-1: any), copied. No range check.
std::vector<int64_t> read_ints(const sa_tensor *tensor, const char *name, int64_t count = -1);

// [batch] values, each in [low, high].
std::vector<int64_t> read_bounded(const sa_tensor *tensor, const char *name, int64_t batch, int64_t low, int64_t high);
// [batch + 1] prefix sums: first 0, never decreasing, last == total. batch -1: from the tensor.
std::vector<int64_t> read_cu_seqlens(const sa_tensor *tensor, const char *name, int64_t total, int64_t batch = -1);
// [batch] prefix sums without the leading 0 (the older operators), returned with it.
std::vector<int64_t> read_prefix_lengths(const sa_tensor *tensor, const char *name, int64_t total, int64_t batch = -1);

// Every entry of the tensor (any rank, int32/int64) is in [low, high).
void check_entries(const sa_tensor *tensor, const char *name, int64_t low, int64_t high);

// Tokens of a paged cache: token t of batch b is row t % block_size of block table[b, t / block_size].
class BlockTable {
 public:
  BlockTable() = default;
  // Checks and copies the entries that `lengths[b]` tokens reach; the others may hold anything.
  BlockTable(const sa_tensor *table, const char *name, const std::vector<int64_t> &lengths, int64_t block_size,
             int64_t block_count);
  int64_t block(int64_t batch, int64_t token) const { return ids_[start_[batch] + token / block_size_]; }
  int64_t row(int64_t token) const { return token % block_size_; }
  int64_t block_size() const { return block_size_; }

 private:
  std::vector<int64_t> ids_;
  std::vector<int64_t> start_;
  int64_t block_size_ = 1;
};

}  // namespace sa
