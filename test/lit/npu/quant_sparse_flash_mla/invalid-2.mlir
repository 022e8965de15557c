// RUN: sparse-attn-opt %s --split-input-file --verify-diagnostics

func.func @c30_no_key_sums(%q: tensor<6x8x512x!npu.hif8>, %ori_kv: tensor<80x1x512x!npu.hif8>, %q_descale: tensor<1xf32>, %ori_kv_descale: tensor<1xf32>, %cu_seqlens_q: tensor<3xi32>, %sinks: tensor<8xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c30] cu_seqlens_ori_kv missing with layout_kv TND}}
  %r:2 = "npu.quant_sparse_flash_mla"(%q, %ori_kv, %q_descale, %ori_kv_descale, %cu_seqlens_q, %sinks, %metadata) {target = "host", quant_mode = 1 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, layout_q = "TND", layout_kv = "TND", operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1>}
    : (tensor<6x8x512x!npu.hif8>, tensor<80x1x512x!npu.hif8>, tensor<1xf32>, tensor<1xf32>, tensor<3xi32>, tensor<8xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c31_no_compressed_sums(%q: tensor<6x8x512x!npu.hif8>, %ori_kv: tensor<80x1x512x!npu.hif8>, %cmp_kv: tensor<20x1x512x!npu.hif8>, %q_descale: tensor<1xf32>, %ori_kv_descale: tensor<1xf32>, %cmp_kv_descale: tensor<1xf32>, %cu_seqlens_q: tensor<3xi32>, %cu_seqlens_ori_kv: tensor<3xi32>, %cmp_residual_kv: tensor<2xi32>, %sinks: tensor<8xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c31] cu_seqlens_cmp_kv missing with layout_kv TND and cmp_kv}}
  %r:2 = "npu.quant_sparse_flash_mla"(%q, %ori_kv, %cmp_kv, %q_descale, %ori_kv_descale, %cmp_kv_descale, %cu_seqlens_q, %cu_seqlens_ori_kv, %cmp_residual_kv, %sinks, %metadata) {target = "host", quant_mode = 1 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 4 : i64, cmp_mask_mode = 3 : i64, layout_q = "TND", layout_kv = "TND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 1, 1>}
    : (tensor<6x8x512x!npu.hif8>, tensor<80x1x512x!npu.hif8>, tensor<20x1x512x!npu.hif8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<3xi32>, tensor<3xi32>, tensor<2xi32>, tensor<8xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c32_sums_without_tnd(%q: tensor<2x3x8x512x!npu.hif8>, %ori_kv: tensor<2x40x1x512x!npu.hif8>, %q_descale: tensor<1xf32>, %ori_kv_descale: tensor<1xf32>, %cu_seqlens_q: tensor<3xi32>, %sinks: tensor<8xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c32] cu_seqlens_q given without layout_q TND}}
  %r:2 = "npu.quant_sparse_flash_mla"(%q, %ori_kv, %q_descale, %ori_kv_descale, %cu_seqlens_q, %sinks, %metadata) {target = "host", quant_mode = 1 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x8x512x!npu.hif8>, tensor<2x40x1x512x!npu.hif8>, tensor<1xf32>, tensor<1xf32>, tensor<3xi32>, tensor<8xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c33_key_sums_without_tnd(%q: tensor<2x3x8x512x!npu.hif8>, %ori_kv: tensor<2x40x1x512x!npu.hif8>, %q_descale: tensor<1xf32>, %ori_kv_descale: tensor<1xf32>, %cu_seqlens_ori_kv: tensor<3xi32>, %sinks: tensor<8xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c33] cu_seqlens_ori_kv given without TND keys}}
  %r:2 = "npu.quant_sparse_flash_mla"(%q, %ori_kv, %q_descale, %ori_kv_descale, %cu_seqlens_ori_kv, %sinks, %metadata) {target = "host", quant_mode = 1 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x8x512x!npu.hif8>, tensor<2x40x1x512x!npu.hif8>, tensor<1xf32>, tensor<1xf32>, tensor<3xi32>, tensor<8xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c34_block_size(%q: tensor<2x3x8x512x!npu.hif8>, %ori_kv: tensor<9x1025x1x512x!npu.hif8>, %q_descale: tensor<1xf32>, %ori_kv_descale: tensor<1xf32>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<8xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c34] on ascend950, rows of an original block size1 is 1025, not 1 to 1024}}
  %r:2 = "npu.quant_sparse_flash_mla"(%q, %ori_kv, %q_descale, %ori_kv_descale, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "ascend950", quant_mode = 1 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x8x512x!npu.hif8>, tensor<9x1025x1x512x!npu.hif8>, tensor<1xf32>, tensor<1xf32>, tensor<2x3xi32>, tensor<2xi32>, tensor<8xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c35_block_size(%q: tensor<2x3x8x512x!npu.hif8>, %ori_kv: tensor<9x16x1x512x!npu.hif8>, %cmp_kv: tensor<9x1025x1x512x!npu.hif8>, %q_descale: tensor<1xf32>, %ori_kv_descale: tensor<1xf32>, %cmp_kv_descale: tensor<1xf32>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_ori_kv: tensor<2xi32>, %seqused_cmp_kv: tensor<2xi32>, %cmp_residual_kv: tensor<2xi32>, %sinks: tensor<8xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c35] on ascend950, rows of a compressed block size2 is 1025, not 1 to 1024}}
  %r:2 = "npu.quant_sparse_flash_mla"(%q, %ori_kv, %cmp_kv, %q_descale, %ori_kv_descale, %cmp_kv_descale, %ori_block_table, %cmp_block_table, %seqused_ori_kv, %seqused_cmp_kv, %cmp_residual_kv, %sinks, %metadata) {target = "ascend950", quant_mode = 1 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 4 : i64, cmp_mask_mode = 3 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1>}
    : (tensor<2x3x8x512x!npu.hif8>, tensor<9x16x1x512x!npu.hif8>, tensor<9x1025x1x512x!npu.hif8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<8xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c38_topk_value_mode(%q: tensor<2x3x8x512x!npu.hif8>, %ori_kv: tensor<2x40x1x512x!npu.hif8>, %q_descale: tensor<1xf32>, %ori_kv_descale: tensor<1xf32>, %sinks: tensor<8xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c38] topk_value_mode is 2, not 1}}
  %r:2 = "npu.quant_sparse_flash_mla"(%q, %ori_kv, %q_descale, %ori_kv_descale, %sinks, %metadata) {target = "host", quant_mode = 1 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, topk_value_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x8x512x!npu.hif8>, tensor<2x40x1x512x!npu.hif8>, tensor<1xf32>, tensor<1xf32>, tensor<8xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c39_infinite_scale(%q: tensor<2x3x8x512x!npu.hif8>, %ori_kv: tensor<2x40x1x512x!npu.hif8>, %q_descale: tensor<1xf32>, %ori_kv_descale: tensor<1xf32>, %sinks: tensor<8xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c39] softmax_scale is inf}}
  %r:2 = "npu.quant_sparse_flash_mla"(%q, %ori_kv, %q_descale, %ori_kv_descale, %sinks, %metadata) {target = "host", quant_mode = 1 : i64, softmax_scale = 0x7FF0000000000000 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x8x512x!npu.hif8>, tensor<2x40x1x512x!npu.hif8>, tensor<1xf32>, tensor<1xf32>, tensor<8xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}

// -----

func.func @c1_a2(%q: tensor<2x3x8x512x!npu.hif8>, %ori_kv: tensor<2x40x1x512x!npu.hif8>, %q_descale: tensor<1xf32>, %ori_kv_descale: tensor<1xf32>, %sinks: tensor<8xf32>, %metadata: tensor<1024xi32>) {
  // expected-error@below {{[c1] target a2 (Atlas A2 training and inference products) has no such kernel}}
  %r:2 = "npu.quant_sparse_flash_mla"(%q, %ori_kv, %q_descale, %ori_kv_descale, %sinks, %metadata) {target = "a2", quant_mode = 1 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x8x512x!npu.hif8>, tensor<2x40x1x512x!npu.hif8>, tensor<1xf32>, tensor<1xf32>, tensor<8xf32>, tensor<1024xi32>) -> (tensor<1xf32>, tensor<1xf32>)
  return
}
