// Attention of a block of lanes: some heads of one or more query rows that share a key head. One pass over the keys.
#pragma once

#include "meaning/segments.h"
#include "meaning/workspace.h"

namespace sa::meaning {

// How a call is cut into items. It depends on shapes and strides alone, never on the number of threads.
struct AttentionPlan {
  // Few lanes share a key: its row is read where it lies, once, for several groups that lie side by side.
  bool streaming;
  int64_t rows_together, groups_together, heads_together;
  int64_t row_blocks, group_blocks, head_blocks;  // of the rows, of the groups, and of the heads of one group
  int64_t parts, slots_per_part;                  // of the keys

  explicit AttentionPlan(const AttentionProblem &problem);
  int64_t lanes() const { return rows_together * heads_together; }
  int64_t blocks(const AttentionProblem &problem) const { return problem.batches * row_blocks * group_blocks * head_blocks; }

 private:
  void take_panels(const AttentionProblem &problem);
  void take_streams(const AttentionProblem &problem);
};

// The lanes of one item: heads [head, head + heads) of rows [row, row + rows), lane r * heads + h. `group` is the first one's.
struct LaneBlock {
  int64_t batch, row, rows, group, head, heads;

  LaneBlock(const AttentionProblem &problem, const AttentionPlan &plan, int64_t index);
  int64_t lanes() const { return rows * heads; }
};

// What an item leaves: per lane a weighted sum of values, the peak of its scores, and the sum of weights.
struct LaneSums {
  float *out, *peak, *total;
};

class Attender {
 public:
  Attender(const AttentionProblem &problem, const AttentionPlan &plan, const Tiles &tiles);

  int64_t out_stride() const { return round_up(problem_.value_width, kPanel); }
  int64_t lanes_padded() const { return round_up(plan_.lanes(), kPanel); }
  // Floats of one LaneSums, and of attend()'s scratch.
  int64_t sums_floats() const { return lanes_padded() * (out_stride() + 2); }
  int64_t scratch_floats() const;
  LaneSums sums_at(float *memory) const;

  // Keys in slots [first, end) of the two segments' slots, one after the other.
  void attend(const LaneBlock &block, Interval slots, float *scratch, const LaneSums &sums) const;

 private:
  struct Item;
  void load_queries(const Item &item) const;
  void walk(Item &item, int which, Interval slots) const;
  void find_shown(Item &item, int which) const;
  uint64_t rows_seeing(const Item &item, int which, int64_t key) const;
  void offer(Item &item, int which, Interval keys) const;
  void flush(Item &item) const;
  void load_tile(const Item &item) const;
  void stream_scores(const Item &item) const;
  void stream_values(const Item &item) const;
  void apply_masks(const Item &item, int64_t padded) const;
  void read_lists(Item &item) const;

  const AttentionProblem &problem_;
  const AttentionPlan &plan_;
  const Tiles &tiles_;
};

}  // namespace sa::meaning
