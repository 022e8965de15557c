// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c1_other_product(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c1] target is Atlas inference products, which no kernel here supports}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "atlas_inference", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c2_three_axes(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c2] ori_kv has shape [9, 16, 512]: it has 3 axes where [blocks1, size1, N2, D] has 4}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c3_quantised(%q: tensor<2x3x64x512x!npu.hif8>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c3] q is hifloat8 where bfloat16 or float16 is read}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512x!npu.hif8>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c4_empty(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x0xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c4] on a3, ori_block_table is empty, its shape is [2, 0]}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x0xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c5_head_size(%q: tensor<2x3x64x256xbf16>, %ori_kv: tensor<9x16x1x256xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c5] head size D is 256, not 512}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "a2", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x256xbf16>, tensor<9x16x1x256xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c6_key_heads(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x2x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c6] key heads N2 is 2, not 1}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x2x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c7_heads(%q: tensor<2x3x129x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<129xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c7] on ascend950, query heads N1 is 129, not 1 to 128}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "ascend950", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x129x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<129xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c8_layouts(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c8] layout_q/layout_kv is BSND/PA_ND}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_ND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c9_two_dtypes(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c9] ori_kv is float16 and q is bfloat16}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c10_no_keys(%q: tensor<2x3x64x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c10] ori_kv missing}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c11_no_sinks(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c11] on a3, sinks missing}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %metadata) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c12_no_plan(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>) {
  // expected-error@below {{[c12] on a2, metadata missing (sparse_flash_mla_metadata makes it)}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks) {target = "a2", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c13_heads(%q: tensor<2x3x48x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<48xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c13] on a2, query heads N1 is 48, not 1 or 2 or 4 or 8 or 16 or 32 or 64 or 128}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "a2", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x48x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<48xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c14_left_over(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c14] on a3, cmp_ratio set without cmp_kv}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "a3", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 4 : i64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c15_ratio(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %cmp_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_ori_kv: tensor<2xi32>, %seqused_cmp_kv: tensor<2xi32>, %cmp_residual_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c15] cmp_ratio is 129, outside 1 to 128}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %cmp_kv, %ori_block_table, %cmp_block_table, %seqused_ori_kv, %seqused_cmp_kv, %cmp_residual_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 129 : i64, ori_mask_mode = 4 : i64, cmp_mask_mode = 3 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c16_mask(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c16] ori_mask_mode is 1, not 0 or 3 or 4}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 1 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c17_mask(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %cmp_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_ori_kv: tensor<2xi32>, %seqused_cmp_kv: tensor<2xi32>, %cmp_residual_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c17] cmp_mask_mode is 4, not 0 or 3}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %cmp_kv, %ori_block_table, %cmp_block_table, %seqused_ori_kv, %seqused_cmp_kv, %cmp_residual_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 128 : i64, ori_mask_mode = 4 : i64, cmp_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c18_window(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c18] ori_win_left is -2, outside at least -1}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = -2 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c19_window(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c19] ori_win_right is -2, outside at least -1}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = -2 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c20_window(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c20] ori_win_left/right are 127/0 with ori_mask_mode 3}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 3 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c21_no_residual(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %cmp_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_ori_kv: tensor<2xi32>, %seqused_cmp_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c21] cmp_residual_kv missing with cmp_kv, cmp_mask_mode 3 and cmp_ratio above 1}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %cmp_kv, %ori_block_table, %cmp_block_table, %seqused_ori_kv, %seqused_cmp_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 128 : i64, ori_mask_mode = 4 : i64, cmp_mask_mode = 3 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c22_no_length(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<2x40x1x512xbf16>, %ori_sparse_indices: tensor<2x3x1x5xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c22] ori_sparse_indices with ori_mask_mode 0 and no ori_topk_length}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_sparse_indices, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x3x1x5xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c24_no_table(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c24] ori_block_table missing with layout_kv PA_BBND}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %seqused_ori_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c25_no_table(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %cmp_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %seqused_cmp_kv: tensor<2xi32>, %cmp_residual_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c25] cmp_block_table missing with layout_kv PA_BBND and cmp_kv}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %cmp_kv, %ori_block_table, %seqused_ori_kv, %seqused_cmp_kv, %cmp_residual_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 128 : i64, ori_mask_mode = 4 : i64, cmp_mask_mode = 3 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c26_table(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<2x40x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c26] ori_block_table given without PA_BBND}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x3xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c27_no_length(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c27] seqused_ori_kv missing with layout_kv PA_BBND}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %ori_block_table, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c28_no_length(%q: tensor<2x3x64x512xbf16>, %ori_kv: tensor<9x16x1x512xbf16>, %cmp_kv: tensor<9x16x1x512xbf16>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_ori_kv: tensor<2xi32>, %cmp_residual_kv: tensor<2xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c28] seqused_cmp_kv missing with layout_kv PA_BBND and cmp_kv}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %cmp_kv, %ori_block_table, %cmp_block_table, %seqused_ori_kv, %cmp_residual_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 128 : i64, ori_mask_mode = 4 : i64, cmp_mask_mode = 3 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<2xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c29_no_sums(%q: tensor<6x64x512xbf16>, %ori_kv: tensor<80x1x512xbf16>, %cu_seqlens_ori_kv: tensor<3xi32>, %sinks: tensor<64xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c29] cu_seqlens_q missing with layout_q TND}}
  %r:2 = "npu.sparse_flash_mla"(%q, %ori_kv, %cu_seqlens_ori_kv, %sinks, %metadata) {target = "host", softmax_scale = 5.00000000000000028e-02 : f64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, layout_q = "TND", layout_kv = "TND", operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1>}
    : (tensor<6x64x512xbf16>, tensor<80x1x512xbf16>, tensor<3xi32>, tensor<64xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}
