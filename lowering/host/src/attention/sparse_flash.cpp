#include "attention/sparse_flash.h"

#include <cstring>

namespace sa {
namespace {

const char *kLengthsName = "actual_seq_lengths_kv";
constexpr int64_t kNoLimit = INT64_MAX;

std::vector<int64_t> starts_of_queries(const SparseFlashArguments &a) {
  return query_starts(a.query, a.layout_query, "layout_query", a.actual_seq_lengths_query, "actual_seq_lengths_query",
                      false);
}

void check_attributes(const SparseFlashArguments &a) {
  require_choice(a.attention_mode, "attention_mode", {2});
  require_choice(a.sparse_mode, "sparse_mode", {0, 3});
  require_range(a.sparse_block_size, "sparse_block_size", 1, 128);
  if (a.sparse_block_size & (a.sparse_block_size - 1))
    fail("sparse_block_size is %lld, must be a power of two", static_cast<long long>(a.sparse_block_size));
  require_choice(a.pre_tokens, "pre_tokens", {kNoLimit});
  require_choice(a.next_tokens, "next_tokens", {kNoLimit});
  if (!std::isfinite(a.scale_value)) fail("scale_value is not finite, must be a number such as 576 ** -0.5");
}

}  // namespace

SparseFlashProblem::SparseFlashProblem(const SparseFlashArguments &arguments)
    : arguments_(arguments),
      queries_(arguments.query, "query", arguments.query_width, starts_of_queries(arguments),
               is_word(arguments.layout_query, "BSND") ? arguments.actual_seq_lengths_query : nullptr,
               "actual_seq_lengths_query"),
      layout_(cache_layout(arguments.layout_kv, "layout_kv", "PA_BSND")) {
  const SparseFlashArguments &a = arguments_;
  check_attributes(a);
  if (layout_ != CacheLayout::kPaged && !is_word(a.layout_kv, a.layout_query))
    fail("layout_kv is %s, must be %s or PA_BSND when layout_query is %s", a.layout_kv, a.layout_query, a.layout_query);
  queries_.require_lists(a.sparse_indices, "sparse_indices");
  const int64_t batches = queries_.batches();
  require_cache(a.key, layout_, batches, a.key_elements, "key");
  const bool packed = layout_ == CacheLayout::kPacked;
  if (packed) starts_ = read_prefix_lengths(a.actual_seq_lengths_kv, kLengthsName, a.key->size[0], batches);
  const CacheNames names = {"key", "block_table", kLengthsName, kLengthsName};
  lengths_ = cache_lengths(a.key, layout_, a.block_table, starts_, packed ? nullptr : a.actual_seq_lengths_kv, batches,
                           names, false);
  key_ = cache(a.key, a.key_elements, "key");
  require_dtype(a.value, "value", {a.key->dtype});
  if (a.value->data != a.key->data) value_ = cache(a.value, a.key_elements, "value");
}

KeyCache SparseFlashProblem::cache(const sa_tensor *data, int64_t elements, const char *name) const {
  const sa_tensor &key = *arguments_.key;
  require_cache(data, layout_, queries_.batches(), elements, name);
  for (int axis = 0; axis + 1 < key.rank; ++axis)
    if (data->size[axis] != key.size[axis])
      fail("tensor %s has size %lld at axis %d, must be %lld like key", name, static_cast<long long>(data->size[axis]), axis,
           static_cast<long long>(key.size[axis]));
  return KeyCache(data, layout_, arguments_.block_table, starts_, lengths_,
                  {name, "block_table", kLengthsName, kLengthsName});
}

void SparseFlashProblem::add_key_rope(const sa_tensor *key_rope) {
  require_dtype(key_rope, "key_rope", {arguments_.key->dtype});
  rope_ = cache(key_rope, 64, "key_rope");
}

void SparseFlashProblem::append(const QueryRow &row, int64_t token, std::vector<KeyAddress> &out) const {
  const KeyAddress address{key_.row(row.batch, token), rope_.present() ? rope_.row(row.batch, token) : nullptr};
  const size_t bytes = size_t(arguments_.key_elements * dtype_bytes(arguments_.key->dtype));
  if (value_.present() && std::memcmp(address.row, value_.row(row.batch, token), bytes) != 0)
    fail("tensor value differs from key at token %lld of batch %lld, must hold the same data: attention_mode 2 shares it",
         static_cast<long long>(token), static_cast<long long>(row.batch));
  out.push_back(address);
}

void SparseFlashProblem::keys(const QueryRow &row, RowKeys &out) const {
  const SparseFlashArguments &a = arguments_;
  const int64_t length = lengths_[size_t(row.batch)], size = a.sparse_block_size, blocks = (length + size - 1) / size;
  const int64_t visible = a.sparse_mode == 3 ? std::min(length, row.position(length)) : length;
  const int last = a.sparse_indices->rank - 1;
  const int64_t base = queries_.offset(*a.sparse_indices, row);
  for (int64_t k = 0; k < a.sparse_indices->size[last]; ++k) {
    const int64_t id = read_int(*a.sparse_indices, base + k * a.sparse_indices->stride[last]);
    if (id == -1) return;
    if (id < 0 || id >= blocks)
      fail_value("sparse_indices", queries_.place(row, {0, k}), id,
                 "-1 or in 0.." + std::to_string(blocks - 1) + ", the blocks of batch " + std::to_string(row.batch));
    for (int64_t token = id * size; token < std::min((id + 1) * size, visible); ++token) append(row, token, out.segment[0]);
  }
}

}  // namespace sa
