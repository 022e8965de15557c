// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c31_width(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %cmp_kv: tensor<9x16x1x512xbf16>, %cmp_sparse_indices: tensor<2x3x1x1024xi32>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c31] on a3, list width K2 is 1024, not 512}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %cmp_kv, %cmp_sparse_indices, %ori_block_table, %cmp_block_table, %seqused_kv, %sinks, %metadata) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3x1x1024xi32>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c32_width(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_sparse_indices: tensor<2x3x1x256xi32>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c32] on a3, original list width K1 is 256, not 512 or 1024}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_sparse_indices, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3x1x256xi32>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c33_block(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x24x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c33] on a3, rows of an original block size1 is 24, not 16 to 1024 in steps of 16}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x24x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c34_block(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %cmp_kv: tensor<9x24x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c34] on a3, rows of a compressed block size2 is 24, not 16 to 1024 in steps of 16}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %cmp_kv, %ori_block_table, %cmp_block_table, %seqused_kv, %sinks, %metadata) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 128 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<9x24x1x512xbf16>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c41_no_scale(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c41] softmax_scale is 0.0}}
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}
