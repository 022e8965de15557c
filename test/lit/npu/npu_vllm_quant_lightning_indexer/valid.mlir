// RUN: sparse-attn-opt %s | filecheck %s

// CHECK-LABEL: @example_ascend950
// CHECK: "npu.npu_vllm_quant_lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @example_ascend950(%query: tensor<2x3x64x128xsi8>, %key: tensor<2x40x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<2x40x1xf16>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %metadata) {target = "ascend950", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<2x40x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<2x40x1xf16>, tensor<1024xi32>) -> (tensor<2x3x1x2048xi32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @example_a3
// CHECK: "npu.npu_vllm_quant_lightning_indexer"
// CHECK-SAME: target = "a3"
func.func @example_a3(%query: tensor<2x3x64x128xsi8>, %key: tensor<2x40x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<2x40x1xf16>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %metadata) {target = "a3", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<2x40x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<2x40x1xf16>, tensor<1024xi32>) -> (tensor<2x3x1x2048xi32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @example_a2
// CHECK: "npu.npu_vllm_quant_lightning_indexer"
// CHECK-SAME: target = "a2"
func.func @example_a2(%query: tensor<2x3x64x128xsi8>, %key: tensor<2x40x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<2x40x1xf16>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %metadata) {target = "a2", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<2x40x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<2x40x1xf16>, tensor<1024xi32>) -> (tensor<2x3x1x2048xi32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @example_host
// CHECK: "npu.npu_vllm_quant_lightning_indexer"
// CHECK-SAME: target = "host"
func.func @example_host(%query: tensor<2x3x64x128xsi8>, %key: tensor<2x40x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<2x40x1xf16>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %metadata) {target = "host", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<2x40x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<2x40x1xf16>, tensor<1024xi32>) -> (tensor<2x3x1x2048xi32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @pages
// CHECK: "npu.npu_vllm_quant_lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @pages(%query: tensor<2x3x64x128xsi8>, %key: tensor<9x16x1x128xsi8>, %weights: tensor<2x3x64xf16>, %query_dequant_scale: tensor<2x3x64xf16>, %key_dequant_scale: tensor<9x16x1xf16>, %actual_seq_lengths_key: tensor<2xi32>, %block_table: tensor<2x4xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %actual_seq_lengths_key, %block_table, %metadata) {target = "ascend950", layout_key = "PA_BSND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 1, 1, 1>}
    : (tensor<2x3x64x128xsi8>, tensor<9x16x1x128xsi8>, tensor<2x3x64xf16>, tensor<2x3x64xf16>, tensor<9x16x1xf16>, tensor<2xi32>, tensor<2x4xi32>, tensor<1024xi32>) -> (tensor<2x3x1x2048xi32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @packed
// CHECK: "npu.npu_vllm_quant_lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @packed(%query: tensor<6x64x128xsi8>, %key: tensor<80x1x128xsi8>, %weights: tensor<6x64xf16>, %query_dequant_scale: tensor<6x64xf16>, %key_dequant_scale: tensor<80x1xf16>, %actual_seq_lengths_query: tensor<2xi32>, %actual_seq_lengths_key: tensor<2xi32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %actual_seq_lengths_query, %actual_seq_lengths_key, %metadata) {target = "ascend950", layout_query = "TND", layout_key = "TND", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 0, 1>}
    : (tensor<6x64x128xsi8>, tensor<80x1x128xsi8>, tensor<6x64xf16>, tensor<6x64xf16>, tensor<80x1xf16>, tensor<2xi32>, tensor<2xi32>, tensor<1024xi32>) -> (tensor<6x1x2048xi32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @fp8
// CHECK: "npu.npu_vllm_quant_lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @fp8(%query: tensor<2x3x64x128xf8E4M3FN>, %key: tensor<2x40x1x128xf8E4M3FN>, %weights: tensor<2x3x64xbf16>, %query_dequant_scale: tensor<2x3x64xf32>, %key_dequant_scale: tensor<2x40x1xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %metadata) {target = "ascend950", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1>}
    : (tensor<2x3x64x128xf8E4M3FN>, tensor<2x40x1x128xf8E4M3FN>, tensor<2x3x64xbf16>, tensor<2x3x64xf32>, tensor<2x40x1xf32>, tensor<1024xi32>) -> (tensor<2x3x1x2048xi32>, tensor<0xf32>)
  return
}

// CHECK-LABEL: @hifloat8
// CHECK: "npu.npu_vllm_quant_lightning_indexer"
// CHECK-SAME: target = "ascend950"
func.func @hifloat8(%query: tensor<2x3x64x128xui8>, %key: tensor<2x40x1x128xui8>, %weights: tensor<2x3x64xbf16>, %query_dequant_scale: tensor<2x3x64xf32>, %key_dequant_scale: tensor<2x40x1xf32>, %metadata: tensor<1024xi32>) {
  %r:2 = "npu.npu_vllm_quant_lightning_indexer"(%query, %key, %weights, %query_dequant_scale, %key_dequant_scale, %metadata) {target = "ascend950", operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 0, 0, 0, 1>}
    : (tensor<2x3x64x128xui8>, tensor<2x40x1x128xui8>, tensor<2x3x64xbf16>, tensor<2x3x64xf32>, tensor<2x40x1xf32>, tensor<1024xi32>) -> (tensor<2x3x1x2048xi32>, tensor<0xf32>)
  return
}
