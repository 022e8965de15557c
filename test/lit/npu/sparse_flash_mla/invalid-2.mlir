// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c30_no_sums(%q: tensor<6x64x512xbf16>, %ori_kv: tensor<80x1x512xbf16>, %cu_seqlens_q: tensor<3xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c30] cu_seqlens_ori_kv missing with layout_kv TND}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %cu_seqlens_q, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_q = "TND", layout_kv = "TND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1>}
    : (tensor<6x64x512xbf16>, tensor<80x1x512xbf16>, tensor<3xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c31_no_sums(%q: tensor<6x64x512xbf16>, %ori_kv: tensor<80x1x512xbf16>, %cmp_kv: tensor<20x1x512xbf16>, %cu_seqlens_q: tensor<3xi32>, %cu_seqlens_ori_kv: tensor<3xi32>, %cmp_residual_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c31] cu_seqlens_cmp_kv missing with layout_kv TND and cmp_kv}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %cmp_kv, %cu_seqlens_q, %cu_seqlens_ori_kv, %cmp_residual_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 128 : i64, ori_mask_mode = 4 : i64, cmp_mask_mode = 3 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_q = "TND", layout_kv = "TND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 1, 1>}
    : (tensor<6x64x512xbf16>, tensor<80x1x512xbf16>, tensor<20x1x512xbf16>, tensor<3xi32>, tensor<3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c32_sums(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %cu_seqlens_q: tensor<3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c32] cu_seqlens_q given without layout_q TND}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %cu_seqlens_q, %seqused_ori_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c33_sums(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %cu_seqlens_ori_kv: tensor<3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c33] cu_seqlens_ori_kv given without TND keys}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %cu_seqlens_ori_kv, %seqused_ori_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c34_block(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x1025x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c34] on ascend950, rows of an original block size1 is 1025, not 1 to 1024}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "ascend950", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x1025x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c35_block(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %cmp_kv: tensor<9x1025x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_ori_kv: tensor<2xi32>, %seqused_cmp_kv: tensor<2xi32>, %cmp_residual_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c35] on ascend950, rows of a compressed block size2 is 1025, not 1 to 1024}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %cmp_kv, %ori_block_table, %cmp_block_table, %seqused_ori_kv, %seqused_cmp_kv, %cmp_residual_kv, %sinks, %metadata) {target = "ascend950", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 128 : i64, ori_mask_mode = 4 : i64, cmp_mask_mode = 3 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<9x1025x1x512xbf16>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c38_topk_value_mode(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c38] topk_value_mode is 2, not 1}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", topk_value_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c39_scale(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c39] softmax_scale is inf}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "host", softmax_scale = 0x7FF0000000000000 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c50_block(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x24x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c50] on a3, rows of an original block size1 is 24, not 16 to 1024 in steps of 16}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x24x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c51_block(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %cmp_kv: tensor<9x24x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_ori_kv: tensor<2xi32>, %seqused_cmp_kv: tensor<2xi32>, %cmp_residual_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c51] on a3, rows of a compressed block size2 is 24, not 16 to 1024 in steps of 16}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %cmp_kv, %ori_block_table, %cmp_block_table, %seqused_ori_kv, %seqused_cmp_kv, %cmp_residual_kv, %sinks, %metadata) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 128 : i64, ori_mask_mode = 4 : i64, cmp_mask_mode = 3 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<9x24x1x512xbf16>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c52_window(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c52] on a2, ori_win_left/right are 63/0, not 127/0}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "a2", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 63 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c53_ratio(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %cmp_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_ori_kv: tensor<2xi32>, %seqused_cmp_kv: tensor<2xi32>, %cmp_residual_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c53] on a3, cmp_ratio is 4 in mode HCA, not 128}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %cmp_kv, %ori_block_table, %cmp_block_table, %seqused_ori_kv, %seqused_cmp_kv, %cmp_residual_kv, %sinks, %metadata) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 4 : i64, ori_mask_mode = 4 : i64, cmp_mask_mode = 3 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c54_width(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %cmp_kv: tensor<9x16x1x512xbf16>, %cmp_sparse_indices: tensor<2x3x1x256xi32>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_ori_kv: tensor<2xi32>, %seqused_cmp_kv: tensor<2xi32>, %cmp_residual_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c54] on a2, compressed list width K2 is 256, not 512 or 1024}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %cmp_kv, %cmp_sparse_indices, %ori_block_table, %cmp_block_table, %seqused_ori_kv, %seqused_cmp_kv, %cmp_residual_kv, %sinks, %metadata) {target = "a2", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 4 : i64, ori_mask_mode = 4 : i64, cmp_mask_mode = 3 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3x1x256xi32>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}
