#include "meaning/attend_item.h"

#include <algorithm>
#include <utility>

namespace sa::meaning {
namespace {

// Up to so many lanes share a key: one of them alone cannot fill the registers with a panel of queries.
constexpr int64_t kFewLanes = 8;
// Queries and sums of a streaming item: they stay in the first-level cache while keys and values pass by.
constexpr int64_t kStreamFloats = 6144;
// Below this many heads a group, one row cannot fill the registers; several rows are then taken together.
constexpr int64_t kFewHeads = 8;
// A call of fewer items splits its keys as well, into at most kParts parts.
constexpr int64_t kFewItems = 16, kParts = 16, kSlotsPerPart = 128;

RowBits all_rows(int64_t rows) { return rows == 64 ? ~RowBits(0) : (RowBits(1) << rows) - 1; }

}  // namespace

AttentionPlan::AttentionPlan(const AttentionProblem &problem) : streaming(false), groups_together(1) {
  const int64_t lanes = problem.heads_per_group() * std::max<int64_t>(1, problem.rows);
  streaming = lanes <= kFewLanes && problem.segment[0].dense_rows() && problem.segment[1].dense_rows();
  if (streaming)
    take_streams(problem);
  else
    take_panels(problem);
  row_blocks = (problem.rows + rows_together - 1) / rows_together;
  group_blocks = (problem.groups + groups_together - 1) / groups_together;
  const int64_t slots = rows_together == 1 ? problem.slots() : problem.keys();
  parts = blocks(problem) >= kFewItems ? 1 : std::clamp<int64_t>(slots / kSlotsPerPart, 1, kParts);
  slots_per_part = round_up((slots + parts - 1) / parts, kTileKeys);
}

void AttentionPlan::take_panels(const AttentionProblem &problem) {
  const int64_t heads = problem.heads_per_group();
  heads_together = std::clamp<int64_t>(heads, 1, kLanes);
  // A row that walks its own list touches few keys but shares none of them; rows together walk all keys with each other.
  const bool lists_pay = heads >= kFewHeads || problem.slots() * 4 < problem.keys() * heads;
  const bool alone = problem.listed() && lists_pay;
  rows_together = alone ? 1 : std::clamp<int64_t>(kLanes / heads_together, 1, std::max<int64_t>(1, problem.rows));
  head_blocks = (heads + heads_together - 1) / heads_together;
}

void AttentionPlan::take_streams(const AttentionProblem &problem) {
  const int64_t heads = problem.heads_per_group(), floats = heads * (problem.width + problem.value_width);
  const int64_t most = std::min(kStreamFloats / std::max<int64_t>(1, floats), kLanes / heads);
  groups_together = std::clamp<int64_t>(most, 1, problem.groups);
  heads_together = groups_together * heads;
  rows_together = head_blocks = 1;
}

LaneBlock::LaneBlock(const AttentionProblem &problem, const AttentionPlan &plan, int64_t index) {
  const int64_t per_group = problem.heads_per_group();
  const int64_t first = index % plan.head_blocks * plan.heads_together;
  index /= plan.head_blocks;
  row = index % plan.row_blocks * plan.rows_together;
  index /= plan.row_blocks;  // neighbouring items share the keys of a group, which then stay in a cache
  group = index % plan.group_blocks * plan.groups_together;
  batch = index / plan.group_blocks;
  head = group * per_group + first;
  heads = std::min(plan.heads_together, per_group * std::min(plan.groups_together, problem.groups - group) - first);
  rows = std::min(plan.rows_together, problem.rows - row);
}

Attender::Attender(const AttentionProblem &problem, const AttentionPlan &plan, const Tiles &tiles)
    : problem_(problem), plan_(plan), tiles_(tiles) {}

int64_t Attender::scratch_floats() const {
  const int64_t lanes = lanes_padded(), row = problem_.width + 2 * kTilePad;
  const int64_t value_row = out_stride() + kTilePad;
  const int64_t lists = plan_.rows_together > 1 ? 2 * problem_.keys() : 0;
  return lanes * round_up(problem_.width, kPanel) + kTileKeys * (row + value_row) + kTileKeys * lanes + lanes +
         2 * kTileKeys * plan_.rows_together + lists + 12 * kPanel;
}

LaneSums Attender::sums_at(float *memory) const {
  const int64_t lanes = lanes_padded();
  return {memory, memory + lanes * out_stride(), memory + lanes * (out_stride() + 1)};
}

void Attender::attend(const LaneBlock &block, Interval slots, float *scratch, const LaneSums &sums) const {
  const int64_t lanes = lanes_padded(), width = round_up(problem_.width, kPanel);
  Item item{block, sums, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, {}, {}, {}, 0, true, {}, {}};
  const auto take = [&](int64_t floats) { return std::exchange(scratch, scratch + round_up(floats, kPanel)); };
  item.panels = take(lanes * width);
  item.keys = take(kTileKeys * (width + kTilePad));
  item.values = problem_.segment[0].has_values() ? take(kTileKeys * (out_stride() + kTilePad)) : item.keys;
  item.scores = take(kTileKeys * lanes);
  item.shrink = take(lanes);
  item.added = take(kTileKeys * plan_.rows_together);
  item.mask = take(kTileKeys * plan_.rows_together);
  if (plan_.rows_together > 1)
    for (int which = 0; which < 2; ++which)
      item.listed[which] = reinterpret_cast<RowBits *>(take(2 * problem_.segment[which].keys()));
  load_queries(item);
  if (plan_.rows_together > 1) read_lists(item);
  std::fill_n(sums.out, lanes * out_stride(), 0.0f);
  std::fill_n(sums.peak, lanes, kNone);
  std::fill_n(sums.total, lanes, 0.0f);
  int64_t base = 0;
  for (int which = 0; which < 2; ++which) {
    find_shown(item, which);
    const Segment &segment = problem_.segment[which];
    const int64_t own = plan_.rows_together == 1 ? segment.slots() : segment.keys();
    walk(item, which, {std::clamp<int64_t>(slots.first - base, 0, own), std::clamp<int64_t>(slots.end - base, 0, own)});
    base += own;
  }
  flush(item);
}

void Attender::load_queries(const Item &item) const {
  const sa_tensor &query = problem_.query;
  const LaneBlock &block = item.block;
  const int64_t width = problem_.width, stride = width + kTilePad;
  for (int64_t first = 0; first < block.lanes(); first += kPanel) {
    const int64_t count = std::min(kPanel, block.lanes() - first);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t row = block.row + (first + i) / block.heads, head = block.head + (first + i) % block.heads;
      const int64_t offset = block.batch * query.stride[0] + row * query.stride[1] + head * query.stride[2];
      float *to = item.keys + i * stride;
      read_floats(tiles_, query, offset, query.stride[3], width, to);
      for (int64_t d = 0; d < width; ++d) to[d] *= problem_.scale;
    }
    if (plan_.streaming)
      for (int64_t i = 0; i < count; ++i) std::copy_n(item.keys + i * stride, width, item.panels + (first + i) * width);
    else
      tiles_.pack(item.keys, stride, count, width, item.panels + first * width);
  }
}

void Attender::find_shown(Item &item, int which) const {
  Interval all{0, problem_.segment[which].keys()};
  for (int64_t r = 0; r < item.block.rows; ++r) {
    const Interval shown = problem_.interval(which, item.block.batch, item.block.row + r);
    item.shown[which][r] = shown;
    all = {std::max(all.first, shown.first), std::min(all.end, shown.end)};
  }
  item.shown_to_all[which] = all;
}

// Which rows list each key.
void Attender::read_lists(Item &item) const {
  for (int which = 0; which < 2; ++which) {
    const Segment &segment = problem_.segment[which];
    if (!segment.listed()) continue;
    std::fill_n(item.listed[which], segment.keys(), RowBits(0));
    for (int64_t r = 0; r < item.block.rows; ++r)
      for (int64_t slot = 0; slot < segment.slots(); ++slot) {
        const int64_t key = segment.entry(item.block.batch, item.block.row + r, slot);
        if (key >= 0) item.listed[which][key] |= RowBits(1) << r;
      }
  }
}

// Offers the keys in a segment's slots: the entries of the row's own list, or every key that some row sees.
void Attender::walk(Item &item, int which, Interval slots) const {
  const Segment &segment = problem_.segment[which];
  const LaneBlock &block = item.block;
  if (plan_.rows_together == 1 && segment.listed()) {
    const Interval shown = item.shown[which][0];
    for (int64_t slot = slots.first; slot < slots.end; ++slot) {
      const int64_t key = segment.entry(block.batch, block.row, slot);
      if (key >= shown.first && key < shown.end) offer(item, which, {key, key + 1});
    }
    return;
  }
  Interval any{slots.end, slots.first};
  for (int64_t r = 0; r < block.rows; ++r) {
    any.first = std::min(any.first, item.shown[which][r].first);
    any.end = std::max(any.end, item.shown[which][r].end);
  }
  const Interval keys{std::max(any.first, slots.first), std::min(any.end, slots.end)};
  for (int64_t key = keys.first; key < keys.end; key += kTileKeys) offer(item, which, {key, std::min(keys.end, key + kTileKeys)});
}

// The rows that see a key, by their intervals and lists.
uint64_t Attender::rows_seeing(const Item &item, int which, int64_t key) const {
  RowBits rows = all_rows(item.block.rows);
  const Interval all = item.shown_to_all[which];
  if (key < all.first || key >= all.end) {
    rows = 0;
    for (int64_t r = 0; r < item.block.rows; ++r) {
      const Interval shown = item.shown[which][r];
      rows |= RowBits(key >= shown.first && key < shown.end) << r;
    }
  }
  return plan_.rows_together > 1 && problem_.segment[which].listed() ? rows & item.listed[which][key] : rows;
}

// Puts at most kTileKeys neighbouring keys into the tile, those that no row sees left out.
void Attender::offer(Item &item, int which, Interval keys) const {
  const LaneBlock &block = item.block;
  const RowBits everybody = all_rows(block.rows);
  const bool masked = problem_.mask.present() && !problem_.mask.by_head();
  const int64_t base = which ? problem_.segment[0].keys() : 0;
  if (masked)
    for (int64_t r = 0; r < block.rows; ++r)
      problem_.mask.load(block.batch, 0, block.row + r, base + keys.first, keys.end - keys.first, item.mask + r * kTileKeys);
  for (int64_t key = keys.first; key < keys.end; ++key) {
    const RowBits rows = rows_seeing(item, which, key);
    if (rows == 0) continue;
    float *added = item.added + item.count * block.rows;
    bool seen = !masked;
    for (int64_t r = 0; r < block.rows; ++r) added[r] = rows >> r & 1 ? 0.0f : kNone;
    if (masked) {
      for (int64_t r = 0; r < block.rows; ++r) added[r] += item.mask[r * kTileKeys + key - keys.first];
      for (int64_t r = 0; r < block.rows; ++r) seen |= added[r] != kNone;
    }
    if (!seen) continue;
    item.plain &= rows == everybody && !masked;
    item.key[item.count] = key;
    item.which[item.count] = which;
    if (++item.count == kTileKeys) flush(item);
  }
}

// Attends to the tile's keys and empties it.
void Attender::flush(Item &item) const {
  if (item.count == 0) return;
  const int64_t lanes = item.block.lanes(), padded = round_up(lanes, kPanel), width = problem_.width;
  const int64_t key_stride = round_up(width, kPanel) + kTilePad;
  const bool apart = problem_.segment[0].has_values();
  if (plan_.streaming) {
    stream_scores(item);
    apply_masks(item, padded);
    tiles_.softmax_step(item.scores, padded, item.count, item.sums.peak, item.sums.total, item.shrink);
    stream_values(item);
    item.count = 0;
    item.plain = true;
    return;
  }
  load_tile(item);
  for (int64_t first = 0; first < lanes; first += kPanel)
    tiles_.products(item.panels + first * width, width, item.keys, key_stride, item.count, item.scores + first, padded);
  apply_masks(item, padded);
  tiles_.softmax_step(item.scores, padded, item.count, item.sums.peak, item.sums.total, item.shrink);
  tiles_.accumulate(item.scores, padded, lanes, item.values, apart ? out_stride() + kTilePad : key_stride, item.count, out_stride(),
                    item.shrink, item.sums.out, out_stride());
  item.count = 0;
  item.plain = true;
}

void Attender::load_tile(const Item &item) const {
  const int64_t key_stride = round_up(problem_.width, kPanel) + kTilePad, value_stride = out_stride() + kTilePad;
  const LaneBlock &block = item.block;
  for (int64_t j = 0; j < item.count; ++j) {
    const Segment &segment = problem_.segment[item.which[j]];
    segment.read_key(tiles_, block.batch, item.key[j], block.group, problem_.width, item.keys + j * key_stride);
    if (item.values != item.keys)
      segment.read_value(tiles_, block.batch, item.key[j], block.group, problem_.value_width, item.values + j * value_stride);
  }
}

void Attender::apply_masks(const Item &item, int64_t padded) const {
  const LaneBlock &block = item.block;
  const auto masked = [](float score, float added) { return added == kNone ? kNone : score + added; };
  if (!item.plain)
    for (int64_t j = 0; j < item.count; ++j) {
      const float *added = item.added + j * block.rows;
      float *score = item.scores + j * padded;
      if (block.heads == 1)
        for (int64_t r = 0; r < block.rows; ++r) score[r] = masked(score[r], added[r]);
      else
        for (int64_t r = 0; r < block.rows; ++r)
          for (int64_t h = r * block.heads; h < (r + 1) * block.heads; ++h) score[h] = masked(score[h], added[r]);
    }
  if (!problem_.mask.present() || !problem_.mask.by_head()) return;
  for (int64_t j = 0; j < item.count; ++j)
    for (int64_t lane = 0; lane < block.lanes(); ++lane) {
      const int64_t key = item.key[j] + (item.which[j] ? problem_.segment[0].keys() : 0);
      const float added = problem_.mask.at(block.batch, block.head + lane % block.heads, block.row + lane / block.heads, key);
      float &score = item.scores[j * padded + lane];
      score = masked(score, added);
    }
}

}  // namespace sa::meaning
