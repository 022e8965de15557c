// RUN: sparse-attn-opt %s | filecheck %s

// CHECK-LABEL: @example_ascend950
// CHECK: "npu.sparse_flash_mla"
// CHECK-SAME: target = "ascend950"
func.func @example_ascend950(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "ascend950", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @example_a3
// CHECK: "npu.sparse_flash_mla"
// CHECK-SAME: target = "a3"
func.func @example_a3(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @example_a2
// CHECK: "npu.sparse_flash_mla"
// CHECK-SAME: target = "a2"
func.func @example_a2(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "a2", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @example_host
// CHECK: "npu.sparse_flash_mla"
// CHECK-SAME: target = "host"
func.func @example_host(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @half
// CHECK: "npu.sparse_flash_mla"
// CHECK-SAME: target = "ascend950"
func.func @half(%q: tensor<2x3x64x512xf16>, %ori_kv: tensor<9x16x1x512xf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "ascend950", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xf16>, tensor<9x16x1x512xf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @hca
// CHECK: "npu.sparse_flash_mla"
// CHECK-SAME: target = "ascend950"
func.func @hca(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %cmp_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_ori_kv: tensor<2xi32>, %seqused_cmp_kv: tensor<2xi32>, %cmp_residual_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %cmp_kv, %ori_block_table, %cmp_block_table, %seqused_ori_kv, %seqused_cmp_kv, %cmp_residual_kv, %sinks, %metadata) {target = "ascend950", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 128 : i64, ori_mask_mode = 4 : i64, cmp_mask_mode = 3 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @csa
// CHECK: "npu.sparse_flash_mla"
// CHECK-SAME: target = "ascend950"
func.func @csa(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %cmp_kv: tensor<9x16x1x512xbf16>, %cmp_sparse_indices: tensor<2x3x1x512xi32>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_ori_kv: tensor<2xi32>, %seqused_cmp_kv: tensor<2xi32>, %cmp_residual_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %cmp_kv, %cmp_sparse_indices, %ori_block_table, %cmp_block_table, %seqused_ori_kv, %seqused_cmp_kv, %cmp_residual_kv, %sinks, %metadata) {target = "ascend950", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 4 : i64, ori_mask_mode = 4 : i64, cmp_mask_mode = 3 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3x1x512xi32>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @csa_wide
// CHECK: "npu.sparse_flash_mla"
// CHECK-SAME: target = "ascend950"
func.func @csa_wide(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %cmp_kv: tensor<9x16x1x512xbf16>, %cmp_sparse_indices: tensor<2x3x1x1024xi32>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_ori_kv: tensor<2xi32>, %seqused_cmp_kv: tensor<2xi32>, %cmp_residual_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %cmp_kv, %cmp_sparse_indices, %ori_block_table, %cmp_block_table, %seqused_ori_kv, %seqused_cmp_kv, %cmp_residual_kv, %sinks, %metadata) {target = "ascend950", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 4 : i64, ori_mask_mode = 4 : i64, cmp_mask_mode = 3 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3x1x1024xi32>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @batched
// CHECK: "npu.sparse_flash_mla"
// CHECK-SAME: target = "ascend950"
func.func @batched(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<2x40x1x512xbf16>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %sinks, %metadata) {target = "ascend950", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xbf16>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @packed
// CHECK: "npu.sparse_flash_mla"
// CHECK-SAME: target = "ascend950"
func.func @packed(%q: tensor<6x64x512xbf16>, %ori_kv: tensor<80x1x512xbf16>, %cu_seqlens_q: tensor<3xi32>, %cu_seqlens_ori_kv: tensor<3xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %cu_seqlens_q, %cu_seqlens_ori_kv, %sinks, %metadata) {target = "ascend950", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_q = "TND", layout_kv = "TND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1>}
    : (tensor<6x64x512xbf16>, tensor<80x1x512xbf16>, tensor<3xi32>, tensor<3xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<6x64x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @unmasked
// CHECK: "npu.sparse_flash_mla"
// CHECK-SAME: target = "ascend950"
func.func @unmasked(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<2x40x1x512xbf16>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %sinks, %metadata) {target = "ascend950", softmax_scale = 5.00000000000000028e-02 : f64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xbf16>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @any_ratio_any_width
// CHECK: "npu.sparse_flash_mla"
// CHECK-SAME: target = "ascend950"
func.func @any_ratio_any_width(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %cmp_kv: tensor<9x16x1x512xbf16>, %cmp_sparse_indices: tensor<2x3x1x7xi32>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_ori_kv: tensor<2xi32>, %seqused_cmp_kv: tensor<2xi32>, %cmp_residual_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %cmp_kv, %cmp_sparse_indices, %ori_block_table, %cmp_block_table, %seqused_ori_kv, %seqused_cmp_kv, %cmp_residual_kv, %sinks, %metadata) {target = "ascend950", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 3 : i64, ori_mask_mode = 4 : i64, cmp_mask_mode = 3 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3x1x7xi32>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @original_list
// CHECK: "npu.sparse_flash_mla"
// CHECK-SAME: target = "ascend950"
func.func @original_list(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<2x40x1x512xbf16>, %ori_sparse_indices: tensor<2x3x1x5xi32>, %ori_topk_length: tensor<2x3x1xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_sparse_indices, %ori_topk_length, %sinks, %metadata) {target = "ascend950", softmax_scale = 5.00000000000000028e-02 : f64, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x3x1x5xi32>, tensor<2x3x1xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @any_heads
// CHECK: "npu.sparse_flash_mla"
// CHECK-SAME: target = "ascend950"
func.func @any_heads(%q: tensor<2x3x48x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<48xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "ascend950", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x48x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<48xf32>, tensor<1024xi32>) -> (tensor<2x3x48x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @small_blocks
// CHECK: "npu.sparse_flash_mla"
// CHECK-SAME: target = "ascend950"
func.func @small_blocks(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x1x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "ascend950", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x1x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>)
  return
}
