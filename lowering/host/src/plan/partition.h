// Divides the rows of a kernel call among cores and writes the division as the int32[1024] record of the metadata operators.
//
// A call is a sequence of tiles in the order (batch, row, tile). A part is the half-open interval [start, end) of that
// order; the parts of a plan follow each other without a gap, the first starts at (0,0,0), the last ends at (batches,0,0).
//
//   36 records of 8 or 9 ints: enable, start (batch, row, tile), end (batch, row, tile), first partial result
//                              [, tiles of the longest row of the part]
//   72 records of 8 ints:      enable, batch, row, first partial result, their number, first head, heads, 0
//
// The second list is empty unless rows may be divided (split_keys): each row that several parts share is then put together
// from its partial results, heads shared by two records. Record layout: ops-transformer, the metadata operators.
#pragma once

#include "core/core.h"

namespace sa {

constexpr int64_t kPlanInts = 1024, kPlanCores = 36, kPlanVectors = 72, kVectorInts = 8;
constexpr int64_t kPlanTileKeys = 128;

struct PlanRow {
  int64_t batch, row, tiles;  // tiles >= 0; row counts within the batch
};

struct PlanShape {
  int64_t batches, heads;
  int64_t cores = kPlanCores;  // 1..36
  bool split_keys = false;     // whether a part may end inside a row
  int64_t core_ints = 8;       // 8 or 9
};

// Rows in order (batch, row). Parts differ by at most one tile with split_keys, and by at most the longest row without.
std::vector<int32_t> plan_record(const std::vector<PlanRow> &rows, const PlanShape &shape);

// Checks `metadata`, int32 [1024] contiguous, and copies the record into it.
void write_plan(const std::vector<int32_t> &record, const sa_tensor *metadata);
void require_plan(const sa_tensor *metadata);

}  // namespace sa
