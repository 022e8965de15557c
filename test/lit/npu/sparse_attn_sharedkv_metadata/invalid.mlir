// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_other_chip(%seqused_kv: tensor<2xi32>) {
  // expected-error@below {{[c1] target ascend950 (Ascend 950PR / Ascend 950DT) has no such kernel}}
  %r:1 = "npu.sparse_attn_sharedkv_metadata"(%seqused_kv) {target = "ascend950", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c2_batches_differ(%cu_seqlens_q: tensor<3xi32>, %seqused_kv: tensor<3xi32>) {
  // expected-error@below {{[c2] seqused_kv has shape [3]: axis 0 is 3 where B = 2 asks for 2 in [B]}}
  %r:1 = "npu.sparse_attn_sharedkv_metadata"(%cu_seqlens_q, %seqused_kv) {target = "host", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_ratio = 1 : i64, layout_q = "TND", operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}
    : (tensor<3xi32>, tensor<3xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c3_long_lengths(%seqused_kv: tensor<2xi64>) {
  // expected-error@below {{[c3] seqused_kv is int64 where int32 is read}}
  %r:1 = "npu.sparse_attn_sharedkv_metadata"(%seqused_kv) {target = "host", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}
    : (tensor<2xi64>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c4_heads(%seqused_kv: tensor<2xi32>) {
  // expected-error@below {{[c4] on a2, num_heads_q is 128, not 64}}
  %r:1 = "npu.sparse_attn_sharedkv_metadata"(%seqused_kv) {target = "a2", num_heads_q = 128 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c5_key_heads(%seqused_kv: tensor<2xi32>) {
  // expected-error@below {{[c5] num_heads_kv is 2, not 1}}
  %r:1 = "npu.sparse_attn_sharedkv_metadata"(%seqused_kv) {target = "host", num_heads_q = 64 : i64, num_heads_kv = 2 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c6_head_size(%seqused_kv: tensor<2xi32>) {
  // expected-error@below {{[c6] on a2, head_dim is 640, not 512}}
  %r:1 = "npu.sparse_attn_sharedkv_metadata"(%seqused_kv) {target = "a2", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 640 : i64, batch_size = 2 : i64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c7_width(%seqused_kv: tensor<2xi32>) {
  // expected-error@below {{[c7] ori_topk is -1, outside at least 0}}
  %r:1 = "npu.sparse_attn_sharedkv_metadata"(%seqused_kv) {target = "host", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, ori_topk = -1 : i64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c8_layout(%seqused_kv: tensor<2xi32>) {
  // expected-error@below {{[c8] layout_q is 'SBH', not BSND or TND}}
  %r:1 = "npu.sparse_attn_sharedkv_metadata"(%seqused_kv) {target = "host", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_ratio = 1 : i64, layout_q = "SBH", operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c9_layout(%seqused_kv: tensor<2xi32>) {
  // expected-error@below {{[c9] layout_kv is 'BSND', not PA_ND}}
  %r:1 = "npu.sparse_attn_sharedkv_metadata"(%seqused_kv) {target = "host", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_ratio = 1 : i64, layout_kv = "BSND", operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c10_mask(%seqused_kv: tensor<2xi32>) {
  // expected-error@below {{[c10] ori_mask_mode is 0, not 4}}
  %r:1 = "npu.sparse_attn_sharedkv_metadata"(%seqused_kv) {target = "host", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_ratio = 1 : i64, ori_mask_mode = 0 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c11_mask(%seqused_kv: tensor<2xi32>) {
  // expected-error@below {{[c11] cmp_mask_mode is 0, not 3}}
  %r:1 = "npu.sparse_attn_sharedkv_metadata"(%seqused_kv) {target = "host", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_ratio = 1 : i64, cmp_mask_mode = 0 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c12_window(%seqused_kv: tensor<2xi32>) {
  // expected-error@below {{[c12] ori_win_left is -1, outside at least 0}}
  %r:1 = "npu.sparse_attn_sharedkv_metadata"(%seqused_kv) {target = "host", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_ratio = 1 : i64, ori_win_left = -1 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c13_window(%seqused_kv: tensor<2xi32>) {
  // expected-error@below {{[c13] ori_win_right is -1, outside at least 0}}
  %r:1 = "npu.sparse_attn_sharedkv_metadata"(%seqused_kv) {target = "host", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_ratio = 1 : i64, ori_win_right = -1 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c14_ratio(%seqused_kv: tensor<2xi32>) {
  // expected-error@below {{[c14] on a2, cmp_ratio is 8, not -1 or 1 or 4 or 128}}
  %r:1 = "npu.sparse_attn_sharedkv_metadata"(%seqused_kv) {target = "a2", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_ratio = 8 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c15_no_length() {
  // expected-error@below {{[c15] on a2, seqused_kv missing}}
  %r:1 = "npu.sparse_attn_sharedkv_metadata"() {target = "a2", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0>}
    : () -> (tensor<1xf32>)
  return
}

// -----

func.func @c16_no_sums(%seqused_kv: tensor<2xi32>) {
  // expected-error@below {{[c16] on a2, cu_seqlens_q missing with layout_q TND}}
  %r:1 = "npu.sparse_attn_sharedkv_metadata"(%seqused_kv) {target = "a2", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_ratio = 1 : i64, layout_q = "TND", operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c17_sums(%cu_seqlens_q: tensor<3xi32>, %seqused_kv: tensor<2xi32>) {
  // expected-error@below {{[c17] cu_seqlens_q given without layout_q TND}}
  %r:1 = "npu.sparse_attn_sharedkv_metadata"(%cu_seqlens_q, %seqused_kv) {target = "host", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 0, 1>}
    : (tensor<3xi32>, tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c19_width(%seqused_kv: tensor<2xi32>) {
  // expected-error@below {{[c19] cmp_topk is -1, outside at least 0}}
  %r:1 = "npu.sparse_attn_sharedkv_metadata"(%seqused_kv) {target = "host", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_topk = -1 : i64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}
    : (tensor<2xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c21_batches(%seqused_kv: tensor<0xi32>) {
  // expected-error@below {{[c21] on a2, batches B is 0, not at least 1}}
  %r:1 = "npu.sparse_attn_sharedkv_metadata"(%seqused_kv) {target = "a2", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}
    : (tensor<0xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c3_long_lengths_a3(%seqused_kv: tensor<2xi64>) {
  // expected-error@below {{[c3] seqused_kv is int64 where int32 is read}}
  %r:1 = "npu.sparse_attn_sharedkv_metadata"(%seqused_kv) {target = "a3", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 1>}
    : (tensor<2xi64>) -> (tensor<1xf32>)
  return
}
