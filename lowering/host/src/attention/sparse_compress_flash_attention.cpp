// sparse_compress_flash_attention: bf16, flat paged caches, one softmax over the last win_size tokens and the listed groups.
// Facts: the operator's example test in cann-recipes-infer. A row that sees nothing gives 0.
#include "attention/keys.h"
#include "attention/whole_row.h"

namespace sa {
namespace {

constexpr int64_t kBlock = 128, kWidth = 512;

// [blocks * 128, 512] seen as [blocks, 128, 1, 512].
sa_tensor as_blocks(const sa_tensor *flat, const char *name) {
  view<const bf16, 2>(flat, name, {-1, kWidth});
  if (flat->size[0] % kBlock)
    fail("tensor %s has %lld rows, must be a multiple of %lld", name, (long long)flat->size[0], (long long)kBlock);
  sa_tensor blocks = *flat;
  blocks.rank = 4;
  const int64_t size[] = {flat->size[0] / kBlock, kBlock, 1, kWidth};
  const int64_t stride[] = {flat->stride[0] * kBlock, flat->stride[0], flat->stride[0], flat->stride[1]};
  std::copy_n(size, 4, blocks.size);
  std::copy_n(stride, 4, blocks.stride);
  return blocks;
}

// [T*N,512] seen as [T,N,512].
sa_tensor as_rows(const sa_tensor *flat, const char *name, int64_t heads) {
  view<const bf16, 2>(flat, name, {-1, kWidth});
  if (heads < 1 || flat->size[0] % heads)
    fail("tensor %s has %lld rows, must be a multiple of the %lld heads atten_sink_npu has", name, (long long)flat->size[0],
         (long long)heads);
  sa_tensor rows = *flat;
  rows.rank = 3;
  const int64_t size[] = {flat->size[0] / heads, heads, kWidth};
  const int64_t stride[] = {flat->stride[0] * heads, flat->stride[0], flat->stride[1]};
  std::copy_n(size, 3, rows.size);
  std::copy_n(stride, 3, rows.stride);
  return rows;
}

struct Problem {
  const sa_tensor *list;
  int64_t window, ratio;
  std::vector<int64_t> lengths, groups;
  KeyCache ori, cmp;

  void keys(const QueryRow &row, RowKeys &to) const {
    const int64_t length = lengths[size_t(row.batch)], group_count = groups[size_t(row.batch)];
    const int64_t seen = std::max<int64_t>(row.position(length), 0);
    for (int64_t token = std::max<int64_t>(seen - window, 0); token < seen; ++token)
      to.segment[0].push_back({ori.row(row.batch, token), nullptr});
    const int64_t count = std::min(std::max<int64_t>(row.position(length / ratio), 0), list->size[1]);
    for (int64_t k = 0; k < count; ++k) {
      const int64_t id = read_int(*list, row.flat * list->stride[0] + k * list->stride[1]);
      if (id < 0 || id >= group_count)
        fail_value("cmp_sparse_indices_npu", {row.flat, k}, id,
                   "in 0.." + std::to_string(group_count - 1) + ": row " + std::to_string(row.flat) + " uses " +
                       std::to_string(count) + " entries");
      to.segment[1].push_back({cmp.row(row.batch, id), nullptr});
    }
  }
};

}  // namespace
}  // namespace sa

extern "C" int sa_sparse_compress_flash_attention(const sa_tensor *query, const sa_tensor *q_act_seqs,
                                                  const sa_tensor *ori_kv, const sa_tensor *cmp_kv,
                                                  const sa_tensor *ori_block_table, const sa_tensor *cmp_block_table,
                                                  const sa_tensor *atten_sink, const sa_tensor *seqused_kv,
                                                  const sa_tensor *cmp_sparse_indices, double softmax_scale,
                                                  int64_t win_size, int64_t cmp_ratio, sa_tensor *out, int32_t num_threads,
                                                  sa_error *error) {
  using namespace sa;
  return guarded(error, [&] {
    const auto sinks = view<const float, 1>(atten_sink, "atten_sink_npu");
    const int64_t heads = sinks.size[0];
    require_range(win_size, "win_size", 0, INT32_MAX);
    require_range(cmp_ratio, "cmp_ratio", 1, 128);
    if (!std::isfinite(softmax_scale)) fail("softmax_scale is not finite, must be a number such as 512 ** -0.5");
    const sa_tensor q = as_rows(query, "query_npu", heads), result = as_rows(out, "attention_out", heads);
    if (result.size[0] != q.size[0])
      fail("attention_out has %lld rows, must be %lld like query_npu", (long long)out->size[0], (long long)query->size[0]);
    const auto starts = read_cu_seqlens(q_act_seqs, "q_act_seqs_npu", q.size[0]);
    Queries queries(&q, "query_npu", kWidth, starts, nullptr, "");
    require_dtype(cmp_sparse_indices, "cmp_sparse_indices_npu", {SA_INT32});
    require_shape(cmp_sparse_indices, "cmp_sparse_indices_npu", {q.size[0], -1});
    const CacheNames ori_names = {"ori_kv_npu", "ori_block_table_npu", "", "seqused_kv_npu"};
    const CacheNames cmp_names = {"cmp_kv_npu", "cmp_block_table_npu", "", "seqused_kv_npu"};
    const sa_tensor ori = as_blocks(ori_kv, ori_names.data), cmp = as_blocks(cmp_kv, cmp_names.data);
    const int64_t batches = queries.batches();
    const auto lengths =
        cache_lengths(&ori, CacheLayout::kPaged, ori_block_table, {}, seqused_kv, batches, ori_names, false);
    auto groups = cache_lengths(&cmp, CacheLayout::kPaged, cmp_block_table, {}, nullptr, batches, cmp_names, true);
    for (size_t b = 0; b < groups.size(); ++b) groups[b] = std::min(groups[b], lengths[b] / cmp_ratio);
    require_cache(&ori, CacheLayout::kPaged, batches, kWidth, ori_names.data);
    require_cache(&cmp, CacheLayout::kPaged, batches, kWidth, cmp_names.data);
    const Problem problem{cmp_sparse_indices,
                          win_size,
                          cmp_ratio,
                          lengths,
                          groups,
                          KeyCache(&ori, CacheLayout::kPaged, ori_block_table, {}, lengths, ori_names),
                          KeyCache(&cmp, CacheLayout::kPaged, cmp_block_table, {}, groups, cmp_names)};
    std::vector<float> logits;
    for (int64_t h = 0; h < heads; ++h) logits.push_back(sinks(h));

    AttentionCall call{
        &queries.rows(), heads, logits.data(), {float(softmax_scale), float(softmax_scale)}, {1, 1}, {}, {}, {}};
    call.keys = [&](const QueryRow &row, RowKeys &to) { problem.keys(row, to); };
    call.query = [&](const QueryRow &row, int64_t head, float *to) {
      read_row(q, row.flat * q.stride[0] + head * q.stride[1], q.stride[2], kWidth, to);
    };
    call.store = [&](const QueryRow &row, int64_t head, float *values, float, float) {
      static const float zeros[kWidth] = {};
      write_row(result, row.flat * result.stride[0] + head * result.stride[1], result.stride[2], kWidth,
                values ? values : zeros);
    };
    for_each_row(call, num_threads, attend_heads_whole<PlainRow<bf16>, RoundTo<bf16>>);
  });
}
