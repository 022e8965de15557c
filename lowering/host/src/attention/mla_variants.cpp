// The two families of operators that share more than MlaProblem: all-16-bit ones, and those with one uncompressed length.
#include "attention/mla.h"

namespace sa {
namespace {

template <class T>
void run_as(const MlaArguments &arguments, const sa_tensor *out, const sa_tensor *lse, int32_t num_threads) {
  constexpr int32_t dtype = dtype_of<T>::value;
  require_dtype(arguments.ori_kv, "ori_kv", {dtype});
  if (arguments.cmp_kv) require_dtype(arguments.cmp_kv, "cmp_kv", {dtype});
  require_dtype(out, "attn_out", {dtype});
  const float scale = float(arguments.softmax_scale);
  run_mla<PlainRow<T>, RoundTo<T>>(MlaProblem(arguments), {scale, scale}, out, lse, num_threads);
}

}  // namespace

void run_mla_16bit(const MlaArguments &arguments, const sa_tensor *out, const sa_tensor *lse, int32_t num_threads) {
  require_dtype(arguments.q, "q", {SA_BF16, SA_FP16});
  if (arguments.q->dtype == SA_BF16)
    run_as<bf16>(arguments, out, lse, num_threads);
  else
    run_as<fp16>(arguments, out, lse, num_threads);
}

MlaArguments sharedkv_arguments(const sa_tensor *q, const sa_tensor *ori_kv, const sa_tensor *cmp_kv,
                                const sa_tensor *cmp_sparse_indices, const sa_tensor *ori_block_table,
                                const sa_tensor *cmp_block_table, const sa_tensor *cu_seqlens_q, const sa_tensor *seqused_kv,
                                const sa_tensor *sinks, const sa_tensor *metadata, double softmax_scale, int64_t cmp_ratio,
                                int64_t ori_mask_mode, int64_t cmp_mask_mode, int64_t ori_win_left, int64_t ori_win_right,
                                const char *layout_q, const char *layout_kv) {
  require_word(layout_kv, "layout_kv", {"PA_ND"});
  require_choice(ori_mask_mode, "ori_mask_mode", {4});
  if (cmp_kv) require_choice(cmp_mask_mode, "cmp_mask_mode", {3});
  MlaArguments arguments{};
  arguments.q = q, arguments.ori_kv = ori_kv, arguments.cmp_kv = cmp_kv;
  arguments.cmp_sparse_indices = cmp_sparse_indices;
  arguments.ori_block_table = ori_block_table, arguments.cmp_block_table = cmp_block_table;
  arguments.cu_seqlens_q = cu_seqlens_q, arguments.seqused_ori_kv = seqused_kv;
  arguments.sinks = sinks, arguments.metadata = metadata;
  arguments.softmax_scale = softmax_scale, arguments.cmp_ratio = cmp_ratio;
  arguments.ori_mask_mode = ori_mask_mode, arguments.cmp_mask_mode = cmp_mask_mode;
  arguments.ori_win_left = ori_win_left, arguments.ori_win_right = ori_win_right;
  arguments.layout_q = layout_q, arguments.layout_kv = layout_kv, arguments.paged_word = "PA_ND";
  arguments.seqused_ori_name = "seqused_kv";
  arguments.restored = Restored::kOriginal;
  return arguments;
}

}  // namespace sa
