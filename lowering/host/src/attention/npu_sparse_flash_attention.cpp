// npu_sparse_flash_attention: bf16 or fp16, rotary parts stored apart. Facts: op-plugin, the operator's document.
#include "attention/sparse_flash.h"

namespace sa {
namespace {

struct Results {
  sa_tensor *out, *maximum, *sum;  // the last two null when not wanted
};

void store_statistics(const Queries &queries, const sa_tensor *to, const QueryRow &row, int64_t head, float value) {
  if (to) static_cast<float *>(to->data)[queries.statistics_offset(*to, row) + head * to->stride[to->rank - 1]] = value;
}

template <class T>
void run(const SparseFlashProblem &problem, const sa_tensor &rope, const std::vector<float> &sinks, float scale,
         const Results &results, int32_t num_threads) {
  using Decoder = RopeApartRow<T>;
  const Queries &queries = problem.queries();
  AttentionCall call{
      &queries.rows(), queries.heads(), sinks.empty() ? nullptr : sinks.data(), {scale, scale}, {1, 1}, {}, {}, {}};
  call.keys = [&](const QueryRow &row, RowKeys &to) { problem.keys(row, to); };
  call.query = [&](const QueryRow &row, int64_t head, float *to) {
    const sa_tensor &q = queries.tensor();
    const int last = q.rank - 1;
    read_row(q, queries.offset(q, row) + head * q.stride[last - 1], q.stride[last], 512, to);
    read_row(rope, queries.offset(rope, row) + head * rope.stride[last - 1], rope.stride[last], 64, to + 512);
  };
  call.store = [&](const QueryRow &row, int64_t head, float *values, float peak, float total) {
    static const float zeros[Decoder::kValues] = {};
    const bool only_sink = !values && row.live() && !sinks.empty();
    if (!values)
      peak = only_sink ? sinks[size_t(head)] : -std::numeric_limits<float>::infinity(), total = only_sink ? 1.0f : 0.0f;
    if (values)
      for (int64_t d = 0; d < Decoder::kValues; ++d) values[d] /= total;
    const sa_tensor &out = *results.out;
    write_row(out, queries.offset(out, row) + head * out.stride[out.rank - 2], out.stride[out.rank - 1], Decoder::kValues,
              values ? values : zeros);
    store_statistics(queries, results.maximum, row, head, peak);
    store_statistics(queries, results.sum, row, head, total);
  };
  attend<Decoder, RoundTo<T>>(call, num_threads);
}

}  // namespace
}  // namespace sa

extern "C" int sa_npu_sparse_flash_attention(const sa_tensor *query, const sa_tensor *key, const sa_tensor *value,
                                             const sa_tensor *sparse_indices, double scale_value,
                                             const sa_tensor *block_table, const sa_tensor *actual_seq_lengths_query,
                                             const sa_tensor *actual_seq_lengths_kv, const sa_tensor *query_rope,
                                             const sa_tensor *key_rope, int64_t sparse_block_size, const char *layout_query,
                                             const char *layout_kv, int64_t sparse_mode, int64_t pre_tokens,
                                             int64_t next_tokens, int64_t attention_mode, int64_t return_softmax_lse,
                                             const sa_tensor *sinks, sa_tensor *attention_out, sa_tensor *softmax_max,
                                             sa_tensor *softmax_sum, int32_t num_threads, sa_error *error) {
  using namespace sa;
  return guarded(error, [&] {
    require_dtype(query, "query", {SA_BF16, SA_FP16});
    require_dtype(key, "key", {query->dtype});
    require_dtype(attention_out, "attention_out", {query->dtype});
    SparseFlashProblem problem({query, key, value, sparse_indices, block_table, actual_seq_lengths_query,
                                actual_seq_lengths_kv, scale_value, sparse_block_size, sparse_mode, attention_mode,
                                pre_tokens, next_tokens, layout_query, layout_kv, 512, 512});
    problem.add_key_rope(key_rope);
    const Queries &queries = problem.queries();
    require_dtype(query_rope, "query_rope", {query->dtype});
    queries.require_result(query_rope, "query_rope", 64);
    queries.require_result(attention_out, "attention_out", 512);
    std::vector<float> logits;
    if (sinks) {
      const auto values = view<const float, 1>(sinks, "sinks", {queries.heads()});
      for (int64_t h = 0; h < queries.heads(); ++h) logits.push_back(values(h));
    }
    if (return_softmax_lse) {
      queries.require_statistics(softmax_max, "softmax_max");
      queries.require_statistics(softmax_sum, "softmax_sum");
    }
    const Results results{attention_out, return_softmax_lse ? softmax_max : nullptr,
                          return_softmax_lse ? softmax_sum : nullptr};
    if (query->dtype == SA_BF16)
      run<bf16>(problem, *query_rope, logits, float(scale_value), results, num_threads);
    else
      run<fp16>(problem, *query_rope, logits, float(scale_value), results, num_threads);
  });
}
