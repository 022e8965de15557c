// RUN: sparse-attn-opt %s | filecheck %s

// CHECK-LABEL: @example_ascend950
// CHECK: "npu.kv_quant_sparse_attn_sharedkv"
// CHECK-SAME: target = "ascend950"
func.func @example_ascend950(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "ascend950", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @example_host
// CHECK: "npu.kv_quant_sparse_attn_sharedkv"
// CHECK-SAME: target = "host"
func.func @example_host(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @hca
// CHECK: "npu.kv_quant_sparse_attn_sharedkv"
// CHECK-SAME: target = "ascend950"
func.func @hca(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %cmp_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %cmp_kv, %ori_block_table, %cmp_block_table, %seqused_kv, %sinks, %metadata) {target = "ascend950", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 128 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @csa
// CHECK: "npu.kv_quant_sparse_attn_sharedkv"
// CHECK-SAME: target = "ascend950"
func.func @csa(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %cmp_kv: tensor<9x16x1x640xf8E4M3FN>, %cmp_sparse_indices: tensor<2x3x1x512xi32>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %cmp_kv, %cmp_sparse_indices, %ori_block_table, %cmp_block_table, %seqused_kv, %sinks, %metadata) {target = "ascend950", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3x1x512xi32>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @csa_wide
// CHECK: "npu.kv_quant_sparse_attn_sharedkv"
// CHECK-SAME: target = "ascend950"
func.func @csa_wide(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %cmp_kv: tensor<9x16x1x640xf8E4M3FN>, %cmp_sparse_indices: tensor<2x3x1x1024xi32>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %cmp_kv, %cmp_sparse_indices, %ori_block_table, %cmp_block_table, %seqused_kv, %sinks, %metadata) {target = "ascend950", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3x1x1024xi32>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @packed
// CHECK: "npu.kv_quant_sparse_attn_sharedkv"
// CHECK-SAME: target = "ascend950"
func.func @packed(%q: tensor<6x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %cu_seqlens_q: tensor<3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %cu_seqlens_q, %seqused_kv, %sinks, %metadata) {target = "ascend950", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, layout_q = "TND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 1, 1>}
    : (tensor<6x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<6x64x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @rows_as_elements
// CHECK: "npu.kv_quant_sparse_attn_sharedkv"
// CHECK-SAME: target = "ascend950"
func.func @rows_as_elements(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x!npu.kv_row640>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "ascend950", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x!npu.kv_row640>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @heads_128
// CHECK: "npu.kv_quant_sparse_attn_sharedkv"
// CHECK-SAME: target = "ascend950"
func.func @heads_128(%q: tensor<2x3x128x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<128xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "ascend950", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x128x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<128xf32>, tensor<1024xi32>) -> (tensor<2x3x128x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @any_window
// CHECK: "npu.kv_quant_sparse_attn_sharedkv"
// CHECK-SAME: target = "host"
func.func @any_window(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %ori_block_table, %seqused_kv, %sinks, %metadata) {target = "host", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, ori_win_left = 15 : i64, ori_win_right = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @any_ratio
// CHECK: "npu.kv_quant_sparse_attn_sharedkv"
// CHECK-SAME: target = "host"
func.func @any_ratio(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x640xf8E4M3FN>, %cmp_kv: tensor<9x16x1x640xf8E4M3FN>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.kv_quant_sparse_attn_sharedkv"(%q, %ori_kv, %cmp_kv, %ori_block_table, %cmp_block_table, %seqused_kv, %sinks, %metadata) {target = "host", kv_quant_mode = 1 : i64, tile_size = 64 : i64, rope_head_dim = 64 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 8 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x640xf8E4M3FN>, tensor<9x16x1x640xf8E4M3FN>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>)
  return
}
