// RUN: sparse-attn-opt %s | filecheck %s

// CHECK-LABEL: @example_a3
// CHECK: "npu.sparse_attn_sharedkv"
// CHECK-SAME: target = "a3"
func.func @example_a3(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @example_a2
// CHECK: "npu.sparse_attn_sharedkv"
// CHECK-SAME: target = "a2"
func.func @example_a2(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "a2", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @example_host
// CHECK: "npu.sparse_attn_sharedkv"
// CHECK-SAME: target = "host"
func.func @example_host(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @hca
// CHECK: "npu.sparse_attn_sharedkv"
// CHECK-SAME: target = "a3"
func.func @hca(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %cmp_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %cmp_kv, %ori_block_table, %cmp_block_table, %seqused_kv, %sinks, %metadata) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 128 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @csa
// CHECK: "npu.sparse_attn_sharedkv"
// CHECK-SAME: target = "a3"
func.func @csa(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %cmp_kv: tensor<9x16x1x512xbf16>, %cmp_sparse_indices: tensor<2x3x1x512xi32>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %cmp_kv, %cmp_sparse_indices, %ori_block_table, %cmp_block_table, %seqused_kv, %sinks, %metadata) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3x1x512xi32>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @packed
// CHECK: "npu.sparse_attn_sharedkv"
// CHECK-SAME: target = "a3"
func.func @packed(%q: tensor<6x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %cu_seqlens_q: tensor<3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %cu_seqlens_q, %seqused_kv, %sinks, %metadata) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, layout_q = "TND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1, 1>}
    : (tensor<6x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<6x64x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @half
// CHECK: "npu.sparse_attn_sharedkv"
// CHECK-SAME: target = "a3"
func.func @half(%q: tensor<2x3x64x512xf16>, %ori_kv: tensor<9x16x1x512xf16>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xf16>, tensor<9x16x1x512xf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xf16>, tensor<0xf32>)
  return
}
