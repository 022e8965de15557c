#include "attention/keys.h"

namespace sa {

CacheLayout cache_layout(const char *word, const char *name, const char *paged_word) {
  require_word(word, name, {"BSND", "TND", paged_word});
  if (is_word(word, "BSND")) return CacheLayout::kDense;
  return is_word(word, "TND") ? CacheLayout::kPacked : CacheLayout::kPaged;
}

void require_cache(const sa_tensor *data, CacheLayout layout, int64_t batches, int64_t width, const char *name) {
  if (layout == CacheLayout::kPacked)
    require_shape(data, name, {-1, 1, width});
  else
    require_shape(data, name, {layout == CacheLayout::kDense ? batches : -1, -1, 1, width});
  const int last = data->rank - 1;
  if (width > 1 && element_count(*data) > 0 && data->stride[last] != 1)
    fail("tensor %s has stride %lld at axis %d, must be 1: key rows are read whole", name,
         static_cast<long long>(data->stride[last]), last);
}

std::vector<int64_t> cache_starts(const sa_tensor *data, CacheLayout layout, const sa_tensor *sums, int64_t batches,
                                  const CacheNames &names) {
  if (layout == CacheLayout::kPacked) return read_cu_seqlens(sums, names.starts, data->size[0], batches);
  require_absent(sums, names.starts, "the keys are not packed (TND)");
  return {};
}

std::vector<int64_t> cache_lengths(const sa_tensor *data, CacheLayout layout, const sa_tensor *table,
                                   const std::vector<int64_t> &starts, const sa_tensor *used, int64_t batches,
                                   const CacheNames &names, bool table_bounds) {
  const bool paged = layout == CacheLayout::kPaged;
  if (paged) {
    require_dtype(table, names.table, {SA_INT32});
    require_shape(table, names.table, {batches, -1});
    if (data->size[1] < 1) fail("tensor %s has blocks of 0 rows, must be >= 1", names.data);
    if (!used && !table_bounds) fail("tensor %s is missing: a paged %s needs it", names.used, names.data);
  } else {
    require_absent(table, names.table, "the keys are not paged");
  }
  std::vector<int64_t> lengths(static_cast<size_t>(batches));
  std::vector<int64_t> counts;
  if (used) counts = read_ints(used, names.used, batches);
  for (int64_t batch = 0; batch < batches; ++batch) {
    const size_t b = size_t(batch);
    const int64_t room = paged                            ? table->size[1] * data->size[1]
                         : layout == CacheLayout::kPacked ? starts[b + 1] - starts[b]
                                                          : data->size[1];
    lengths[b] = used ? counts[b] : room;
    if (lengths[b] < 0 || lengths[b] > room)
      fail_value(names.used, {batch}, lengths[b],
                 "in 0.." + std::to_string(room) + ", the rows of " + names.data + " for that batch");
  }
  return lengths;
}

KeyCache::KeyCache(const sa_tensor *data, CacheLayout layout, const sa_tensor *table, const std::vector<int64_t> &starts,
                   const std::vector<int64_t> &lengths, const CacheNames &names)
    : data_(*data), layout_(layout), starts_(starts), lengths_(lengths), names_(names) {
  if (layout == CacheLayout::kPaged) table_ = *table;
  for (int axis = 0; axis < 2; ++axis) bytes_[axis] = data->stride[axis] * dtype_bytes(data->dtype);
}

const uint8_t *KeyCache::row(int64_t batch, int64_t token) const {
  const uint8_t *base = static_cast<const uint8_t *>(data_.data);
  if (layout_ == CacheLayout::kPacked) return base + (starts_[size_t(batch)] + token) * bytes_[0];
  if (layout_ == CacheLayout::kDense) return base + batch * bytes_[0] + token * bytes_[1];
  const int64_t column = token / data_.size[1];
  const int64_t block = static_cast<const int32_t *>(table_.data)[batch * table_.stride[0] + column * table_.stride[1]];
  if (block < 0 || block >= data_.size[0])
    fail_value(names_.table, {batch, column}, block,
               "in 0.." + std::to_string(data_.size[0] - 1) + ", the blocks of " + names_.data);
  return base + block * bytes_[0] + token % data_.size[1] * bytes_[1];
}

}  // namespace sa
