// RUN: sparse-attn-opt %s | filecheck %s

// CHECK-LABEL: @example_ascend950
// CHECK: "npu.npu_lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @example_ascend950(%query: tensor<2x3x64x128xbf16>, %key: tensor<2x40x1x128xbf16>, %weights: tensor<2x3x64xbf16>) {
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights) {target = "ascend950", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
    : (tensor<2x3x64x128xbf16>, tensor<2x40x1x128xbf16>, tensor<2x3x64xbf16>) -> (tensor<2x3x1x2048xi32>, tensor<0xbf16>)
  return
}

// CHECK-LABEL: @example_a3
// CHECK: "npu.npu_lightning_indexer"
// CHECK-SAME: target = "a3"
func.func @example_a3(%query: tensor<2x3x64x128xbf16>, %key: tensor<2x40x1x128xbf16>, %weights: tensor<2x3x64xbf16>) {
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights) {target = "a3", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
    : (tensor<2x3x64x128xbf16>, tensor<2x40x1x128xbf16>, tensor<2x3x64xbf16>) -> (tensor<2x3x1x2048xi32>, tensor<0xbf16>)
  return
}

// CHECK-LABEL: @example_a2
// CHECK: "npu.npu_lightning_indexer"
// CHECK-SAME: target = "a2"
func.func @example_a2(%query: tensor<2x3x64x128xbf16>, %key: tensor<2x40x1x128xbf16>, %weights: tensor<2x3x64xbf16>) {
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights) {target = "a2", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
    : (tensor<2x3x64x128xbf16>, tensor<2x40x1x128xbf16>, tensor<2x3x64xbf16>) -> (tensor<2x3x1x2048xi32>, tensor<0xbf16>)
  return
}

// CHECK-LABEL: @example_host
// CHECK: "npu.npu_lightning_indexer"
// CHECK-SAME: target = "host"
func.func @example_host(%query: tensor<2x3x64x128xbf16>, %key: tensor<2x40x1x128xbf16>, %weights: tensor<2x3x64xbf16>) {
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights) {target = "host", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
    : (tensor<2x3x64x128xbf16>, tensor<2x40x1x128xbf16>, tensor<2x3x64xbf16>) -> (tensor<2x3x1x2048xi32>, tensor<0xbf16>)
  return
}

// CHECK-LABEL: @half
// CHECK: "npu.npu_lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @half(%query: tensor<2x3x64x128xf16>, %key: tensor<2x40x1x128xf16>, %weights: tensor<2x3x64xf32>) {
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights) {target = "ascend950", operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
    : (tensor<2x3x64x128xf16>, tensor<2x40x1x128xf16>, tensor<2x3x64xf32>) -> (tensor<2x3x1x2048xi32>, tensor<0xf16>)
  return
}

// CHECK-LABEL: @pages
// CHECK: "npu.npu_lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @pages(%query: tensor<2x3x64x128xbf16>, %key: tensor<9x16x1x128xbf16>, %weights: tensor<2x3x64xbf16>, %actual_seq_lengths_key: tensor<2xi32>, %block_table: tensor<2x4xi32>) {
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights, %actual_seq_lengths_key, %block_table) {target = "ascend950", layout_key = "PA_BSND", operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1>}
    : (tensor<2x3x64x128xbf16>, tensor<9x16x1x128xbf16>, tensor<2x3x64xbf16>, tensor<2xi32>, tensor<2x4xi32>) -> (tensor<2x3x1x2048xi32>, tensor<0xbf16>)
  return
}

// CHECK-LABEL: @packed
// CHECK: "npu.npu_lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @packed(%query: tensor<6x64x128xbf16>, %key: tensor<80x1x128xbf16>, %weights: tensor<6x64xbf16>, %actual_seq_lengths_query: tensor<2xi32>, %actual_seq_lengths_key: tensor<2xi32>) {
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights, %actual_seq_lengths_query, %actual_seq_lengths_key) {target = "ascend950", layout_query = "TND", layout_key = "TND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0>}
    : (tensor<6x64x128xbf16>, tensor<80x1x128xbf16>, tensor<6x64xbf16>, tensor<2xi32>, tensor<2xi32>) -> (tensor<6x1x2048xi32>, tensor<0xbf16>)
  return
}

// CHECK-LABEL: @unmasked
// CHECK: "npu.npu_lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @unmasked(%query: tensor<2x3x64x128xbf16>, %key: tensor<2x40x1x128xbf16>, %weights: tensor<2x3x64xbf16>) {
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights) {target = "ascend950", sparse_mode = 0 : i64, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}
    : (tensor<2x3x64x128xbf16>, tensor<2x40x1x128xbf16>, tensor<2x3x64xbf16>) -> (tensor<2x3x1x2048xi32>, tensor<0xbf16>)
  return
}

// CHECK-LABEL: @used_lengths
// CHECK: "npu.npu_lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @used_lengths(%query: tensor<2x3x64x128xbf16>, %key: tensor<2x40x1x128xbf16>, %weights: tensor<2x3x64xbf16>, %actual_seq_lengths_key: tensor<2xi32>) {
  %r:2 = "npu.npu_lightning_indexer"(%query, %key, %weights, %actual_seq_lengths_key) {target = "ascend950", operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0>}
    : (tensor<2x3x64x128xbf16>, tensor<2x40x1x128xbf16>, tensor<2x3x64xbf16>, tensor<2xi32>) -> (tensor<2x3x1x2048xi32>, tensor<0xbf16>)
  return
}
