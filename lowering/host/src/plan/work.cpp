#include "plan/work.h"

#include <algorithm>

namespace sa {
namespace {

std::vector<int64_t> checked_sums(const LengthSource &source, int64_t batches) {
  const std::vector<int64_t> sums = read_ints(source.sums, source.sums_name, batches + 1);
  return read_cu_seqlens(source.sums, source.sums_name, sums.back(), batches);
}

// `tensor`: what says how many rows there are, prefix sums of which `skipped` lead, or null for `name` alone.
void check_rows(const std::vector<int64_t> &queries, const sa_tensor *tensor, const char *name, bool sums, int64_t skipped) {
  int64_t rows = 0;
  for (size_t b = 0; b < queries.size(); ++b) {
    rows += queries[b];
    if (rows <= kPlanRows) continue;
    if (tensor)
      fail_value(name, {int64_t(b) + skipped}, sums ? rows : queries[b],
                 "less: a plan has at most " + std::to_string(kPlanRows) + " rows in all batches");
    fail("%s is %lld, must be less: a plan has at most %lld rows in all batches", name, static_cast<long long>(queries[b]),
         static_cast<long long>(kPlanRows));
  }
}

int64_t planned_batches(const LengthSource &queries, int64_t batch_size) {
  if (queries.used) return int64_t(read_ints(queries.used, queries.used_name).size());
  if (queries.sums) {
    const int64_t entries = int64_t(read_ints(queries.sums, queries.sums_name).size());
    if (entries < 1) fail("tensor %s is empty, must hold batch + 1 prefix sums", queries.sums_name);
    return entries - 1;
  }
  require_range(batch_size, "batch_size", 0, kPlanRows);
  return batch_size;
}

}  // namespace

std::vector<int64_t> planned_lengths(const LengthSource &source, int64_t batches) {
  std::vector<int64_t> lengths(static_cast<size_t>(batches));
  std::vector<int64_t> sums, used;
  if (source.sums) sums = checked_sums(source, batches);
  if (source.used) used = read_ints(source.used, source.used_name, batches);
  if (!source.sums && !source.used && source.longest < 0)
    fail("%s is %lld, must be >= 0 when neither %s nor %s is given", source.longest_name,
         static_cast<long long>(source.longest), source.sums_name, source.used_name);
  for (size_t b = 0; b < lengths.size(); ++b) {
    const int64_t slot = source.sums                          ? sums[b + 1] - sums[b]
                         : source.longest > 0 || !source.used ? source.longest
                                                              : INT32_MAX;
    lengths[b] = source.used ? used[b] : slot;
    if (lengths[b] < 0 || lengths[b] > slot)
      fail_value(source.used_name, {int64_t(b)}, lengths[b], "in 0.." + std::to_string(slot) + ", the room of that batch");
  }
  return lengths;
}

std::vector<int64_t> planned_queries(const LengthSource &source, int64_t batch_size) {
  const std::vector<int64_t> queries = planned_lengths(source, planned_batches(source, batch_size));
  if (source.used)
    check_rows(queries, source.used, source.used_name, false, 0);
  else
    check_rows(queries, source.sums, source.sums ? source.sums_name : source.longest_name, true, 1);
  return queries;
}

std::vector<int64_t> packed_lengths(const sa_tensor *sums, const char *name) {
  const std::vector<int64_t> ends = read_ints(sums, name);
  const std::vector<int64_t> starts = read_prefix_lengths(sums, name, ends.empty() ? 0 : ends.back());
  std::vector<int64_t> lengths;
  for (size_t b = 0; b < ends.size(); ++b) lengths.push_back(starts[b + 1] - starts[b]);
  return lengths;
}

std::vector<int64_t> planned_packed_queries(const sa_tensor *sums, const char *name) {
  const std::vector<int64_t> queries = packed_lengths(sums, name);
  check_rows(queries, sums, name, true, 0);
  return queries;
}

int64_t SegmentWork::keys(int64_t batch, int64_t index, int64_t used) const {
  const int64_t count = length[size_t(batch)], position = restored[size_t(batch)] - used + index + 1;
  int64_t low = 0, high = count;
  if (mask == 3) high = position <= 0 ? 0 : position / ratio;
  if (mask == 4 && left >= 0) low = std::max<int64_t>(position - 1 - std::min<int64_t>(left, INT32_MAX), 0);
  if (mask == 4 && right >= 0) high = position + std::min<int64_t>(right, INT32_MAX);
  const int64_t seen = std::max<int64_t>(std::min(high, count) - low, 0);
  return listed > 0 ? std::min(seen, listed) : seen;
}

std::vector<PlanRow> planned_rows(const std::vector<int64_t> &queries, const std::vector<SegmentWork> &segments) {
  std::vector<PlanRow> rows;
  for (int64_t batch = 0; batch < int64_t(queries.size()); ++batch) {
    const int64_t used = queries[size_t(batch)];
    for (int64_t index = 0; index < used; ++index) {
      int64_t tiles = 0;
      for (const SegmentWork &segment : segments)
        tiles += (segment.keys(batch, index, used) + kPlanTileKeys - 1) / kPlanTileKeys;
      rows.push_back({batch, index, tiles});
    }
  }
  return rows;
}

}  // namespace sa
