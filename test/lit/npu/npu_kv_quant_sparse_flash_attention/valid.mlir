// RUN: sparse-attn-opt %s | filecheck %s

// CHECK-LABEL: @example_ascend950
// CHECK: "npu.npu_kv_quant_sparse_flash_attention"
// CHECK-SAME: target = "ascend950"
func.func @example_ascend950(%query: tensor<2x3x64x576xbf16>, %key: tensor<2x40x1x656xsi8>, %value: tensor<2x40x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>) {
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices) {target = "ascend950", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x3x64x576xbf16>, tensor<2x40x1x656xsi8>, tensor<2x40x1x656xsi8>, tensor<2x3x1x16xi32>) -> (tensor<2x3x64x512xbf16>)
  return
}

// CHECK-LABEL: @example_a3
// CHECK: "npu.npu_kv_quant_sparse_flash_attention"
// CHECK-SAME: target = "a3"
func.func @example_a3(%query: tensor<2x3x64x576xbf16>, %key: tensor<2x40x1x656xsi8>, %value: tensor<2x40x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>) {
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices) {target = "a3", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x3x64x576xbf16>, tensor<2x40x1x656xsi8>, tensor<2x40x1x656xsi8>, tensor<2x3x1x16xi32>) -> (tensor<2x3x64x512xbf16>)
  return
}

// CHECK-LABEL: @example_a2
// CHECK: "npu.npu_kv_quant_sparse_flash_attention"
// CHECK-SAME: target = "a2"
func.func @example_a2(%query: tensor<2x3x64x576xbf16>, %key: tensor<2x40x1x656xsi8>, %value: tensor<2x40x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>) {
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices) {target = "a2", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x3x64x576xbf16>, tensor<2x40x1x656xsi8>, tensor<2x40x1x656xsi8>, tensor<2x3x1x16xi32>) -> (tensor<2x3x64x512xbf16>)
  return
}

// CHECK-LABEL: @example_host
// CHECK: "npu.npu_kv_quant_sparse_flash_attention"
// CHECK-SAME: target = "host"
func.func @example_host(%query: tensor<2x3x64x576xbf16>, %key: tensor<2x40x1x656xsi8>, %value: tensor<2x40x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>) {
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices) {target = "host", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x3x64x576xbf16>, tensor<2x40x1x656xsi8>, tensor<2x40x1x656xsi8>, tensor<2x3x1x16xi32>) -> (tensor<2x3x64x512xbf16>)
  return
}

// CHECK-LABEL: @pages
// CHECK: "npu.npu_kv_quant_sparse_flash_attention"
// CHECK-SAME: target = "ascend950"
func.func @pages(%query: tensor<2x3x64x576xbf16>, %key: tensor<9x32x1x656xsi8>, %value: tensor<9x32x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>, %block_table: tensor<2x4xi32>, %actual_seq_lengths_kv: tensor<2xi32>) {
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %block_table, %actual_seq_lengths_kv) {target = "ascend950", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, layout_kv = "PA_BSND", attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 1, 0, 1>}
    : (tensor<2x3x64x576xbf16>, tensor<9x32x1x656xsi8>, tensor<9x32x1x656xsi8>, tensor<2x3x1x16xi32>, tensor<2x4xi32>, tensor<2xi32>) -> (tensor<2x3x64x512xbf16>)
  return
}

// CHECK-LABEL: @packed
// CHECK: "npu.npu_kv_quant_sparse_flash_attention"
// CHECK-SAME: target = "ascend950"
func.func @packed(%query: tensor<6x64x576xbf16>, %key: tensor<80x1x656xsi8>, %value: tensor<80x1x656xsi8>, %sparse_indices: tensor<6x1x16xi32>, %actual_seq_lengths_query: tensor<2xi32>, %actual_seq_lengths_kv: tensor<2xi32>) {
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %actual_seq_lengths_query, %actual_seq_lengths_kv) {target = "ascend950", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, layout_query = "TND", layout_kv = "TND", attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1, 1>}
    : (tensor<6x64x576xbf16>, tensor<80x1x656xsi8>, tensor<80x1x656xsi8>, tensor<6x1x16xi32>, tensor<2xi32>, tensor<2xi32>) -> (tensor<6x64x512xbf16>)
  return
}

// CHECK-LABEL: @fp8_rows
// CHECK: "npu.npu_kv_quant_sparse_flash_attention"
// CHECK-SAME: target = "ascend950"
func.func @fp8_rows(%query: tensor<2x3x64x576xbf16>, %key: tensor<2x40x1x656xf8E4M3FN>, %value: tensor<2x40x1x656xf8E4M3FN>, %sparse_indices: tensor<2x3x1x16xi32>) {
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices) {target = "ascend950", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x3x64x576xbf16>, tensor<2x40x1x656xf8E4M3FN>, tensor<2x40x1x656xf8E4M3FN>, tensor<2x3x1x16xi32>) -> (tensor<2x3x64x512xbf16>)
  return
}

// CHECK-LABEL: @blocks_of_keys
// CHECK: "npu.npu_kv_quant_sparse_flash_attention"
// CHECK-SAME: target = "ascend950"
func.func @blocks_of_keys(%query: tensor<2x3x64x576xbf16>, %key: tensor<9x32x1x656xsi8>, %value: tensor<9x32x1x656xsi8>, %sparse_indices: tensor<2x3x1x16xi32>, %block_table: tensor<2x4xi32>, %actual_seq_lengths_kv: tensor<2xi32>) {
  %r:1 = "npu.npu_kv_quant_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %block_table, %actual_seq_lengths_kv) {target = "ascend950", scale_value = 5.00000000000000028e-02 : f64, key_quant_mode = 2 : i64, value_quant_mode = 2 : i64, sparse_block_size = 16 : i64, layout_kv = "PA_BSND", attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 1, 0, 1>}
    : (tensor<2x3x64x576xbf16>, tensor<9x32x1x656xsi8>, tensor<9x32x1x656xsi8>, tensor<2x3x1x16xi32>, tensor<2x4xi32>, tensor<2xi32>) -> (tensor<2x3x64x512xbf16>)
  return
}
