// The problem of one attention call: its sizes, its two segments of keys, and which keys a query row may attend to.
#pragma once

#include <vector>

#include "meaning/visibility.h"

namespace sa::meaning {

struct AttentionArguments {
  const sa_tensor *query, *ori_kv, *ori_value, *cmp_kv, *ori_indices, *cmp_indices, *sinks, *visible, *cmp_visible, *mask;
  double scale;
  int64_t value_width;
  const char *ori_mask;
  int64_t ori_left, ori_right;
  const char *cmp_mask;
  int64_t cmp_ratio;
  const char *empty_rows;
};

struct Interval {
  int64_t first, end;
};

// Keys [B, T, G, D] with their values, an optional list per row, and the interval a row sees.
class Segment {
 public:
  enum class Shown { kAll, kBand, kPrefix };

  Segment() = default;
  Segment(const sa_tensor *keys, const char *name, const sa_tensor *values, const sa_tensor *lists, const char *lists_name,
          int64_t batches, int64_t rows);

  int64_t keys() const { return key_.rank ? key_.size[1] : 0; }
  bool listed() const { return list_.rank != 0; }
  // Entries of a list, or keys: what an item walks through.
  int64_t slots() const { return listed() ? list_.size[2] : keys(); }
  int64_t entry(int64_t batch, int64_t row, int64_t slot) const {
    return read_int(list_, batch * list_batch_ + row * list_.stride[1] + slot * list_.stride[2]);
  }
  bool has_values() const { return value_.rank != 0; }
  void read_key(const Tiles &tiles, int64_t batch, int64_t key, int64_t group, int64_t width, float *to) const;
  void read_value(const Tiles &tiles, int64_t batch, int64_t key, int64_t group, int64_t width, float *to) const;
  // Where rows lie as they are stored; only when dense_rows(): the elements of each are neighbours.
  bool dense_rows() const { return is_dense(key_) && is_dense(value_); }
  const void *key_row(int64_t batch, int64_t key, int64_t group) const { return row_of(key_, batch, key, group); }
  const void *value_row(int64_t batch, int64_t key, int64_t group) const { return row_of(has_values() ? value_ : key_, batch, key, group); }
  int32_t key_dtype() const { return key_.dtype; }
  int32_t value_dtype() const { return has_values() ? value_.dtype : key_.dtype; }

  // A band reaches `left` keys before a row's own (the last of its count) and `right` after it, -1 is open.
  void show_band(int64_t left, int64_t right) { shown_ = Shown::kBand, left_ = left, right_ = right; }
  // A prefix is of the row's count, divided by `ratio` and rounded down.
  void show_prefix(int64_t ratio) { shown_ = Shown::kPrefix, ratio_ = ratio; }
  Interval interval(int64_t count) const;

 private:
  static bool is_dense(const sa_tensor &tensor) { return tensor.rank == 0 || tensor.stride[3] == 1 || tensor.size[3] == 1; }
  static const void *row_of(const sa_tensor &tensor, int64_t batch, int64_t key, int64_t group) {
    const int64_t offset = batch * tensor.stride[0] + key * tensor.stride[1] + group * tensor.stride[2];
    return static_cast<const char *>(tensor.data) + offset * dtype_bytes(tensor.dtype);
  }

  sa_tensor key_ = {}, value_ = {}, list_ = {};
  int64_t list_batch_ = 0, left_ = -1, right_ = -1, ratio_ = 1;
  Shown shown_ = Shown::kAll;
};

enum class EmptyRows { kZero, kMean, kNan };

class AttentionProblem {
 public:
  explicit AttentionProblem(const AttentionArguments &arguments);

  int64_t batches, rows, heads, width, groups, value_width;
  sa_tensor query;
  Segment segment[2];  // original and compressed keys
  Mask mask;           // over the keys of both
  std::vector<float> sinks;
  EmptyRows empty_rows;
  float scale;

  int64_t heads_per_group() const { return heads / groups; }
  int64_t keys() const { return segment[0].keys() + segment[1].keys(); }
  int64_t slots() const { return segment[0].slots() + segment[1].slots(); }
  bool listed() const { return segment[0].listed() || segment[1].listed(); }
  Interval interval(int which, int64_t batch, int64_t row) const;

 private:
  VisibleCounts counts_, compressed_counts_;
  bool counted_apart_;
};

}  // namespace sa::meaning
