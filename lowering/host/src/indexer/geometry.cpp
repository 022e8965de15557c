#include "indexer/geometry.h"

#include <algorithm>

namespace sa {
namespace {

std::string up_to(int64_t high, const char *what) { return "in 0.." + std::to_string(high) + ", " + what; }

// Counts within the slots of their batches, or the slots themselves without a tensor.
std::vector<int64_t> read_used(const sa_tensor *tensor, const char *name, const std::vector<int64_t> &slots, const char *what) {
  if (!tensor) return slots;
  std::vector<int64_t> used = read_ints(tensor, name, int64_t(slots.size()));
  for (size_t b = 0; b < used.size(); ++b)
    if (used[b] < 0 || used[b] > slots[b]) fail_value(name, {int64_t(b)}, used[b], up_to(slots[b], what));
  return used;
}

std::vector<int64_t> differences(const std::vector<int64_t> &sums) {
  std::vector<int64_t> slots;
  for (size_t i = 1; i < sums.size(); ++i) slots.push_back(sums[i] - sums[i - 1]);
  return slots;
}

std::vector<int64_t> read_sums(const sa_tensor *sums, const char *name, int64_t total, int64_t batches, bool leading_zero) {
  if (!sums) fail("tensor %s is missing: the TND layout needs it", name);
  return leading_zero ? read_cu_seqlens(sums, name, total, batches) : read_prefix_lengths(sums, name, total, batches);
}

void require_axes(const sa_tensor *tensor, const char *name, const std::vector<int64_t> &axes,
                  std::initializer_list<int64_t> rest) {
  std::vector<int64_t> wanted = axes;
  wanted.insert(wanted.end(), rest);
  require(tensor, name);
  bool same = tensor->rank == int32_t(wanted.size());
  for (int axis = 0; same && axis < tensor->rank; ++axis) same = wanted[size_t(axis)] == tensor->size[axis];
  if (!same)
    fail("tensor %s has shape %s, must be %s", name, shape_text(tensor->size, tensor->rank).c_str(),
         shape_text(wanted.data(), int64_t(wanted.size())).c_str());
}

}  // namespace

IndexerGeometry::IndexerGeometry(const sa_tensor *query, const sa_tensor *key, const char *layout_query,
                                 const char *layout_key, IndexerLengths lengths, const IndexerNames &names,
                                 int64_t ratio_of_key_lengths) {
  require_word(layout_query, names.layout_query, {"BSND", "TND"});
  require_word(layout_key, names.layout_key, {"BSND", "TND", names.paged});
  packed_ = is_word(layout_query, "TND");
  keys_ = is_word(layout_key, "TND") ? Keys::kPacked : is_word(layout_key, "BSND") ? Keys::kDense : Keys::kPaged;
  if (keys_ != Keys::kPaged && packed_ != (keys_ == Keys::kPacked))
    fail("%s is %s and %s is %s: keys that are not paged must have the layout of the query", names.layout_query,
         layout_query, names.layout_key, layout_key);
  read_queries(query, lengths, names);
  read_keys(key, lengths, names, ratio_of_key_lengths);
}

void IndexerGeometry::read_queries(const sa_tensor *query, const IndexerLengths &lengths, const IndexerNames &names) {
  if (packed_) {
    require_shape(query, names.query, {-1, -1, -1});
    query_start_ = read_sums(lengths.cu_query, names.cu_query, query->size[0], -1, lengths.leading_zero);
    query_slot_ = differences(query_start_);
    query_axes_ = {query->size[0]};
  } else {
    require_shape(query, names.query, {-1, -1, -1, -1});
    if (!lengths.lengths_in_sums) require_absent(lengths.cu_query, names.cu_query, "the query layout is BSND");
    query_slot_.assign(size_t(query->size[0]), query->size[1]);
    query_axes_ = {query->size[0], query->size[1]};
  }
  batches_ = int64_t(query_slot_.size());
  heads_ = query->size[query->rank - 2];
  const bool plain = lengths.lengths_in_sums && !packed_;
  query_used_ = read_used(plain ? lengths.cu_query : lengths.used_query, plain ? names.cu_query : names.used_query,
                          query_slot_, "the rows of that batch");
}

void IndexerGeometry::read_keys(const sa_tensor *key, const IndexerLengths &lengths, const IndexerNames &names,
                                int64_t ratio) {
  if (keys_ == Keys::kPacked)
    require_shape(key, names.key, {-1, 1, -1});
  else
    require_shape(key, names.key, {-1, -1, 1, -1});
  const bool plain = lengths.lengths_in_sums && keys_ != Keys::kPacked;
  const sa_tensor *used = plain ? lengths.cu_key : lengths.used_key;
  const char *used_name = plain ? names.cu_key : names.used_key;
  std::vector<int64_t> slots(size_t(batches_), keys_ == Keys::kDense ? key->size[1] : INT32_MAX);
  if (keys_ == Keys::kPacked) {
    if (ratio != 1) fail("%s is TND: uncompressed prefix sums do not say where compressed keys lie", names.layout_key);
    key_start_ = read_sums(lengths.cu_key, names.cu_key, key->size[0], batches_, lengths.leading_zero);
    slots = differences(key_start_);
    key_axes_ = {key->size[0]};
  } else {
    if (!lengths.lengths_in_sums) require_absent(lengths.cu_key, names.cu_key, "the key layout is not TND");
    key_axes_ = {key->size[0], key->size[1]};
  }
  if (keys_ == Keys::kDense && key->size[0] != batches_)
    fail("tensor %s has %lld batches, must be %lld as the query", names.key, (long long)key->size[0], (long long)batches_);
  if (keys_ == Keys::kPaged && !used) fail("tensor %s is missing: a paged key needs it", used_name);
  for (int64_t &slot : slots) slot = slot > INT64_MAX / ratio - ratio ? INT64_MAX : slot * ratio + (ratio - 1);
  if (!used && ratio != 1)
    for (int64_t &slot : slots) slot -= ratio - 1;
  key_used_ = read_used(used, used_name, slots, "the keys of that batch");
  for (int64_t &length : key_used_) {
    remainder_.push_back(length % ratio);
    length /= ratio;
  }
  if (keys_ == Keys::kPaged)
    blocks_ = BlockTable(lengths.block_table, names.block_table, key_used_, key->size[1], key->size[0]);
  else
    require_absent(lengths.block_table, names.block_table, "the key is not paged");
}

std::vector<IndexerRow> IndexerGeometry::rows(int64_t mask, int64_t ratio, const std::vector<int64_t> &residual) const {
  std::vector<IndexerRow> rows;
  for (int64_t b = 0; b < batches_; ++b) {
    const int64_t length = key_used_[size_t(b)], used = query_used_[size_t(b)];
    const int64_t restored = length * ratio + (residual.empty() ? 0 : residual[size_t(b)]);
    for (int64_t i = 0; i < query_slot_[size_t(b)]; ++i) {
      // Tokens before and including the row; a negative count sees nothing, so truncating division does no harm.
      const int64_t tokens = restored - used + i + 1;
      int64_t visible = mask == 0 ? length : std::min(std::max<int64_t>(tokens, 0) / ratio, length);
      if (i >= used) visible = 0;
      rows.push_back({b, i, packed_ ? query_start_[size_t(b)] + i : 0, visible});
    }
  }
  return rows;
}

void IndexerGeometry::require_row_shape(const sa_tensor *tensor, const char *name, std::initializer_list<int64_t> rest) const {
  require_axes(tensor, name, query_axes_, rest);
}

void IndexerGeometry::require_key_shape(const sa_tensor *tensor, const char *name, std::initializer_list<int64_t> rest) const {
  std::vector<int64_t> axes = key_axes_;
  axes.push_back(1);
  require_axes(tensor, name, axes, rest);
}

int64_t IndexerGeometry::key_offset(const sa_tensor &tensor, int64_t batch, int64_t token) const {
  switch (keys_) {
    case Keys::kDense: return batch * tensor.stride[0] + token * tensor.stride[1];
    case Keys::kPacked: return (key_start_[size_t(batch)] + token) * tensor.stride[0];
    case Keys::kPaged: break;
  }
  return blocks_.block(batch, token) * tensor.stride[0] + blocks_.row(token) * tensor.stride[1];
}

}  // namespace sa
