#include "cache/rows.h"

namespace sa {

int64_t slot_count(const sa_tensor &cache) {
  int64_t count = 1;
  for (int axis = 0; axis + 1 < cache.rank; ++axis) count *= cache.size[axis];
  return count;
}

int64_t slot_offset(const sa_tensor &cache, int64_t slot) {
  int64_t offset = 0;
  for (int axis = cache.rank - 2; axis >= 0; slot /= cache.size[axis--]) offset += slot % cache.size[axis] * cache.stride[axis];
  return offset;
}

std::vector<SlotWrite> read_slots(const sa_tensor *slot_mapping, const char *name, int64_t rows, int64_t slots) {
  const std::vector<int64_t> mapping = read_bounded(slot_mapping, name, rows, -1, slots - 1);
  std::vector<bool> taken(static_cast<size_t>(slots));
  std::vector<SlotWrite> writes;
  for (int64_t row = rows - 1; row >= 0; --row) {
    const int64_t slot = mapping[size_t(row)];
    if (slot < 0 || taken[size_t(slot)]) continue;
    taken[size_t(slot)] = true;
    writes.push_back({row, slot});
  }
  return writes;
}

void store_bytes(const sa_tensor &cache, int64_t slot, int64_t first, const uint8_t *bytes, int64_t count) {
  const int64_t step = cache.stride[cache.rank - 1];
  uint8_t *row = static_cast<uint8_t *>(cache.data) + slot_offset(cache, slot) + first * step;
  for (int64_t i = 0; i < count; ++i) row[i * step] = bytes[i];
}

}  // namespace sa
