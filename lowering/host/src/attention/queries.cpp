#include "attention/queries.h"

namespace sa {

std::vector<int64_t> query_starts(const sa_tensor *q, const char *layout, const char *layout_name, const sa_tensor *sums,
                                  const char *sums_name, bool leading_zero) {
  require_word(layout, layout_name, {"BSND", "TND"});
  if (is_word(layout, "BSND")) {
    if (leading_zero && sums) fail("tensor %s must be absent when %s is BSND", sums_name, layout_name);
    return {};
  }
  if (!sums) fail("tensor %s is missing: %s TND needs it", sums_name, layout_name);
  const int64_t total = require(q, "query").rank > 0 ? q->size[0] : 0;
  return leading_zero ? read_cu_seqlens(sums, sums_name, total) : read_prefix_lengths(sums, sums_name, total);
}

Queries::Queries(const sa_tensor *q, const char *name, int64_t width, const std::vector<int64_t> &starts,
                 const sa_tensor *used, const char *used_name) {
  const bool is_packed = !starts.empty();
  if (is_packed)
    require_shape(q, name, {-1, -1, width});
  else
    require_shape(q, name, {-1, -1, -1, width});
  q_ = *q;
  batches_ = is_packed ? int64_t(starts.size()) - 1 : q_.size[0];
  std::vector<int64_t> counts;
  if (used) counts = read_ints(used, used_name, batches_);
  for (int64_t batch = 0; batch < batches_; ++batch) {
    const int64_t slot = is_packed ? starts[size_t(batch + 1)] - starts[size_t(batch)] : q_.size[1];
    const int64_t count = used ? counts[size_t(batch)] : slot;
    if (count < 0 || count > slot)
      fail_value(used_name, {batch}, count, "in 0.." + std::to_string(slot) + ", the rows of that batch");
    const int64_t base = is_packed ? starts[size_t(batch)] : batch * slot;
    for (int64_t index = 0; index < slot; ++index) rows_.push_back({base + index, batch, index, count});
  }
}

int64_t Queries::offset(const sa_tensor &tensor, const QueryRow &row) const {
  return packed() ? row.flat * tensor.stride[0] : row.batch * tensor.stride[0] + row.index * tensor.stride[1];
}

std::vector<int64_t> Queries::place(const QueryRow &row, std::initializer_list<int64_t> rest) const {
  std::vector<int64_t> at = packed() ? std::vector<int64_t>{row.flat} : std::vector<int64_t>{row.batch, row.index};
  at.insert(at.end(), rest);
  return at;
}

void Queries::require_lists(const sa_tensor *lists, const char *name) const {
  require_dtype(lists, name, {SA_INT32});
  if (packed())
    require_shape(lists, name, {q_.size[0], 1, -1});
  else
    require_shape(lists, name, {q_.size[0], q_.size[1], 1, -1});
}

void Queries::require_counts(const sa_tensor *counts, const char *name) const {
  require_dtype(counts, name, {SA_INT32});
  if (packed())
    require_shape(counts, name, {q_.size[0], 1});
  else
    require_shape(counts, name, {q_.size[0], q_.size[1], 1});
}

void Queries::require_result(const sa_tensor *out, const char *name, int64_t columns) const {
  if (packed())
    require_shape(out, name, {q_.size[0], heads(), columns});
  else
    require_shape(out, name, {q_.size[0], q_.size[1], heads(), columns});
}

void Queries::require_statistics(const sa_tensor *lse, const char *name) const {
  require_dtype(lse, name, {SA_FP32});
  if (packed())
    require_shape(lse, name, {1, q_.size[0], heads()});
  else
    require_shape(lse, name, {q_.size[0], 1, q_.size[1], heads()});
}

int64_t Queries::statistics_offset(const sa_tensor &lse, const QueryRow &row) const {
  return packed() ? row.flat * lse.stride[1] : row.batch * lse.stride[0] + row.index * lse.stride[2];
}

}  // namespace sa
