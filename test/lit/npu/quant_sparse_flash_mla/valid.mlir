// RUN: sparse-attn-opt %s | filecheck %s

// CHECK-LABEL: @example_ascend950
// CHECK: "npu.quant_sparse_flash_mla"
// CHECK-SAME: target = "ascend950"
func.func @example_ascend950(%q: tensor<2x3x8x512x!npu.hif8>, %ori_kv: tensor<2x40x1x512x!npu.hif8>, %q_descale: tensor<1xf32>, %ori_kv_descale: tensor<1xf32>, %sinks: tensor<8xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_sparse_flash_mla"(%q, %ori_kv, %q_descale, %ori_kv_descale, %sinks, %metadata) {target = "ascend950", quant_mode = 1 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x8x512x!npu.hif8>, tensor<2x40x1x512x!npu.hif8>, tensor<1xf32>, tensor<1xf32>, tensor<8xf32>, tensor<1024xi32>) -> (tensor<2x3x8x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @example_host
// CHECK: "npu.quant_sparse_flash_mla"
// CHECK-SAME: target = "host"
func.func @example_host(%q: tensor<2x3x8x512x!npu.hif8>, %ori_kv: tensor<2x40x1x512x!npu.hif8>, %q_descale: tensor<1xf32>, %ori_kv_descale: tensor<1xf32>, %sinks: tensor<8xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_sparse_flash_mla"(%q, %ori_kv, %q_descale, %ori_kv_descale, %sinks, %metadata) {target = "host", quant_mode = 1 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x8x512x!npu.hif8>, tensor<2x40x1x512x!npu.hif8>, tensor<1xf32>, tensor<1xf32>, tensor<8xf32>, tensor<1024xi32>) -> (tensor<2x3x8x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @bytes
// CHECK: "npu.quant_sparse_flash_mla"
// CHECK-SAME: target = "ascend950"
func.func @bytes(%q: tensor<2x3x8x512xui8>, %ori_kv: tensor<2x40x1x512xui8>, %q_descale: tensor<1xf32>, %ori_kv_descale: tensor<1xf32>, %sinks: tensor<8xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_sparse_flash_mla"(%q, %ori_kv, %q_descale, %ori_kv_descale, %sinks, %metadata) {target = "ascend950", quant_mode = 1 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x8x512xui8>, tensor<2x40x1x512xui8>, tensor<1xf32>, tensor<1xf32>, tensor<8xf32>, tensor<1024xi32>) -> (tensor<2x3x8x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @hca
// CHECK: "npu.quant_sparse_flash_mla"
// CHECK-SAME: target = "ascend950"
func.func @hca(%q: tensor<2x3x8x512x!npu.hif8>, %ori_kv: tensor<2x40x1x512x!npu.hif8>, %cmp_kv: tensor<2x10x1x512x!npu.hif8>, %q_descale: tensor<1xf32>, %ori_kv_descale: tensor<1xf32>, %cmp_kv_descale: tensor<1xf32>, %cmp_residual_kv: tensor<2xi32>, %sinks: tensor<8xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_sparse_flash_mla"(%q, %ori_kv, %cmp_kv, %q_descale, %ori_kv_descale, %cmp_kv_descale, %cmp_residual_kv, %sinks, %metadata) {target = "ascend950", quant_mode = 1 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 4 : i64, cmp_mask_mode = 3 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1>}
    : (tensor<2x3x8x512x!npu.hif8>, tensor<2x40x1x512x!npu.hif8>, tensor<2x10x1x512x!npu.hif8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<2xi32>, tensor<8xf32>, tensor<1024xi32>) -> (tensor<2x3x8x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @csa
// CHECK: "npu.quant_sparse_flash_mla"
// CHECK-SAME: target = "ascend950"
func.func @csa(%q: tensor<2x3x8x512x!npu.hif8>, %ori_kv: tensor<2x40x1x512x!npu.hif8>, %cmp_kv: tensor<2x10x1x512x!npu.hif8>, %q_descale: tensor<1xf32>, %ori_kv_descale: tensor<1xf32>, %cmp_kv_descale: tensor<1xf32>, %cmp_sparse_indices: tensor<2x3x1x7xi32>, %cmp_residual_kv: tensor<2xi32>, %sinks: tensor<8xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_sparse_flash_mla"(%q, %ori_kv, %cmp_kv, %q_descale, %ori_kv_descale, %cmp_kv_descale, %cmp_sparse_indices, %cmp_residual_kv, %sinks, %metadata) {target = "ascend950", quant_mode = 1 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 4 : i64, cmp_mask_mode = 3 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1>}
    : (tensor<2x3x8x512x!npu.hif8>, tensor<2x40x1x512x!npu.hif8>, tensor<2x10x1x512x!npu.hif8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<2x3x1x7xi32>, tensor<2xi32>, tensor<8xf32>, tensor<1024xi32>) -> (tensor<2x3x8x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @csa_unmasked_with_length
// CHECK: "npu.quant_sparse_flash_mla"
// CHECK-SAME: target = "ascend950"
func.func @csa_unmasked_with_length(%q: tensor<2x3x8x512x!npu.hif8>, %ori_kv: tensor<2x40x1x512x!npu.hif8>, %cmp_kv: tensor<2x10x1x512x!npu.hif8>, %q_descale: tensor<1xf32>, %ori_kv_descale: tensor<1xf32>, %cmp_kv_descale: tensor<1xf32>, %cmp_sparse_indices: tensor<2x3x1x7xi32>, %cmp_topk_length: tensor<2x3x1xi32>, %sinks: tensor<8xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_sparse_flash_mla"(%q, %ori_kv, %cmp_kv, %q_descale, %ori_kv_descale, %cmp_kv_descale, %cmp_sparse_indices, %cmp_topk_length, %sinks, %metadata) {target = "ascend950", quant_mode = 1 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x8x512x!npu.hif8>, tensor<2x40x1x512x!npu.hif8>, tensor<2x10x1x512x!npu.hif8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<2x3x1x7xi32>, tensor<2x3x1xi32>, tensor<8xf32>, tensor<1024xi32>) -> (tensor<2x3x8x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @ori_sparse
// CHECK: "npu.quant_sparse_flash_mla"
// CHECK-SAME: target = "ascend950"
func.func @ori_sparse(%q: tensor<2x3x8x512x!npu.hif8>, %ori_kv: tensor<2x40x1x512x!npu.hif8>, %q_descale: tensor<1xf32>, %ori_kv_descale: tensor<1xf32>, %ori_sparse_indices: tensor<2x3x1x5xi32>, %ori_topk_length: tensor<2x3x1xi32>, %sinks: tensor<8xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_sparse_flash_mla"(%q, %ori_kv, %q_descale, %ori_kv_descale, %ori_sparse_indices, %ori_topk_length, %sinks, %metadata) {target = "ascend950", quant_mode = 1 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1>}
    : (tensor<2x3x8x512x!npu.hif8>, tensor<2x40x1x512x!npu.hif8>, tensor<1xf32>, tensor<1xf32>, tensor<2x3x1x5xi32>, tensor<2x3x1xi32>, tensor<8xf32>, tensor<1024xi32>) -> (tensor<2x3x8x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @pages
// CHECK: "npu.quant_sparse_flash_mla"
// CHECK-SAME: target = "ascend950"
func.func @pages(%q: tensor<2x3x8x512x!npu.hif8>, %ori_kv: tensor<9x16x1x512x!npu.hif8>, %cmp_kv: tensor<9x16x1x512x!npu.hif8>, %q_descale: tensor<1xf32>, %ori_kv_descale: tensor<1xf32>, %cmp_kv_descale: tensor<1xf32>, %ori_block_table: tensor<2x3xi32>, %cmp_block_table: tensor<2x1xi32>, %seqused_ori_kv: tensor<2xi32>, %seqused_cmp_kv: tensor<2xi32>, %cmp_residual_kv: tensor<2xi32>, %sinks: tensor<8xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_sparse_flash_mla"(%q, %ori_kv, %cmp_kv, %q_descale, %ori_kv_descale, %cmp_kv_descale, %ori_block_table, %cmp_block_table, %seqused_ori_kv, %seqused_cmp_kv, %cmp_residual_kv, %sinks, %metadata) {target = "ascend950", quant_mode = 1 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 4 : i64, cmp_mask_mode = 3 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1>}
    : (tensor<2x3x8x512x!npu.hif8>, tensor<9x16x1x512x!npu.hif8>, tensor<9x16x1x512x!npu.hif8>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<2x3xi32>, tensor<2x1xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<8xf32>, tensor<1024xi32>) -> (tensor<2x3x8x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @pages_of_one_row
// CHECK: "npu.quant_sparse_flash_mla"
// CHECK-SAME: target = "ascend950"
func.func @pages_of_one_row(%q: tensor<2x3x8x512x!npu.hif8>, %ori_kv: tensor<9x1x1x512x!npu.hif8>, %q_descale: tensor<1xf32>, %ori_kv_descale: tensor<1xf32>, %ori_block_table: tensor<2x3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<8xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_sparse_flash_mla"(%q, %ori_kv, %q_descale, %ori_kv_descale, %ori_block_table, %seqused_ori_kv, %sinks, %metadata) {target = "ascend950", quant_mode = 1 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x8x512x!npu.hif8>, tensor<9x1x1x512x!npu.hif8>, tensor<1xf32>, tensor<1xf32>, tensor<2x3xi32>, tensor<2xi32>, tensor<8xf32>, tensor<1024xi32>) -> (tensor<2x3x8x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @pages_need_no_length_with_list
// CHECK: "npu.quant_sparse_flash_mla"
// CHECK-SAME: target = "ascend950"
func.func @pages_need_no_length_with_list(%q: tensor<2x3x8x512x!npu.hif8>, %ori_kv: tensor<9x16x1x512x!npu.hif8>, %q_descale: tensor<1xf32>, %ori_kv_descale: tensor<1xf32>, %ori_sparse_indices: tensor<2x3x1x5xi32>, %ori_block_table: tensor<2x3xi32>, %ori_topk_length: tensor<2x3x1xi32>, %sinks: tensor<8xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_sparse_flash_mla"(%q, %ori_kv, %q_descale, %ori_kv_descale, %ori_sparse_indices, %ori_block_table, %ori_topk_length, %sinks, %metadata) {target = "ascend950", quant_mode = 1 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1>}
    : (tensor<2x3x8x512x!npu.hif8>, tensor<9x16x1x512x!npu.hif8>, tensor<1xf32>, tensor<1xf32>, tensor<2x3x1x5xi32>, tensor<2x3xi32>, tensor<2x3x1xi32>, tensor<8xf32>, tensor<1024xi32>) -> (tensor<2x3x8x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @packed
// CHECK: "npu.quant_sparse_flash_mla"
// CHECK-SAME: target = "ascend950"
func.func @packed(%q: tensor<6x8x512x!npu.hif8>, %ori_kv: tensor<80x1x512x!npu.hif8>, %q_descale: tensor<1xf32>, %ori_kv_descale: tensor<1xf32>, %cu_seqlens_q: tensor<3xi32>, %cu_seqlens_ori_kv: tensor<3xi32>, %sinks: tensor<8xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_sparse_flash_mla"(%q, %ori_kv, %q_descale, %ori_kv_descale, %cu_seqlens_q, %cu_seqlens_ori_kv, %sinks, %metadata) {target = "ascend950", quant_mode = 1 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, layout_q = "TND", layout_kv = "TND", operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1>}
    : (tensor<6x8x512x!npu.hif8>, tensor<80x1x512x!npu.hif8>, tensor<1xf32>, tensor<1xf32>, tensor<3xi32>, tensor<3xi32>, tensor<8xf32>, tensor<1024xi32>) -> (tensor<6x8x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @packed_queries_over_pages
// CHECK: "npu.quant_sparse_flash_mla"
// CHECK-SAME: target = "ascend950"
func.func @packed_queries_over_pages(%q: tensor<6x8x512x!npu.hif8>, %ori_kv: tensor<9x16x1x512x!npu.hif8>, %q_descale: tensor<1xf32>, %ori_kv_descale: tensor<1xf32>, %ori_block_table: tensor<2x3xi32>, %cu_seqlens_q: tensor<3xi32>, %seqused_ori_kv: tensor<2xi32>, %sinks: tensor<8xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_sparse_flash_mla"(%q, %ori_kv, %q_descale, %ori_kv_descale, %ori_block_table, %cu_seqlens_q, %seqused_ori_kv, %sinks, %metadata) {target = "ascend950", quant_mode = 1 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, layout_q = "TND", layout_kv = "PA_BBND", operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1>}
    : (tensor<6x8x512x!npu.hif8>, tensor<9x16x1x512x!npu.hif8>, tensor<1xf32>, tensor<1xf32>, tensor<2x3xi32>, tensor<3xi32>, tensor<2xi32>, tensor<8xf32>, tensor<1024xi32>) -> (tensor<6x8x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @band
// CHECK: "npu.quant_sparse_flash_mla"
// CHECK-SAME: target = "ascend950"
func.func @band(%q: tensor<2x3x8x512x!npu.hif8>, %ori_kv: tensor<2x40x1x512x!npu.hif8>, %q_descale: tensor<1xf32>, %ori_kv_descale: tensor<1xf32>, %sinks: tensor<8xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_sparse_flash_mla"(%q, %ori_kv, %q_descale, %ori_kv_descale, %sinks, %metadata) {target = "ascend950", quant_mode = 1 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, ori_mask_mode = 4 : i64, ori_win_left = 127 : i64, ori_win_right = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x8x512x!npu.hif8>, tensor<2x40x1x512x!npu.hif8>, tensor<1xf32>, tensor<1xf32>, tensor<8xf32>, tensor<1024xi32>) -> (tensor<2x3x8x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @open_band
// CHECK: "npu.quant_sparse_flash_mla"
// CHECK-SAME: target = "ascend950"
func.func @open_band(%q: tensor<2x3x8x512x!npu.hif8>, %ori_kv: tensor<2x40x1x512x!npu.hif8>, %q_descale: tensor<1xf32>, %ori_kv_descale: tensor<1xf32>, %sinks: tensor<8xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_sparse_flash_mla"(%q, %ori_kv, %q_descale, %ori_kv_descale, %sinks, %metadata) {target = "ascend950", quant_mode = 1 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, ori_mask_mode = 4 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1>}
    : (tensor<2x3x8x512x!npu.hif8>, tensor<2x40x1x512x!npu.hif8>, tensor<1xf32>, tensor<1xf32>, tensor<8xf32>, tensor<1024xi32>) -> (tensor<2x3x8x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @dynamic
// CHECK: "npu.quant_sparse_flash_mla"
// CHECK-SAME: target = "ascend950"
func.func @dynamic(%q: tensor<?x?x8x512x!npu.hif8>, %ori_kv: tensor<?x?x1x512x!npu.hif8>, %q_descale: tensor<1xf32>, %ori_kv_descale: tensor<1xf32>, %sinks: tensor<8xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.quant_sparse_flash_mla"(%q, %ori_kv, %q_descale, %ori_kv_descale, %sinks, %metadata) {target = "ascend950", quant_mode = 1 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1>}
    : (tensor<?x?x8x512x!npu.hif8>, tensor<?x?x1x512x!npu.hif8>, tensor<1xf32>, tensor<1xf32>, tensor<8xf32>, tensor<1024xi32>) -> (tensor<?x?x8x512xbf16>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @no_sinks_no_plan
// CHECK: "npu.quant_sparse_flash_mla"
// CHECK-SAME: target = "host"
func.func @no_sinks_no_plan(%q: tensor<2x3x8x512x!npu.hif8>, %ori_kv: tensor<2x40x1x512x!npu.hif8>, %q_descale: tensor<1xf32>, %ori_kv_descale: tensor<1xf32>) {
  %r:2 = "npu.quant_sparse_flash_mla"(%q, %ori_kv, %q_descale, %ori_kv_descale) {target = "host", quant_mode = 1 : i64, softmax_scale = 5.00000000000000028e-02 : f64, cmp_ratio = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0>}
    : (tensor<2x3x8x512x!npu.hif8>, tensor<2x40x1x512x!npu.hif8>, tensor<1xf32>, tensor<1xf32>) -> (tensor<2x3x8x512xbf16>, tensor<0xf32>)
  return
}
