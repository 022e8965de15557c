#include <cstring>
#include <vector>

#include "meaning/visibility.h"

namespace sa::meaning {
namespace {

// Slot of each row, -1 where the row is skipped or a later row has the same slot.
std::vector<int64_t> final_slots(const sa_tensor *slots, int64_t rows, int64_t count) {
  std::vector<int64_t> found = read_bounded(slots, "slots", rows, -1, count - 1);
  std::vector<bool> taken(static_cast<size_t>(count));
  for (int64_t row = rows - 1; row >= 0; --row) {
    int64_t &slot = found[size_t(row)];
    if (slot < 0) continue;
    if (taken[size_t(slot)]) slot = -1;
    else taken[size_t(slot)] = true;
  }
  return found;
}

void require_rows_of(const sa_tensor *cache, const sa_tensor *rows) {
  bool fits = rows->rank == cache->rank - 1 && rows->dtype == cache->dtype;
  for (int axis = 1; fits && axis < rows->rank; ++axis) fits = rows->size[axis] == cache->size[axis + 1];
  if (!fits)
    fail("tensor rows has shape %s and dtype %s, must be rows of cache, shape %s and dtype %s",
         shape_text(rows->size, rows->rank).c_str(), dtype_name(rows->dtype), shape_text(cache->size, cache->rank).c_str(),
         dtype_name(cache->dtype));
}

}  // namespace
}  // namespace sa::meaning

// cache, rows and result are contiguous.
extern "C" int sa_meaning_paged_write(const sa_tensor *cache, const sa_tensor *rows, const sa_tensor *slots, sa_tensor *result,
                                      int32_t num_threads, sa_error *error) {
  return sa::guarded(error, [&] {
    sa::require(cache, "cache");
    sa::require(rows, "rows");
    if (cache->rank < 2) sa::fail("tensor cache has rank %d, must be at least 2", cache->rank);
    sa::meaning::require_rows_of(cache, rows);
    const int64_t count = cache->size[0] * cache->size[1];
    const std::vector<int64_t> places = sa::meaning::final_slots(slots, rows->size[0], count);
    sa::require_dtype(result, "result", {cache->dtype});
    if (sa::element_count(*result) != sa::element_count(*cache)) sa::fail("tensor result must have the shape of cache");
    sa::meaning::require_dense(cache, "cache");
    sa::meaning::require_dense(rows, "rows");
    sa::meaning::require_dense(result, "result");
    const int64_t total = sa::element_count(*cache) * sa::dtype_bytes(cache->dtype), bytes = count ? total / count : 0;
    const auto *from = static_cast<const char *>(cache->data);
    auto *to = static_cast<char *>(result->data);
    constexpr int64_t kPiece = 1 << 20;
    sa::parallel_for((total + kPiece - 1) / kPiece, num_threads, [&](int64_t piece) {
      const int64_t first = piece * kPiece, size = total - first < kPiece ? total - first : kPiece;
      std::memcpy(to + first, from + first, size_t(size));
    });
    for (size_t row = 0; row < places.size(); ++row)
      if (places[row] >= 0 && bytes > 0)
        std::memcpy(to + places[row] * bytes, static_cast<const char *>(rows->data) + int64_t(row) * bytes, size_t(bytes));
  });
}
