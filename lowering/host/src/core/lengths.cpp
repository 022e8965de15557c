#include "core/lengths.h"

namespace sa {
namespace {

std::string range_text(int64_t low, int64_t high) { return std::to_string(low) + ".." + std::to_string(high); }

std::vector<int64_t> checked_sums(const std::vector<int64_t> &sums, const char *name, int64_t total, int64_t skipped) {
  for (size_t i = 1; i < sums.size(); ++i)
    if (sums[i] < sums[i - 1])
      fail_value(name, {int64_t(i) - skipped}, sums[i], ">= the entry before it, " + std::to_string(sums[i - 1]));
  if (sums.back() != total)
    fail_value(name, {int64_t(sums.size()) - 1 - skipped}, sums.back(), std::to_string(total) + ", the number of packed tokens");
  return sums;
}

}  // namespace

int64_t read_int(const sa_tensor &tensor, int64_t offset) {
  return tensor.dtype == SA_INT32 ? static_cast<const int32_t *>(tensor.data)[offset]
                                  : static_cast<const int64_t *>(tensor.data)[offset];
}

std::vector<int64_t> read_ints(const sa_tensor *tensor, const char *name, int64_t count) {
  require_dtype(tensor, name, {SA_INT32, SA_INT64});
  require_shape(tensor, name, {count});
  std::vector<int64_t> values(static_cast<size_t>(tensor->size[0]));
  for (size_t i = 0; i < values.size(); ++i) values[i] = read_int(*tensor, int64_t(i) * tensor->stride[0]);
  return values;
}

std::vector<int64_t> read_bounded(const sa_tensor *tensor, const char *name, int64_t batch, int64_t low, int64_t high) {
  std::vector<int64_t> values = read_ints(tensor, name, batch);
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i] < low || values[i] > high) fail_value(name, {int64_t(i)}, values[i], "in " + range_text(low, high));
  return values;
}

std::vector<int64_t> read_cu_seqlens(const sa_tensor *tensor, const char *name, int64_t total, int64_t batch) {
  std::vector<int64_t> sums = read_ints(tensor, name, batch < 0 ? -1 : batch + 1);
  if (sums.empty()) fail("tensor %s is empty, must hold batch + 1 prefix sums", name);
  if (sums[0] != 0) fail_value(name, {0}, sums[0], "0");
  return checked_sums(sums, name, total, 0);
}

std::vector<int64_t> read_prefix_lengths(const sa_tensor *tensor, const char *name, int64_t total, int64_t batch) {
  std::vector<int64_t> sums = read_ints(tensor, name, batch);
  sums.insert(sums.begin(), 0);
  return checked_sums(sums, name, total, 1);
}

void check_entries(const sa_tensor *tensor, const char *name, int64_t low, int64_t high) {
  require_dtype(tensor, name, {SA_INT32, SA_INT64});
  const int64_t count = element_count(*tensor);
  for (int64_t flat = 0; flat < count; ++flat) {
    int64_t position[SA_MAX_RANK] = {}, rest = flat, offset = 0;
    for (int axis = tensor->rank - 1; axis >= 0; --axis) {
      position[axis] = rest % tensor->size[axis];
      rest /= tensor->size[axis];
      offset += position[axis] * tensor->stride[axis];
    }
    const int64_t value = read_int(*tensor, offset);
    if (value < low || value >= high)
      fail("tensor %s at %s is %lld, must be in %s", name, shape_text(position, tensor->rank).c_str(),
           static_cast<long long>(value), range_text(low, high - 1).c_str());
  }
}

BlockTable::BlockTable(const sa_tensor *table, const char *name, const std::vector<int64_t> &lengths,
                       int64_t block_size, int64_t block_count)
    : block_size_(block_size) {
  if (block_size < 1) fail("block size is %lld, must be >= 1", static_cast<long long>(block_size));
  require_dtype(table, name, {SA_INT32, SA_INT64});
  require_shape(table, name, {int64_t(lengths.size()), -1});
  for (size_t batch = 0; batch < lengths.size(); ++batch) {
    const int64_t needed = (lengths[batch] + block_size - 1) / block_size;
    if (needed > table->size[1])
      fail("tensor %s has %lld blocks per row, must be >= %lld: batch %lld uses %lld tokens in blocks of %lld", name,
           (long long)table->size[1], (long long)needed, (long long)batch, (long long)lengths[batch], (long long)block_size);
    start_.push_back(int64_t(ids_.size()));
    for (int64_t i = 0; i < needed; ++i) {
      const int64_t id = read_int(*table, int64_t(batch) * table->stride[0] + i * table->stride[1]);
      if (id < 0 || id >= block_count) fail_value(name, {int64_t(batch), i}, id, "in " + range_text(0, block_count - 1));
      ids_.push_back(id);
    }
  }
}

}  // namespace sa
