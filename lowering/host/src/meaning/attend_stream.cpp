// Attention of few lanes to each key. The bytes of keys and values are what takes the time, so each is read once, in the
// order of memory, and nothing is copied.
#include <algorithm>

#include "meaning/attend_item.h"

namespace sa::meaning {
namespace {

// Calls body(first, count, segment) for runs of at most kStreamRows keys of the tile that lie in one segment.
template <class Body>
void in_runs(const int *which, int64_t keys, Body &&body) {
  for (int64_t first = 0, count; first < keys; first += count) {
    count = 1;
    while (count < kStreamRows && first + count < keys && which[first + count] == which[first]) ++count;
    body(first, count, which[first]);
  }
}

}  // namespace

void Attender::stream_scores(const Item &item) const {
  const LaneBlock &block = item.block;
  const int64_t per_group = problem_.heads_per_group(), lanes = block.lanes(), padded = round_up(lanes, kPanel);
  for (int64_t j = 0; j < item.count; ++j) std::fill(item.scores + j * padded + lanes, item.scores + (j + 1) * padded, 0.0f);
  in_runs(item.which, item.count, [&](int64_t first, int64_t count, int which) {
    const Segment &segment = problem_.segment[which];
    const void *rows[kStreamRows];
    for (int64_t lane = 0; lane < lanes; lane += per_group) {
      for (int64_t j = 0; j < count; ++j) rows[j] = segment.key_row(block.batch, item.key[first + j], block.group + lane / per_group);
      tiles_.dots(rows, count, segment.key_dtype(), problem_.width, item.panels + lane * problem_.width, problem_.width, per_group,
                  item.scores + first * padded + lane, padded);
    }
  });
}

void Attender::stream_values(const Item &item) const {
  const LaneBlock &block = item.block;
  const int64_t per_group = problem_.heads_per_group(), lanes = block.lanes(), padded = round_up(lanes, kPanel);
  for (int64_t lane = 0; lane < lanes; ++lane)
    for (int64_t d = 0; d < problem_.value_width; ++d) item.sums.out[lane * out_stride() + d] *= item.shrink[lane];
  in_runs(item.which, item.count, [&](int64_t first, int64_t count, int which) {
    const Segment &segment = problem_.segment[which];
    const void *rows[kStreamRows];
    for (int64_t lane = 0; lane < lanes; lane += per_group) {
      for (int64_t j = 0; j < count; ++j)
        rows[j] = segment.value_row(block.batch, item.key[first + j], block.group + lane / per_group);
      tiles_.add_rows(rows, count, segment.value_dtype(), problem_.value_width, item.scores + first * padded + lane, padded, per_group,
                      item.sums.out + lane * out_stride(), out_stride());
    }
  });
}

}  // namespace sa::meaning
