#include "meaning/segments.h"

#include <algorithm>

namespace sa::meaning {
namespace {

void require_floats(const sa_tensor *tensor, const char *name, std::initializer_list<int64_t> size) {
  require_dtype(tensor, name, {SA_FP32, SA_BF16, SA_FP16});
  require_shape(tensor, name, size);
}

int64_t floor_divide(int64_t value, int64_t by) { return value >= 0 ? value / by : -((-value + by - 1) / by); }

int64_t original_keys(const AttentionArguments &arguments) {
  if (!arguments.ori_kv) return 0;
  require_shape(arguments.ori_kv, "ori_kv", {-1, -1, -1, -1});
  return arguments.ori_kv->size[1];
}

const sa_tensor &checked_query(const sa_tensor *query) {
  require_floats(query, "query", {-1, -1, -1, -1});
  return *query;
}

int64_t value_width_of(const AttentionArguments &arguments) {
  if (arguments.ori_value) {
    require_floats(arguments.ori_value, "ori_value", {-1, -1, -1, -1});
    return arguments.ori_value->size[3];
  }
  return arguments.value_width < 0 ? arguments.query->size[3] : arguments.value_width;
}

}  // namespace

Segment::Segment(const sa_tensor *keys, const char *name, const sa_tensor *values, const sa_tensor *lists,
                 const char *lists_name, int64_t batches, int64_t rows)
    : key_(*keys) {
  if (values) {
    if (values->size[0] != batches || values->size[1] != key_.size[1] || values->size[2] != key_.size[2])
      fail("tensor ori_value has shape %s, must have the leading sizes of %s %s", shape_text(values->size, 4).c_str(), name,
           shape_text(key_.size, 4).c_str());
    value_ = *values;
  }
  if (!lists) return;
  require_dtype(lists, lists_name, {SA_INT32, SA_INT64});
  require_rows(lists, lists_name, batches, rows, 3);
  check_entries(lists, lists_name, INT64_MIN, key_.size[1]);
  list_ = *lists;
  list_batch_ = lists->size[0] == 1 ? 0 : lists->stride[0];
}

void Segment::read_key(const Tiles &tiles, int64_t batch, int64_t key, int64_t group, int64_t width, float *to) const {
  read_floats(tiles, key_, batch * key_.stride[0] + key * key_.stride[1] + group * key_.stride[2], key_.stride[3], width, to);
}

void Segment::read_value(const Tiles &tiles, int64_t batch, int64_t key, int64_t group, int64_t width, float *to) const {
  if (!has_values()) return read_key(tiles, batch, key, group, width, to);
  const int64_t offset = batch * value_.stride[0] + key * value_.stride[1] + group * value_.stride[2];
  read_floats(tiles, value_, offset, value_.stride[3], width, to);
}

Interval Segment::interval(int64_t count) const {
  Interval shown{0, keys()};
  if (shown_ == Shown::kPrefix) shown.end = floor_divide(count, ratio_);
  if (shown_ == Shown::kBand && left_ >= 0) shown.first = count - 1 - left_;
  if (shown_ == Shown::kBand && right_ >= 0) shown.end = count + right_;
  return {std::clamp<int64_t>(shown.first, 0, keys()), std::clamp<int64_t>(shown.end, 0, keys())};
}

AttentionProblem::AttentionProblem(const AttentionArguments &a)
    : batches(checked_query(a.query).size[0]), rows(a.query->size[1]), heads(a.query->size[2]), width(a.query->size[3]),
      groups(0), value_width(value_width_of(a)), query(*a.query),
      mask(a.mask, {batches, heads, rows, original_keys(a) + (a.cmp_kv ? a.cmp_kv->size[1] : 0)}), scale(float(a.scale)),
      counts_(a.visible, "visible", batches, rows, original_keys(a)),
      compressed_counts_(a.cmp_visible, "cmp_visible", batches, rows, 0), counted_apart_(a.cmp_visible != nullptr) {
  require_one_of(a.ori_mask, "ori_mask", {"none", "causal", "band"});
  require_one_of(a.cmp_mask, "cmp_mask", {"none", "prefix"});
  require_one_of(a.empty_rows, "empty_rows", {"zero", "mean", "nan"});
  empty_rows = is_word(a.empty_rows, "zero") ? EmptyRows::kZero : is_word(a.empty_rows, "mean") ? EmptyRows::kMean : EmptyRows::kNan;
  if (!a.ori_kv && !a.cmp_kv) fail("ori_kv and cmp_kv are both absent, one has to be given");
  if (a.cmp_ratio < 1) fail("cmp_ratio is %lld, must be at least 1", static_cast<long long>(a.cmp_ratio));
  groups = (a.ori_kv ? a.ori_kv : a.cmp_kv)->size[2];
  if (groups < 1 || heads % groups)
    fail("query has %lld heads, must be a multiple of the %lld key heads", static_cast<long long>(heads), static_cast<long long>(groups));
  const bool from_rows = !a.ori_value || a.cmp_kv;
  if (from_rows && (value_width < 1 || value_width > width))
    fail("values are %lld wide, must fit in key rows of %lld", static_cast<long long>(value_width), static_cast<long long>(width));
  if (a.ori_kv) {
    require_floats(a.ori_kv, "ori_kv", {batches, -1, groups, width});
    segment[0] = Segment(a.ori_kv, "ori_kv", a.ori_value, a.ori_indices, "ori_indices", batches, rows);
    if (is_word(a.ori_mask, "causal")) segment[0].show_prefix(1);
    if (is_word(a.ori_mask, "band")) segment[0].show_band(a.ori_left, a.ori_right);
  }
  if (a.cmp_kv) {
    require_floats(a.cmp_kv, "cmp_kv", {batches, -1, groups, width});
    segment[1] = Segment(a.cmp_kv, "cmp_kv", nullptr, a.cmp_indices, "cmp_indices", batches, rows);
    if (is_word(a.cmp_mask, "prefix")) segment[1].show_prefix(counted_apart_ ? 1 : a.cmp_ratio);
  }
  if (a.sinks) {
    require_floats(a.sinks, "sinks", {heads});
    sinks.resize(size_t(heads));
    read_row(*a.sinks, 0, a.sinks->stride[0], heads, sinks.data());
  }
}

Interval AttentionProblem::interval(int which, int64_t batch, int64_t row) const {
  const bool apart = which == 1 && counted_apart_;
  return segment[which].interval(apart ? compressed_counts_.of(batch, row) : counts_.of(batch, row));
}

}  // namespace sa::meaning
