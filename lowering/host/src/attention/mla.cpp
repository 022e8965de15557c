#include "attention/mla.h"

namespace sa {
namespace {

const CacheNames kCompressedNames = {"cmp_kv", "cmp_block_table", "cu_seqlens_cmp_kv", "seqused_cmp_kv"};

void require_metadata(const sa_tensor *metadata) {
  if (!metadata) return;
  require_dtype(metadata, "metadata", {SA_INT32});
  require_shape(metadata, "metadata", {1024});
}

}  // namespace

MlaProblem::MlaProblem(const MlaArguments &arguments)
    : arguments_(arguments),
      queries_(arguments.q, "q", 512,
               query_starts(arguments.q, arguments.layout_q, "layout_q", arguments.cu_seqlens_q, "cu_seqlens_q"),
               arguments.seqused_q, "seqused_q") {
  check_masks();
  require_metadata(arguments_.metadata);
  if (arguments_.sinks) {
    const auto sinks = view<const float, 1>(arguments_.sinks, "sinks", {queries_.heads()});
    for (int64_t h = 0; h < queries_.heads(); ++h) sinks_.push_back(sinks(h));
  }
  read_original();
  read_compressed();
}

void MlaProblem::check_masks() const {
  const MlaArguments &a = arguments_;
  if (!std::isfinite(a.softmax_scale)) fail("softmax_scale is not finite, must be a number such as 512 ** -0.5");
  require_choice(a.ori_mask_mode, "ori_mask_mode", {0, 3, 4});
  if (a.cmp_kv) require_choice(a.cmp_mask_mode, "cmp_mask_mode", {0, 3});
  if (a.ori_win_left < -1) fail("ori_win_left is %lld, must be >= -1", static_cast<long long>(a.ori_win_left));
  if (a.ori_win_right < -1) fail("ori_win_right is %lld, must be >= -1", static_cast<long long>(a.ori_win_right));
  if (a.ori_mask_mode != 4 && (a.ori_win_left != -1 || a.ori_win_right != -1))
    fail("ori_win_left and ori_win_right are %lld and %lld, must be -1 when ori_mask_mode is %lld: only mask 4 has a window",
         (long long)a.ori_win_left, (long long)a.ori_win_right, (long long)a.ori_mask_mode);
  if (a.ori_sparse_indices && a.ori_mask_mode == 0 && !a.ori_topk_length)
    fail("tensor ori_topk_length is missing: ori_sparse_indices with ori_mask_mode 0 needs it");
  if (a.cmp_kv && a.cmp_sparse_indices && a.cmp_mask_mode == 0 && !a.cmp_topk_length)
    fail("tensor cmp_topk_length is missing: cmp_sparse_indices with cmp_mask_mode 0 needs it");
}

void MlaProblem::read_original() {
  const MlaArguments &a = arguments_;
  const CacheNames names = {"ori_kv", "ori_block_table", "cu_seqlens_ori_kv", a.seqused_ori_name};
  const CacheLayout layout = cache_layout(a.layout_kv, "layout_kv", a.paged_word);
  if (layout != CacheLayout::kPaged && !is_word(a.layout_kv, a.layout_q))
    fail("layout_kv is %s, must be %s or %s when layout_q is %s", a.layout_kv, a.layout_q, a.paged_word, a.layout_q);
  require_cache(a.ori_kv, layout, queries_.batches(), a.row_elements, names.data);
  const auto starts = cache_starts(a.ori_kv, layout, a.cu_seqlens_ori_kv, queries_.batches(), names);
  const auto lengths = cache_lengths(a.ori_kv, layout, a.ori_block_table, starts, a.seqused_ori_kv, queries_.batches(),
                                     names, a.ori_topk_length != nullptr);
  ori_ = KeyCache(a.ori_kv, layout, a.ori_block_table, starts, lengths, names);
  if (a.ori_sparse_indices) queries_.require_lists(a.ori_sparse_indices, "ori_sparse_indices");
  if (a.ori_topk_length) queries_.require_counts(a.ori_topk_length, "ori_topk_length");
}

void MlaProblem::read_compressed() {
  const MlaArguments &a = arguments_;
  if (!a.cmp_kv) return;  // what else is given about compressed keys has no meaning then
  const int64_t batches = queries_.batches();
  const CacheLayout layout = cache_layout(a.layout_kv, "layout_kv", a.paged_word);
  require_range(a.cmp_ratio, "cmp_ratio", 1, 128);
  require_cache(a.cmp_kv, layout, batches, a.row_elements, "cmp_kv");
  const auto starts = cache_starts(a.cmp_kv, layout, a.cu_seqlens_cmp_kv, batches, kCompressedNames);
  const bool derived = a.restored == Restored::kOriginal;
  const bool table_bounds = derived || (a.cmp_mask_mode == 0 && a.cmp_topk_length);
  auto lengths =
      cache_lengths(a.cmp_kv, layout, a.cmp_block_table, starts, a.seqused_cmp_kv, batches, kCompressedNames, table_bounds);
  std::vector<int64_t> residual(static_cast<size_t>(batches), 0);
  if (a.cmp_residual_kv)
    residual = read_bounded(a.cmp_residual_kv, "cmp_residual_kv", batches, 0, a.cmp_ratio - 1);
  else if (a.restored == Restored::kResidual && a.cmp_mask_mode == 3 && a.cmp_ratio != 1)
    fail("tensor cmp_residual_kv is missing: cmp_mask_mode 3 with cmp_ratio %lld needs it",
         static_cast<long long>(a.cmp_ratio));
  for (int64_t batch = 0; batch < batches; ++batch) {
    int64_t &length = lengths[size_t(batch)];
    const int64_t original = ori_.length(batch);
    if (derived) {
      if (original / a.cmp_ratio > length)
        fail_value(a.seqused_ori_name, {batch}, original,
                   "below " + std::to_string((length + 1) * a.cmp_ratio) + ", as the " + std::to_string(length) +
                       " rows cmp_block_table names cover");
      length = original / a.cmp_ratio;
    }
    const bool from_original = derived || (a.restored == Restored::kResidualOrOriginal && !a.cmp_residual_kv);
    restored_.push_back(from_original ? original : length * a.cmp_ratio + residual[size_t(batch)]);
  }
  cmp_ = KeyCache(a.cmp_kv, layout, a.cmp_block_table, starts, lengths, kCompressedNames);
  if (a.cmp_sparse_indices) queries_.require_lists(a.cmp_sparse_indices, "cmp_sparse_indices");
  if (a.cmp_topk_length) queries_.require_counts(a.cmp_topk_length, "cmp_topk_length");
}

void MlaProblem::append_list(const QueryRow &row, const KeyCache &cache, const Lists &lists, TokenRange visible,
                             std::vector<KeyAddress> &out) const {
  const sa_tensor &indices = *lists.indices;
  const int last = indices.rank - 1;
  int64_t limit = indices.size[last];
  if (lists.lengths) {
    const int64_t count = read_int(*lists.lengths, queries_.offset(*lists.lengths, row));
    if (count < 0 || count > limit)
      fail_value(lists.lengths_name, queries_.place(row, {0}), count,
                 "in 0.." + std::to_string(limit) + ", the width of " + lists.indices_name);
    limit = count;
  }
  const int64_t base = queries_.offset(indices, row);
  for (int64_t k = 0; k < std::min(limit, visible.high); ++k) {
    const int64_t id = read_int(indices, base + k * indices.stride[last]);
    if (id == -1) return;
    if (id < 0 || id >= cache.length(row.batch))
      fail_value(
          lists.indices_name, queries_.place(row, {0, k}), id,
          "-1 or in 0.." + std::to_string(cache.length(row.batch) - 1) + ", the keys of batch " + std::to_string(row.batch));
    if (id >= visible.low && id < visible.high) out.push_back({cache.row(row.batch, id), nullptr});
  }
}

TokenRange MlaProblem::window(const QueryRow &row) const {
  const MlaArguments &a = arguments_;
  const int64_t length = ori_.length(row.batch), position = row.position(length);
  TokenRange seen{0, length};
  if (a.ori_mask_mode == 3) seen.high = position;
  if (a.ori_mask_mode == 4 && a.ori_win_left >= 0)
    seen.low = std::max<int64_t>(position - 1 - std::min(a.ori_win_left, length), 0);
  if (a.ori_mask_mode == 4 && a.ori_win_right >= 0) seen.high = position + std::min(a.ori_win_right, length + row.used);
  seen.high = std::min(seen.high, length);
  return seen;
}

TokenRange MlaProblem::visible_groups(const QueryRow &row) const {
  const int64_t length = cmp_.length(row.batch);
  if (arguments_.cmp_mask_mode == 0) return {0, length};
  const int64_t position = row.position(restored_[size_t(row.batch)]);
  return {0, position <= 0 ? 0 : std::min(position / arguments_.cmp_ratio, length)};
}

void MlaProblem::keys(const QueryRow &row, RowKeys &out) const {
  const MlaArguments &a = arguments_;
  append(row, ori_, {a.ori_sparse_indices, a.ori_topk_length, "ori_sparse_indices", "ori_topk_length"}, window(row),
         out.segment[0]);
  if (a.cmp_kv)
    append(row, cmp_, {a.cmp_sparse_indices, a.cmp_topk_length, "cmp_sparse_indices", "cmp_topk_length"},
           visible_groups(row), out.segment[1]);
}

void MlaProblem::append(const QueryRow &row, const KeyCache &cache, const Lists &lists, TokenRange visible,
                        std::vector<KeyAddress> &out) const {
  if (lists.indices) return append_list(row, cache, lists, visible, out);
  for (int64_t token = visible.low; token < visible.high; ++token) out.push_back({cache.row(row.batch, token), nullptr});
}

}  // namespace sa
