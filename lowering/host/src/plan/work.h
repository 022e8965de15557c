// How many tiles of keys each row of a call has, from the lengths the metadata operators are given.
#pragma once

#include "attention/queries.h"
#include "plan/partition.h"

namespace sa {

inline int64_t or_default(int64_t value, int64_t instead) { return value == SA_NONE ? instead : value; }
inline const char *or_default(const char *word, const char *instead) { return word ? word : instead; }

struct LengthSource {
  const sa_tensor *sums;  // prefix sums with the leading 0, or null
  const char *sums_name;
  const sa_tensor *used;  // lengths, or null
  const char *used_name;
  int64_t longest;  // used when there is neither; an upper bound when > 0
  const char *longest_name;
};

// Length of each batch: used (within its slot), else the slot, else the longest.
std::vector<int64_t> planned_lengths(const LengthSource &source, int64_t batches);

// Rows of each batch, of all batches at most kPlanRows: lengths that no query tensor could have do not take the memory.
constexpr int64_t kPlanRows = int64_t(1) << 24;
std::vector<int64_t> planned_queries(const LengthSource &source, int64_t batch_size);
// The same from prefix sums that start at the first length.
std::vector<int64_t> planned_packed_queries(const sa_tensor *sums, const char *name);
// Lengths from such sums.
std::vector<int64_t> packed_lengths(const sa_tensor *sums, const char *name);

// Keys of a row from its absolute position.
struct SegmentWork {
  std::vector<int64_t> length;    // keys of each batch
  std::vector<int64_t> restored;  // original tokens of each batch, for a causal mask
  int64_t mask = 0, left = -1, right = -1, ratio = 1;
  int64_t listed = 0;  // width of the list, 0 without one
  // Keys row `index` of `used` meets.
  int64_t keys(int64_t batch, int64_t index, int64_t used) const;
};

// Rows of all batches; a row's tiles are the sum over the segments, whose tiles hold 128 keys.
std::vector<PlanRow> planned_rows(const std::vector<int64_t> &queries, const std::vector<SegmentWork> &segments);

}  // namespace sa
