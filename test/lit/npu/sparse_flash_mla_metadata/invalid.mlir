// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_other_product() {
  // expected-error@below {{[c1] target is Atlas training products, which no kernel here supports}}
  %r:1 = "npu.sparse_flash_mla_metadata"() {target = "atlas_training", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : () -> (tensor<1xf32>)
  return
}

// -----

func.func @c2_batches_differ(%seqused_q: tensor<2xi32>, %seqused_ori_kv: tensor<3xi32>) {
  // expected-error@below {{[c2] seqused_ori_kv has shape [3]: axis 0 is 3 where B = 2 asks for 2 in [B]}}
  %r:1 = "npu.sparse_flash_mla_metadata"(%seqused_q, %seqused_ori_kv) {target = "host", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 1, 1, 0, 0, 0, 0>}
    : (tensor<2xi32>, tensor<3xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c3_long_lengths(%seqused_q: tensor<2xi64>) {
  // expected-error@below {{[c3] seqused_q is int64 where int32 is read}}
  %r:1 = "npu.sparse_flash_mla_metadata"(%seqused_q) {target = "host", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 1, 0, 0, 0, 0, 0>}
    : (tensor<2xi64>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c4_heads() {
  // expected-error@below {{[c4] on a3, num_heads_q is 129, outside 1 to 128}}
  %r:1 = "npu.sparse_flash_mla_metadata"() {target = "a3", num_heads_q = 129 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : () -> (tensor<1xf32>)
  return
}

// -----

func.func @c5_key_heads() {
  // expected-error@below {{[c5] num_heads_kv is 2, not 1}}
  %r:1 = "npu.sparse_flash_mla_metadata"() {target = "host", num_heads_q = 64 : i64, num_heads_kv = 2 : i64, head_dim = 512 : i64, batch_size = 2 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : () -> (tensor<1xf32>)
  return
}

// -----

func.func @c6_head_size() {
  // expected-error@below {{[c6] on a3, head_dim is 576, not 512}}
  %r:1 = "npu.sparse_flash_mla_metadata"() {target = "a3", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 576 : i64, batch_size = 2 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : () -> (tensor<1xf32>)
  return
}

// -----

func.func @c7_no_keys() {
  // expected-error@below {{[c7] has_ori_kv is False, not True}}
  %r:1 = "npu.sparse_flash_mla_metadata"() {target = "host", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, has_ori_kv = false, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : () -> (tensor<1xf32>)
  return
}

// -----

func.func @c8_layouts() {
  // expected-error@below {{[c8] layout_q/layout_kv is BSND/TND}}
  %r:1 = "npu.sparse_flash_mla_metadata"() {target = "host", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, layout_kv = "TND", operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : () -> (tensor<1xf32>)
  return
}

// -----

func.func @c9_mask() {
  // expected-error@below {{[c9] ori_mask_mode is 2, not 0 or 3 or 4}}
  %r:1 = "npu.sparse_flash_mla_metadata"() {target = "host", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, ori_mask_mode = 2 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : () -> (tensor<1xf32>)
  return
}

// -----

func.func @c10_mask() {
  // expected-error@below {{[c10] cmp_mask_mode is 4, not 0 or 3}}
  %r:1 = "npu.sparse_flash_mla_metadata"() {target = "host", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_mask_mode = 4 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : () -> (tensor<1xf32>)
  return
}

// -----

func.func @c11_ratio() {
  // expected-error@below {{[c11] cmp_ratio is 256, outside 1 to 128}}
  %r:1 = "npu.sparse_flash_mla_metadata"() {target = "host", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_ratio = 256 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : () -> (tensor<1xf32>)
  return
}

// -----

func.func @c12_window() {
  // expected-error@below {{[c12] ori_win_left is -3, outside at least -1}}
  %r:1 = "npu.sparse_flash_mla_metadata"() {target = "host", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, ori_win_left = -3 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : () -> (tensor<1xf32>)
  return
}

// -----

func.func @c13_window() {
  // expected-error@below {{[c13] ori_win_right is -3, outside at least -1}}
  %r:1 = "npu.sparse_flash_mla_metadata"() {target = "host", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, ori_win_right = -3 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : () -> (tensor<1xf32>)
  return
}

// -----

func.func @c14_no_batch() {
  // expected-error@below {{[c14] on a3, batch_size is 0 with layout_q BSND}}
  %r:1 = "npu.sparse_flash_mla_metadata"() {target = "a3", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : () -> (tensor<1xf32>)
  return
}

// -----

func.func @c15_sums(%cu_seqlens_q: tensor<3xi32>) {
  // expected-error@below {{[c15] cu_seqlens_q given without layout_q TND}}
  %r:1 = "npu.sparse_flash_mla_metadata"(%cu_seqlens_q) {target = "host", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (tensor<3xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c16_width() {
  // expected-error@below {{[c16] ori_topk is -1, outside at least 0}}
  %r:1 = "npu.sparse_flash_mla_metadata"() {target = "host", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, ori_topk = -1 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : () -> (tensor<1xf32>)
  return
}

// -----

func.func @c17_width() {
  // expected-error@below {{[c17] cmp_topk is -1, outside at least 0}}
  %r:1 = "npu.sparse_flash_mla_metadata"() {target = "host", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, cmp_topk = -1 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : () -> (tensor<1xf32>)
  return
}

// -----

func.func @c19_no_batch(%seqused_q: tensor<0xi32>) {
  // expected-error@below {{[c19] on a3, batches B is 0, not at least 1}}
  %r:1 = "npu.sparse_flash_mla_metadata"(%seqused_q) {target = "a3", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 1, 0, 0, 0, 0, 0>}
    : (tensor<0xi32>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c3_long_lengths_ascend950(%seqused_q: tensor<2xi64>) {
  // expected-error@below {{[c3] seqused_q is int64 where int32 is read}}
  %r:1 = "npu.sparse_flash_mla_metadata"(%seqused_q) {target = "ascend950", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 1, 0, 0, 0, 0, 0>}
    : (tensor<2xi64>) -> (tensor<1xf32>)
  return
}

// -----

func.func @c3_long_lengths_a2(%seqused_q: tensor<2xi64>) {
  // expected-error@below {{[c3] seqused_q is int64 where int32 is read}}
  %r:1 = "npu.sparse_flash_mla_metadata"(%seqused_q) {target = "a2", num_heads_q = 64 : i64, num_heads_kv = 1 : i64, head_dim = 512 : i64, batch_size = 2 : i64, operandSegmentSizes = array<i32: 0, 0, 0, 1, 0, 0, 0, 0, 0>}
    : (tensor<2xi64>) -> (tensor<1xf32>)
  return
}
