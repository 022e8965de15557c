// npu_kv_quant_sparse_flash_attention: bf16 or fp16 queries of 576, key rows of 656 packed bytes (int8, e4m3 or HIFLOAT8).
// Facts: op-plugin, the operator's document.
#include "attention/sparse_flash.h"

namespace sa {
namespace {

template <class Element, class T>
void run(const SparseFlashProblem &problem, float scale, const sa_tensor &out, int32_t num_threads) {
  using Decoder = PackedRow656<Element, T>;
  const Queries &queries = problem.queries();
  AttentionCall call{&queries.rows(), queries.heads(), nullptr, {scale, scale}, {1, 1}, {}, {}, {}};
  call.keys = [&](const QueryRow &row, RowKeys &to) { problem.keys(row, to); };
  call.query = [&](const QueryRow &row, int64_t head, float *to) {
    const sa_tensor &q = queries.tensor();
    read_row(q, queries.offset(q, row) + head * q.stride[q.rank - 2], q.stride[q.rank - 1], Decoder::kWidth, to);
  };
  call.store = [&](const QueryRow &row, int64_t head, float *values, float, float total) {
    static const float zeros[Decoder::kValues] = {};
    if (values)
      for (int64_t d = 0; d < Decoder::kValues; ++d) values[d] /= total;
    write_row(out, queries.offset(out, row) + head * out.stride[out.rank - 2], out.stride[out.rank - 1], Decoder::kValues,
              values ? values : zeros);
  };
  attend<Decoder, RoundTo<T>>(call, num_threads);
}

template <class T>
void run_keys(int32_t key_dtype, const SparseFlashProblem &problem, float scale, const sa_tensor &out, int32_t num_threads) {
  if (key_dtype == SA_INT8)
    run<int8_t, T>(problem, scale, out, num_threads);
  else if (key_dtype == SA_HIF8)
    run<hif8, T>(problem, scale, out, num_threads);
  else
    run<e4m3, T>(problem, scale, out, num_threads);
}

}  // namespace
}  // namespace sa

extern "C" int sa_npu_kv_quant_sparse_flash_attention(
    const sa_tensor *query, const sa_tensor *key, const sa_tensor *value, const sa_tensor *sparse_indices,
    double scale_value, int64_t key_quant_mode, int64_t value_quant_mode, const sa_tensor *key_dequant_scale,
    const sa_tensor *value_dequant_scale, const sa_tensor *block_table, const sa_tensor *actual_seq_lengths_query,
    const sa_tensor *actual_seq_lengths_kv, int64_t sparse_block_size, const char *layout_query, const char *layout_kv,
    int64_t sparse_mode, int64_t pre_tokens, int64_t next_tokens, int64_t attention_mode, int64_t quant_scale_repo_mode,
    int64_t tile_size, int64_t rope_head_dim, int64_t key_dtype, int64_t value_dtype, sa_tensor *attention_out,
    int32_t num_threads, sa_error *error) {
  using namespace sa;
  return guarded(error, [&] {
    require_choice(key_quant_mode, "key_quant_mode", {2});
    require_choice(value_quant_mode, "value_quant_mode", {2});
    require_choice(quant_scale_repo_mode, "quant_scale_repo_mode", {1});
    require_choice(tile_size, "tile_size", {128});
    require_choice(rope_head_dim, "rope_head_dim", {64});
    require_absent(key_dequant_scale, "key_dequant_scale", "quant_scale_repo_mode is 1: key rows hold their scales");
    require_absent(value_dequant_scale, "value_dequant_scale", "quant_scale_repo_mode is 1: key rows hold their scales");
    require_dtype(query, "query", {SA_BF16, SA_FP16});
    require_dtype(key, "key", {SA_INT8, SA_FP8_E4M3, SA_HIF8, SA_UINT8});
    const int32_t elements = key->dtype == SA_UINT8 ? SA_HIF8 : key->dtype;
    if (key->dtype == SA_UINT8 && (key_dtype == SA_NONE || key_dtype != value_dtype))
      fail("tensor key is uint8: key_dtype and value_dtype must both say that its bytes are HIFLOAT8");
    require_dtype(attention_out, "attention_out", {query->dtype});
    const SparseFlashProblem problem({query, key, value, sparse_indices, block_table, actual_seq_lengths_query,
                                      actual_seq_lengths_kv, scale_value, sparse_block_size, sparse_mode, attention_mode,
                                      pre_tokens, next_tokens, layout_query, layout_kv, 576, 656});
    problem.queries().require_result(attention_out, "attention_out", 512);
    if (query->dtype == SA_BF16)
      run_keys<bf16>(elements, problem, float(scale_value), *attention_out, num_threads);
    else
      run_keys<fp16>(elements, problem, float(scale_value), *attention_out, num_threads);
  });
}
