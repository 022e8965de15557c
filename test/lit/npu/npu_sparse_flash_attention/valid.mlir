// RUN: sparse-attn-opt %s | filecheck %s

// CHECK-LABEL: @example_ascend950
// CHECK: "npu.npu_sparse_flash_attention"
// CHECK-SAME: target = "ascend950"
func.func @example_ascend950(%query: tensor<2x3x64x512xbf16>, %key: tensor<2x40x1x512xbf16>, %value: tensor<2x40x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<2x40x1x64xbf16>) {
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %query_rope, %key_rope) {target = "ascend950", scale_value = 5.00000000000000028e-02 : f64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x3x1x16xi32>, tensor<2x3x64x64xbf16>, tensor<2x40x1x64xbf16>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @example_a3
// CHECK: "npu.npu_sparse_flash_attention"
// CHECK-SAME: target = "a3"
func.func @example_a3(%query: tensor<2x3x64x512xbf16>, %key: tensor<2x40x1x512xbf16>, %value: tensor<2x40x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<2x40x1x64xbf16>) {
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %query_rope, %key_rope) {target = "a3", scale_value = 5.00000000000000028e-02 : f64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x3x1x16xi32>, tensor<2x3x64x64xbf16>, tensor<2x40x1x64xbf16>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @example_a2
// CHECK: "npu.npu_sparse_flash_attention"
// CHECK-SAME: target = "a2"
func.func @example_a2(%query: tensor<2x3x64x512xbf16>, %key: tensor<2x40x1x512xbf16>, %value: tensor<2x40x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<2x40x1x64xbf16>) {
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %query_rope, %key_rope) {target = "a2", scale_value = 5.00000000000000028e-02 : f64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x3x1x16xi32>, tensor<2x3x64x64xbf16>, tensor<2x40x1x64xbf16>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @example_host
// CHECK: "npu.npu_sparse_flash_attention"
// CHECK-SAME: target = "host"
func.func @example_host(%query: tensor<2x3x64x512xbf16>, %key: tensor<2x40x1x512xbf16>, %value: tensor<2x40x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<2x40x1x64xbf16>) {
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %query_rope, %key_rope) {target = "host", scale_value = 5.00000000000000028e-02 : f64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x3x1x16xi32>, tensor<2x3x64x64xbf16>, tensor<2x40x1x64xbf16>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @pages
// CHECK: "npu.npu_sparse_flash_attention"
// CHECK-SAME: target = "ascend950"
func.func @pages(%query: tensor<2x3x64x512xbf16>, %key: tensor<9x16x1x512xbf16>, %value: tensor<9x16x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %block_table: tensor<2x4xi32>, %actual_seq_lengths_kv: tensor<2xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<9x16x1x64xbf16>) {
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %block_table, %actual_seq_lengths_kv, %query_rope, %key_rope) {target = "ascend950", scale_value = 5.00000000000000028e-02 : f64, layout_kv = "PA_BSND", attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 1, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3x1x16xi32>, tensor<2x4xi32>, tensor<2xi32>, tensor<2x3x64x64xbf16>, tensor<9x16x1x64xbf16>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @packed
// CHECK: "npu.npu_sparse_flash_attention"
// CHECK-SAME: target = "ascend950"
func.func @packed(%query: tensor<6x64x512xbf16>, %key: tensor<80x1x512xbf16>, %value: tensor<80x1x512xbf16>, %sparse_indices: tensor<6x1x16xi32>, %actual_seq_lengths_query: tensor<2xi32>, %actual_seq_lengths_kv: tensor<2xi32>, %query_rope: tensor<6x64x64xbf16>, %key_rope: tensor<80x1x64xbf16>) {
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %actual_seq_lengths_query, %actual_seq_lengths_kv, %query_rope, %key_rope) {target = "ascend950", scale_value = 5.00000000000000028e-02 : f64, layout_query = "TND", layout_kv = "TND", attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1, 1, 1, 1, 0>}
    : (tensor<6x64x512xbf16>, tensor<80x1x512xbf16>, tensor<80x1x512xbf16>, tensor<6x1x16xi32>, tensor<2xi32>, tensor<2xi32>, tensor<6x64x64xbf16>, tensor<80x1x64xbf16>) -> (tensor<6x64x512xbf16>, tensor<0xf32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @list_only
// CHECK: "npu.npu_sparse_flash_attention"
// CHECK-SAME: target = "ascend950"
func.func @list_only(%query: tensor<2x3x64x512xbf16>, %key: tensor<2x40x1x512xbf16>, %value: tensor<2x40x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<2x40x1x64xbf16>) {
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %query_rope, %key_rope) {target = "ascend950", scale_value = 5.00000000000000028e-02 : f64, sparse_mode = 0 : i64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x3x1x16xi32>, tensor<2x3x64x64xbf16>, tensor<2x40x1x64xbf16>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @blocks_of_keys
// CHECK: "npu.npu_sparse_flash_attention"
// CHECK-SAME: target = "ascend950"
func.func @blocks_of_keys(%query: tensor<2x3x64x512xbf16>, %key: tensor<9x16x1x512xbf16>, %value: tensor<9x16x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %block_table: tensor<2x4xi32>, %actual_seq_lengths_kv: tensor<2xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<9x16x1x64xbf16>) {
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %block_table, %actual_seq_lengths_kv, %query_rope, %key_rope) {target = "ascend950", scale_value = 5.00000000000000028e-02 : f64, sparse_block_size = 16 : i64, layout_kv = "PA_BSND", attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 1, 1, 1, 0>}
    : (tensor<2x3x64x512xbf16>, tensor<9x16x1x512xbf16>, tensor<9x16x1x512xbf16>, tensor<2x3x1x16xi32>, tensor<2x4xi32>, tensor<2xi32>, tensor<2x3x64x64xbf16>, tensor<9x16x1x64xbf16>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @sinks
// CHECK: "npu.npu_sparse_flash_attention"
// CHECK-SAME: target = "ascend950"
func.func @sinks(%query: tensor<2x3x64x512xbf16>, %key: tensor<2x40x1x512xbf16>, %value: tensor<2x40x1x512xbf16>, %sparse_indices: tensor<2x3x1x16xi32>, %query_rope: tensor<2x3x64x64xbf16>, %key_rope: tensor<2x40x1x64xbf16>, %sinks: tensor<64xf32>) {
  %r:3 = "npu.npu_sparse_flash_attention"(%query, %key, %value, %sparse_indices, %query_rope, %key_rope, %sinks) {target = "ascend950", scale_value = 5.00000000000000028e-02 : f64, attention_mode = 2 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 1, 1, 1>}
    : (tensor<2x3x64x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x40x1x512xbf16>, tensor<2x3x1x16xi32>, tensor<2x3x64x64xbf16>, tensor<2x40x1x64xbf16>, tensor<64xf32>) -> (tensor<2x3x64x512xbf16>, tensor<0xf32>, tensor<0xf32>)
  return
}
