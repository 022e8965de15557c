#include "plan/partition.h"

#include <algorithm>

#include "sparse_attn_host.h"

namespace sa {
namespace {

struct Position {
  int64_t batch, row, tile;
};

struct Part {
  Position start, end;
  int64_t first_row, last_row;  // indices of the rows that have tiles here
  int64_t longest;
  bool continues, continued;  // the first row began in an earlier part, the last goes on in a later one
};

// offsets[i]: tiles before row i; one more entry for the total.
std::vector<int64_t> tile_offsets(const std::vector<PlanRow> &rows) {
  std::vector<int64_t> offsets{0};
  for (const PlanRow &row : rows) offsets.push_back(offsets.back() + row.tiles);
  return offsets;
}

// Where the parts begin and end, as tile numbers: even shares, moved to the nearest row when rows stay whole.
std::vector<int64_t> boundaries(const std::vector<int64_t> &offsets, const PlanShape &shape) {
  const int64_t total = offsets.back();
  std::vector<int64_t> cuts{0};
  for (int64_t core = 1; core < shape.cores; ++core) {
    int64_t cut = total / shape.cores * core + total % shape.cores * core / shape.cores;
    if (!shape.split_keys) {
      const auto above = std::lower_bound(offsets.begin(), offsets.end(), cut);
      const int64_t high = *above, low = above == offsets.begin() ? high : *(above - 1);
      cut = cut - low < high - cut ? low : high;
    }
    if (cut > cuts.back() && cut < total) cuts.push_back(cut);
  }
  cuts.push_back(total);
  return cuts;
}

// The row that holds tile number `tile`.
int64_t row_of(const std::vector<int64_t> &offsets, int64_t tile) {
  return std::upper_bound(offsets.begin(), offsets.end(), tile) - offsets.begin() - 1;
}

std::vector<Part> divide(const std::vector<PlanRow> &rows, const PlanShape &shape) {
  std::vector<Part> parts;
  if (rows.empty()) return parts;
  const std::vector<int64_t> offsets = tile_offsets(rows), cuts = boundaries(offsets, shape);
  Position next{0, 0, 0};
  for (size_t i = 0; i + 1 < cuts.size(); ++i) {
    const bool last = i + 2 == cuts.size();
    Part part{next, {shape.batches, 0, 0}, 0, int64_t(rows.size()) - 1, 0, next.tile > 0, false};
    if (offsets.back() > 0) part.first_row = row_of(offsets, cuts[i]), part.last_row = row_of(offsets, cuts[i + 1] - 1);
    if (!last) {
      const int64_t at = row_of(offsets, cuts[i + 1]);
      part.end = {rows[size_t(at)].batch, rows[size_t(at)].row, cuts[i + 1] - offsets[size_t(at)]};
      part.continued = part.end.tile > 0;
    }
    for (int64_t r = part.first_row; r <= part.last_row; ++r) part.longest = std::max(part.longest, rows[size_t(r)].tiles);
    parts.push_back(part);
    next = part.end;
  }
  return parts;
}

struct SharedRow {
  int64_t row, first_partial, count;
};

// Numbers the partial results part by part, so those of a row are neighbours. first[p]: the first one of part p.
std::vector<SharedRow> number_partials(const std::vector<Part> &parts, std::vector<int64_t> &first) {
  std::vector<SharedRow> shared;
  int64_t next = 0;
  for (const Part &part : parts) {
    first.push_back(next);
    if (part.continues) ++shared.back().count, ++next;
    if (part.continued && !(part.continues && part.first_row == part.last_row)) shared.push_back({part.last_row, next++, 1});
  }
  return shared;
}

void write_cores(const std::vector<Part> &parts, const std::vector<int64_t> &first_partial, int64_t ints, int32_t *to) {
  for (size_t p = 0; p < parts.size(); ++p) {
    const Part &part = parts[p];
    const int64_t values[] = {1,
                              part.start.batch,
                              part.start.row,
                              part.start.tile,
                              part.end.batch,
                              part.end.row,
                              part.end.tile,
                              first_partial[p],
                              part.longest};
    for (int64_t i = 0; i < ints; ++i) to[int64_t(p) * ints + i] = int32_t(values[i]);
  }
}

void write_vectors(const std::vector<SharedRow> &shared, const std::vector<PlanRow> &rows, int64_t heads, int32_t *to) {
  for (const SharedRow &one : shared)
    for (int64_t half = 0; half < 2; ++half) {
      const int64_t first = half * ((heads + 1) / 2), count = half ? heads - first : (heads + 1) / 2;
      if (count == 0) continue;
      const PlanRow &row = rows[size_t(one.row)];
      const int64_t values[kVectorInts] = {1, row.batch, row.row, one.first_partial, one.count, first, count, 0};
      for (int64_t value : values) *to++ = int32_t(value);
    }
}

}  // namespace

std::vector<int32_t> plan_record(const std::vector<PlanRow> &rows, const PlanShape &shape) {
  if (shape.cores < 1 || shape.cores > kPlanCores)
    fail("cores is %lld, must be in 1..36", static_cast<long long>(shape.cores));
  if (shape.heads < 1) fail("num_heads_q is %lld, must be >= 1", static_cast<long long>(shape.heads));
  if (shape.core_ints != 8 && shape.core_ints != 9)
    fail("record_ints is %lld, must be 8 or 9", static_cast<long long>(shape.core_ints));
  std::vector<int32_t> record(static_cast<size_t>(kPlanInts), 0);
  const std::vector<Part> parts = divide(rows, shape);
  std::vector<int64_t> first_partial;
  const std::vector<SharedRow> shared = number_partials(parts, first_partial);
  write_cores(parts, first_partial, shape.core_ints, record.data());
  write_vectors(shared, rows, shape.heads, record.data() + kPlanCores * shape.core_ints);
  return record;
}

void require_plan(const sa_tensor *metadata) {
  view<int32_t, 1>(metadata, "metadata", {kPlanInts});
  require_contiguous(metadata, "metadata");
}

void write_plan(const std::vector<int32_t> &record, const sa_tensor *metadata) {
  require_plan(metadata);
  std::copy(record.begin(), record.end(), static_cast<int32_t *>(metadata->data));
}

}  // namespace sa

extern "C" int sa_partition_rows(const sa_tensor *tiles, int64_t heads, int64_t cores, int64_t split_keys,
                                 int64_t record_ints, sa_tensor *metadata, int32_t, sa_error *error) {
  return sa::guarded(error, [&] {
    const auto counts = sa::view<const int32_t, 2>(tiles, "tiles");
    sa::require_plan(metadata);
    std::vector<sa::PlanRow> rows;
    for (int64_t batch = 0; batch < counts.size[0]; ++batch)
      for (int64_t row = 0; row < counts.size[1] && counts(batch, row) != -1; ++row) {
        if (counts(batch, row) < 0)
          sa::fail_value("tiles", {batch, row}, counts(batch, row), ">= 0, or -1 after the last row");
        rows.push_back({batch, row, counts(batch, row)});
      }
    sa::write_plan(sa::plan_record(rows, {counts.size[0], heads, cores, split_keys != 0, record_ints}), metadata);
  });
}
