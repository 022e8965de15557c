// What the operators with a window of original keys and a segment of compressed keys share: arguments, checks, and which
// key rows a query row meets. The operators differ in formats, in rounding and in which length counts compressed keys.
#pragma once

#include <cmath>

#include "attention/keys.h"

namespace sa {

// Where the number of original tokens behind the compressed keys comes from.
enum class Restored {
  kResidual,            // compressed length * ratio + residual
  kResidualOrOriginal,  // the same when a residual is given, else the original length
  kOriginal,            // the original length, which also gives the compressed length: length / ratio
};

struct MlaArguments {
  const sa_tensor *q, *ori_kv, *cmp_kv, *ori_sparse_indices, *cmp_sparse_indices, *ori_block_table, *cmp_block_table;
  const sa_tensor *cu_seqlens_q, *cu_seqlens_ori_kv, *cu_seqlens_cmp_kv, *seqused_q, *seqused_ori_kv, *seqused_cmp_kv;
  const sa_tensor *cmp_residual_kv, *ori_topk_length, *cmp_topk_length, *sinks, *metadata;
  double softmax_scale;
  int64_t cmp_ratio, ori_mask_mode, cmp_mask_mode, ori_win_left, ori_win_right;
  const char *layout_q, *layout_kv;
  const char *paged_word = "PA_BBND";  // this operator's word for the paged layout
  const char *seqused_ori_name = "seqused_ori_kv";
  Restored restored = Restored::kResidual;
  int64_t row_elements = 512;  // of a stored key row
};

// Tokens low..high-1; none when high <= low.
struct TokenRange {
  int64_t low, high;
};

class MlaProblem {
 public:
  explicit MlaProblem(const MlaArguments &arguments);
  const Queries &queries() const { return queries_; }
  // Appends the key rows of a query row; fails on an index or block id outside its tensor.
  void keys(const QueryRow &row, RowKeys &out) const;
  const float *sinks() const { return sinks_.empty() ? nullptr : sinks_.data(); }

 private:
  struct Lists {
    const sa_tensor *indices, *lengths;
    const char *indices_name, *lengths_name;
  };
  // The visible tokens, or the entries of the list among them.
  void append(const QueryRow &row, const KeyCache &cache, const Lists &lists, TokenRange visible,
              std::vector<KeyAddress> &out) const;
  void append_list(const QueryRow &row, const KeyCache &cache, const Lists &lists, TokenRange visible,
                   std::vector<KeyAddress> &out) const;
  TokenRange window(const QueryRow &row) const;
  TokenRange visible_groups(const QueryRow &row) const;
  void check_masks() const;
  void read_original();
  void read_compressed();

  MlaArguments arguments_;
  Queries queries_;
  KeyCache ori_, cmp_;
  std::vector<int64_t> restored_;
  std::vector<float> sinks_;
};

struct MlaScales {
  float ori_score, cmp_score;          // of a raw product
  float ori_value = 1, cmp_value = 1;  // of a weighted sum
};

// Runs the problem and stores results: out in its own dtype, lse (fp32, natural logarithm, sink included) when not null.
// Rows without a key give 0 in both.
template <class Decoder, class Rounding>
void run_mla(const MlaProblem &problem, const MlaScales &scales, const sa_tensor *out, const sa_tensor *lse,
             int32_t num_threads) {
  const Queries &queries = problem.queries();
  queries.require_result(out, "attn_out", Decoder::kValues);
  if (lse) queries.require_statistics(lse, "softmax_lse");
  AttentionCall call;
  call.rows = &queries.rows();
  call.heads = queries.heads();
  call.sinks = problem.sinks();
  call.score_scale[0] = scales.ori_score, call.score_scale[1] = scales.cmp_score;
  call.value_scale[0] = scales.ori_value, call.value_scale[1] = scales.cmp_value;
  call.keys = [&](const QueryRow &row, RowKeys &keys) { problem.keys(row, keys); };
  call.query = [&](const QueryRow &row, int64_t head, float *to) {
    const sa_tensor &q = queries.tensor();
    read_row(q, queries.offset(q, row) + head * q.stride[q.rank - 2], q.stride[q.rank - 1], Decoder::kWidth, to, SA_HIF8);
  };
  call.store = [&](const QueryRow &row, int64_t head, float *values, float peak, float total) {
    static const float zeros[Decoder::kValues] = {};
    if (values)
      for (int64_t d = 0; d < Decoder::kValues; ++d) values[d] = values[d] / total / Rounding::kGain;
    write_row(*out, queries.offset(*out, row) + head * out->stride[out->rank - 2], out->stride[out->rank - 1],
              Decoder::kValues, values ? values : zeros);
    if (!lse) return;
    const int64_t at = queries.statistics_offset(*lse, row) + head * lse->stride[lse->rank - 1];
    static_cast<float *>(lse->data)[at] = values ? peak + std::log(total + 1e-10f) : 0.0f;
  };
  attend<Decoder, Rounding>(call, num_threads);
}

// bf16 or fp16 throughout: queries, keys, probabilities and result have the type of q.
void run_mla_16bit(const MlaArguments &arguments, const sa_tensor *out, const sa_tensor *lse, int32_t num_threads);

// Arguments of the operators whose keys are paged and whose one length counts original tokens. Their arguments
// ori_sparse_indices, seqused_q, cu_seqlens_ori_kv and cu_seqlens_cmp_kv are reserved and have no effect.
MlaArguments sharedkv_arguments(const sa_tensor *q, const sa_tensor *ori_kv, const sa_tensor *cmp_kv,
                                const sa_tensor *cmp_sparse_indices, const sa_tensor *ori_block_table,
                                const sa_tensor *cmp_block_table, const sa_tensor *cu_seqlens_q, const sa_tensor *seqused_kv,
                                const sa_tensor *sinks, const sa_tensor *metadata, double softmax_scale, int64_t cmp_ratio,
                                int64_t ori_mask_mode, int64_t cmp_mask_mode, int64_t ori_win_left, int64_t ori_win_right,
                                const char *layout_q, const char *layout_kv);

}  // namespace sa
