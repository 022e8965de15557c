#include "meaning/picks.h"

#include <algorithm>
#include <limits>

namespace sa::meaning {

Candidates::Candidates(const sa_tensor *visible, const sa_tensor *mask, const char *mask_mode, int64_t batches, int64_t rows,
                       int64_t keys)
    : everything_(is_word(mask_mode, "none")), keys_(keys), counts_(visible, "visible", batches, rows, keys),
      mask_(mask, {batches, rows, keys}) {
  require_one_of(mask_mode, "mask_mode", {"none", "causal", "prefix"});
  if (everything_) require_absent(visible, "visible", "mask_mode is none");
  if (is_word(mask_mode, "prefix")) require(visible, "visible");
}

int64_t Candidates::limit(int64_t batch, int64_t row) const {
  return everything_ ? keys_ : std::clamp<int64_t>(counts_.of(batch, row), 0, keys_);
}

void Candidates::apply_mask(int64_t batch, int64_t row, int64_t limit, float *scratch, float *scores) const {
  constexpr float none = -std::numeric_limits<float>::infinity();
  mask_.load(batch, 0, row, 0, limit, scratch);
  for (int64_t i = 0; i < limit; ++i) scores[i] = scratch[i] == none ? none : scores[i] + scratch[i];
}

Picks::Picks(const sa_tensor *indices_, const sa_tensor *values_, int64_t batches, int64_t rows, int64_t width_) : width(width_) {
  indices = view<int32_t, 3>(indices_, "indices", {batches, rows, width}).data;
  values = view<float, 3>(values_, "values", {batches, rows, width}).data;
  require_dense(indices_, "indices");
  require_dense(values_, "values");
}

std::vector<Selector> make_selectors(int32_t num_threads, int64_t candidates) {
  return std::vector<Selector>(size_t(thread_count(num_threads)), Selector(candidates));
}

}  // namespace sa::meaning
