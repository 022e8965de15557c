// From the scores of a row to its picks, shared by topk and lightning_indexer.
#pragma once

#include "meaning/select.h"
#include "meaning/visibility.h"

namespace sa::meaning {

// Which keys of a row are candidates.
class Candidates {
 public:
  Candidates(const sa_tensor *visible, const sa_tensor *mask, const char *mask_mode, int64_t batches, int64_t rows, int64_t keys);
  // Keys of the prefix that a row sees, within [0, keys].
  int64_t limit(int64_t batch, int64_t row) const;
  bool masked() const { return mask_.present(); }
  // Adds the mask to scores[0, limit); `scratch` holds `limit` floats.
  void apply_mask(int64_t batch, int64_t row, int64_t limit, float *scratch, float *scores) const;

 private:
  bool everything_;
  int64_t keys_;
  VisibleCounts counts_;
  Mask mask_;
};

// Results of a top-k, checked: contiguous int32 and fp32 [B, S, width].
struct Picks {
  int32_t *indices;
  float *values;
  int64_t width;

  Picks(const sa_tensor *indices, const sa_tensor *values, int64_t batches, int64_t rows, int64_t width);
};

// One selector per thread.
std::vector<Selector> make_selectors(int32_t num_threads, int64_t candidates);

}  // namespace sa::meaning
